#include <algorithm>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

#include "data/element.hpp"
#include "limits/combine_loop.hpp"
#include "limits/kernels.hpp"

namespace vnode::bench {
namespace {

void copy_library(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

void copy_string(std::byte* to, const std::byte* from, std::size_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

[[gnu::target("avx2")]] void copy_avx2(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t step = 128;
  std::size_t at = 0;
  for (; at + step <= bytes; at += step) {
    __m256i piece[4];
    for (std::size_t i = 0; i < 4; ++i)
      piece[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at + 32 * i));
    for (std::size_t i = 0; i < 4; ++i)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + at + 32 * i), piece[i]);
  }
  std::memcpy(to + at, from + at, bytes - at);
}

// Copies from the end: what the other core wrote last is what its nearest cache still holds.
[[gnu::target("avx2")]] void copy_backward(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t step = 64;
  for (; bytes >= step; bytes -= step) {
    const std::size_t at = bytes - step;
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at + 32));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + at), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + at + 32), high);
  }
  std::memcpy(to, from, bytes);
}

[[gnu::target("avx512f")]] void copy_avx512(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t step = 256;
  std::size_t at = 0;
  for (; at + step <= bytes; at += step) {
    __m512i piece[4];
    for (std::size_t i = 0; i < 4; ++i) piece[i] = _mm512_loadu_si512(from + at + 64 * i);
    for (std::size_t i = 0; i < 4; ++i) _mm512_storeu_si512(to + at + 64 * i, piece[i]);
  }
  std::memcpy(to + at, from + at, bytes - at);
}

// Copies with stores past the caches.
void copy_streaming(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::size_t at = std::min(bytes, -reinterpret_cast<std::uintptr_t>(to) % 16);
  std::memcpy(to, from, at);
  for (; at + 16 <= bytes; at += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  std::memcpy(to + at, from + at, bytes - at);
  _mm_sfence();
}

template <class T, class Operator>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void combine_avx512(std::byte* to,
                                                                          const std::byte* left,
                                                                          const std::byte* right,
                                                                          std::size_t bytes) {
  combine_loop<T, Operator>(to, left, right, bytes);
}

template <class T, class Operator>
[[gnu::target("avx2")]] void combine_avx2(std::byte* to, const std::byte* left, const std::byte* right,
                                          std::size_t bytes) {
  combine_loop<T, Operator>(to, left, right, bytes);
}

template <class T, class Operator>
void combine_sse2(std::byte* to, const std::byte* left, const std::byte* right, std::size_t bytes) {
  combine_loop<T, Operator>(to, left, right, bytes);
}

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

bool has_avx2() { return __builtin_cpu_supports("avx2"); }

std::vector<CopyKernel> all_copy_kernels() {
  std::vector<CopyKernel> kernels{{"library", copy_library}, {"string", copy_string}};
  if (has_avx512()) kernels.push_back({"avx512", copy_avx512});
  if (has_avx2()) kernels.push_back({"avx2", copy_avx2});
  if (has_avx2()) kernels.push_back({"backward", copy_backward});
  kernels.push_back({"streaming", copy_streaming});
  return kernels;
}

}  // namespace

const std::vector<CopyKernel>& copy_kernels() {
  static const std::vector<CopyKernel> kernels = all_copy_kernels();
  return kernels;
}

std::vector<CombineKernel> combine_kernels(Arithmetic datatype, StandardOperator op) {
  if (has_slow_loops(datatype)) {
    const CombineKernel kernel = vnode_kernel(datatype, op);
    return {kernel, {"streaming", kernel.combine, copy_streaming}};
  }
  return with_type(datatype, [op]<class T>(std::type_identity<T>) {
    return with_operator<T>(op, []<class Operator>(Operator) {
      std::vector<CombineKernel> kernels;
      if (has_avx512()) kernels.push_back({"avx512", combine_avx512<T, Operator>});
      if (has_avx2()) kernels.push_back({"avx2", combine_avx2<T, Operator>});
      if (kernels.empty()) kernels.push_back({"sse2", combine_sse2<T, Operator>});
      kernels.push_back({"streaming", kernels.front().combine, copy_streaming});
      return kernels;
    });
  });
}

}  // namespace vnode::bench
