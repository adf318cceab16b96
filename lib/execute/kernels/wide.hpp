#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// These types widen floats of 16 bits to two vectors of f32, in which sums and products are computed. All
// elements are computed alike, wherever they lie in a range: the last vector is filled up if it is not full.
namespace vnode {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif
using Floats [[gnu::vector_size(vector_bytes)]] = float;
using Words [[gnu::vector_size(vector_bytes)]] = std::uint32_t;
using Integers [[gnu::vector_size(vector_bytes)]] = std::int32_t;
using Shorts [[gnu::vector_size(vector_bytes)]] = std::int16_t;
using Halves [[gnu::vector_size(vector_bytes / 2)]] = std::uint16_t;

/// Holds the widened floats of `vector_bytes` in memory.
struct Wide {
  Floats first, second;
};

template <class Vector>
[[gnu::always_inline]] inline Vector load(const void* from) {
  Vector made;
  std::memcpy(&made, from, sizeof made);
  return made;
}
/// Returns, element by element, `yes` where all bits of `mask` are 1, `no` where they are 0.
template <class Mask, class Vector>
[[gnu::always_inline]] inline Vector chosen(Mask mask, Vector yes, Vector no) {
#if defined(__AVX512F__)
  constexpr int first_of_three = 0xca;
  return (Vector)_mm512_ternarylogic_epi32((__m512i)mask, (__m512i)yes, (__m512i)no, first_of_three);
#elif defined(__AVX2__)
  return (Vector)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
#else
  return ((Vector)mask & yes) | (~(Vector)mask & no);
#endif
}
/// Tells, element by element, whether a < b, as floats of type T, of which these are the bits.
template <class T>
[[gnu::always_inline]] inline Shorts less_bits(Shorts a, Shorts b) {
  const Shorts size_a = a & 0x7fff, size_b = b & 0x7fff, sign_a = a >> 15, sign_b = b >> 15;
  const Shorts less = (size_a ^ sign_a) - sign_a < (size_b ^ sign_b) - sign_b;
  return less & (size_a <= T::infinity) & (size_b <= T::infinity);
}

/// A bfloat16 as it is stored: it is the upper half of a float. Of two neighbours in a 32-bit word, one is
/// already in the upper half.
struct Bf16 {
  std::uint16_t bits;
  static constexpr std::int16_t infinity = 0x7f80, one = 0x3f80;

  [[gnu::always_inline]] static inline Wide widened(const void* from) {
    const Words both = load<Words>(from);
    return {(Floats)(both << 16), (Floats)(both & 0xffff0000u)};
  }
#if defined(__AVX512BF16__)
  // The instruction takes subnormal numbers for zero.
  [[gnu::always_inline]] static inline void narrow(const Wide& wide, void* to) {
    constexpr int subnormal = 0x20;
    const __mmask16 rare = _mm512_fpclass_ps_mask((__m512)wide.first, subnormal) |
                           _mm512_fpclass_ps_mask((__m512)wide.second, subnormal);
    if (rare != 0) [[unlikely]]
      return round_each(wide, to);
    // clang-format off
    alignas(64) static constexpr std::uint16_t interleaved[] = {0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23,
                                                                8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    // clang-format on
    const __m512bh apart = _mm512_cvtne2ps_pbh((__m512)wide.second, (__m512)wide.first);
    const __m512i both = _mm512_permutexvar_epi16(_mm512_load_si512(interleaved), (__m512i)apart);
    std::memcpy(to, &both, sizeof both);
  }
#else
  [[gnu::always_inline]] static inline void narrow(const Wide& wide, void* to) { round_each(wide, to); }
#endif

 private:
  /// Rounds to the nearest bfloat16, or to the even one of two: up if the lower half, plus 1 if the upper
  /// half is odd, is more than 0x8000. A NaN stays what it is: the lower half of one that was a bfloat16 is
  /// 0.
  [[gnu::always_inline]] static inline void round_each(const Wide& wide, void* to) {
    const auto first = (Words)wide.first, second = (Words)wide.second;
    const Words ours = Words{} + 0xffff0000u;  // of the second's word
    const auto upper = (Shorts)chosen(ours, second, first >> 16),
               lower = (Shorts)chosen(ours, second << 16, first);
    const Shorts odd = upper & 1;
#if defined(__AVX512BW__)  // by the highest bit of an average
    const auto average = _mm512_avg_epu16((__m512i)lower, (__m512i)(odd | 0x7ffe));
    const auto up = (Shorts)_mm512_srli_epi16(average, 15);
#else
    const Shorts up = -((lower ^ (std::int16_t)0x8000) > -odd);
#endif
    const Shorts result = upper + up;
    std::memcpy(to, &result, sizeof result);
  }
};

/// A float16 as it is stored.
struct F16 {
  std::uint16_t bits;
  static constexpr std::int16_t infinity = 0x7c00, one = 0x3c00;

  [[gnu::always_inline]] static inline Wide widened(const void* from) {
    const auto* const begin = static_cast<const std::byte*>(from);
    return {floats(load<Halves>(begin)), floats(load<Halves>(begin + vector_bytes / 2))};
  }
  [[gnu::always_inline]] static inline void narrow(const Wide& wide, void* to) {
    const Halves first = halves(wide.first), second = halves(wide.second);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(static_cast<std::byte*>(to) + sizeof first, &second, sizeof second);
  }

 private:
#if defined(__AVX512F__)
  [[gnu::always_inline]] static inline Floats floats(Halves h) {
    return (Floats)_mm512_maskz_cvtph_ps(0xffff, (__m256i)h);
  }
  [[gnu::always_inline]] static inline Halves halves(Floats f) {
    return (Halves)_mm512_maskz_cvtps_ph(0xffff, (__m512)f, _MM_FROUND_TO_NEAREST_INT);
  }
#elif defined(__F16C__) && defined(__AVX2__)
  [[gnu::always_inline]] static inline Floats floats(Halves h) { return (Floats)_mm256_cvtph_ps((__m128i)h); }
  [[gnu::always_inline]] static inline Halves halves(Floats f) {
    return (Halves)_mm256_cvtps_ph((__m256)f, _MM_FROUND_TO_NEAREST_INT);
  }
#elif defined(__aarch64__)
  [[gnu::always_inline]] static inline Floats floats(Halves h) {
    return (Floats)vcvt_f32_f16((float16x4_t)h);
  }
  [[gnu::always_inline]] static inline Halves halves(Floats f) {
    return (Halves)vcvt_f16_f32((float32x4_t)f);
  }
#else
  [[gnu::always_inline]] static inline Floats floats(Halves h) {
    const Words bits = __builtin_convertvector(h, Words), sign = bits >> 15 << 31, magnitude = bits & 0x7fffu;
    // Subnormal numbers are normal as floats; infinity and NaN have the greatest exponent here and there.
    const Floats subnormal = __builtin_convertvector((Integers)magnitude, Floats) * 0x1p-24F;
    const Words rebias = chosen(magnitude >= 0x7c00u, Words{} + (224u << 23), Words{} + (112u << 23));
    return (Floats)(sign | chosen(magnitude < 0x400u, (Words)subnormal, (magnitude << 13) + rebias));
  }
  [[gnu::always_inline]] static inline Halves halves(Floats f) {
    const Words bits = (Words)f, sign = bits >> 31 << 15, magnitude = bits & 0x7fffffffu;
    const Words normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    // The last bit of 0.5 is the least subnormal number.
    const Words subnormal = (Words)((Floats)magnitude + 0.5F) - 0x3f000000u;
    const Words nan = (magnitude >> 13 & 0x3ffu) | 0x7e00u;
    const Words large = chosen(magnitude > 0x7f800000u, nan, Words{} + 0x7c00u);
    const Words finite = chosen(magnitude < (113u << 23), subnormal, normal);
    return __builtin_convertvector(sign | chosen(magnitude >= (143u << 23), large, finite), Halves);
  }
#endif
};

}
}
