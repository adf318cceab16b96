#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Represents a floating-point number of 16 bits, a type to store: a sign, 15 - `fraction` bits of exponent,
/// `fraction` bits of fraction. `Own` is the type that derives from it.
///
/// It converts to float by itself, without loss; comparisons and everything in <cmath> work on that. From
/// another number it is made explicitly, rounded once to the nearest value, to the even one of two that are
/// equally near. What is too large becomes infinite, subnormal numbers are kept, and a NaN stays a quiet NaN
/// with its sign and the leading bits of its payload. Arithmetic on two of them is done in float, and its
/// result rounded: to the nearest value to the exact result, unless a product or quotient is subnormal.
template <class Own, int fraction>
class SixteenBitFloat {
 public:
  SixteenBitFloat() = default;
  /// Rounds a number to the nearest value.
  template <class Number>
  requires std::is_arithmetic_v<Number>
  constexpr explicit SixteenBitFloat(Number number) : bits_(narrowed(rounded_to_odd(number))) {}

  /// Returns the number as a float, which represents every value.
  constexpr operator float() const {
    const std::uint32_t sign = std::uint32_t{bits_} >> 15 << 31;
    const std::uint32_t magnitude = bits_ & 0x7fffu;
    if (bias < 127 && magnitude <= mantissa) {  // zero or subnormal, a normal float
      const float value = static_cast<float>(magnitude) * least_subnormal;
      return sign == 0 ? value : -value;
    }
    const std::uint32_t rebias = magnitude >= infinite ? 255 - (infinite >> fraction) : 127 - bias;
    return std::bit_cast<float>(sign | ((magnitude << shift) + (rebias << 23)));
  }

  /// Returns whether the number is not zero.
  constexpr explicit operator bool() const { return (bits_ & 0x7fff) != 0; }

  /// Returns the value with these bits: the sign is the highest one, the fraction has the lowest ones.
  static constexpr Own from_bits(std::uint16_t bits) {
    Own made{};
    made.bits_ = bits;
    return made;
  }
  /// Returns the bits of the value.
  constexpr std::uint16_t bits() const { return bits_; }

  /// Returns the number with the other sign.
  friend constexpr Own operator-(Own number) {
    return from_bits(static_cast<std::uint16_t>(number.bits_ ^ 0x8000));
  }
  /// Returns the sum, rounded.
  friend constexpr Own operator+(Own a, Own b) { return Own(float{a} + float{b}); }
  /// Returns the difference, rounded.
  friend constexpr Own operator-(Own a, Own b) { return Own(float{a} - float{b}); }
  /// Returns the product, rounded.
  friend constexpr Own operator*(Own a, Own b) { return Own(float{a} * float{b}); }
  /// Returns the quotient, rounded.
  friend constexpr Own operator/(Own a, Own b) { return Own(float{a} / float{b}); }
  /// Adds a number, and rounds the sum.
  friend constexpr Own& operator+=(Own& a, float b) { return a = Own(float{a} + b); }
  /// Subtracts a number, and rounds the difference.
  friend constexpr Own& operator-=(Own& a, float b) { return a = Own(float{a} - b); }
  /// Multiplies by a number, and rounds the product.
  friend constexpr Own& operator*=(Own& a, float b) { return a = Own(float{a} * b); }
  /// Divides by a number, and rounds the quotient.
  friend constexpr Own& operator/=(Own& a, float b) { return a = Own(float{a} / b); }

 private:
  static constexpr int shift = 23 - fraction;                         // of the fraction's bits in a float
  static constexpr std::uint32_t bias = (1u << (14 - fraction)) - 1;  // of the exponent
  static constexpr std::uint32_t mantissa = (1u << fraction) - 1;
  static constexpr std::uint32_t infinite = 0x7fffu & ~mantissa;
  static constexpr std::uint32_t least_normal = (128 - bias) << 23;  // as a float
  static constexpr float least_subnormal = fraction == 10 ? 0x1p-24F : 0x1p-133F;

  /// Returns a float that rounds to 16 bits as the number does: where it is not the number, its last bit is
  /// 1, so that it is no tie of two values and on the same side of one.
  template <class Number>
  static constexpr float rounded_to_odd(Number number) {
    if constexpr (std::is_same_v<Number, float>) {
      return number;
    } else {
      constexpr bool long_one =
          std::is_same_v<Number, long double> || std::numeric_limits<Number>::digits > 53;
      using Exact = std::conditional_t<long_one, long double, double>;
      const auto exact = static_cast<Exact>(number), magnitude = exact < 0 ? -exact : exact;
      constexpr float infinity = std::numeric_limits<float>::infinity();
      if (magnitude > std::numeric_limits<float>::max()) return exact < 0 ? -infinity : infinity;
      const float near = static_cast<float>(exact);
      const auto bits = std::bit_cast<std::uint32_t>(near);
      if (near == exact || near != near || bits % 2 == 1) return near;
      return std::bit_cast<float>((near < 0 ? -near : near) < magnitude ? bits + 1 : bits - 1);
    }
  }
  static constexpr std::uint16_t narrowed(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 31 << 15, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
      return static_cast<std::uint16_t>(sign | infinite | 1u << (fraction - 1) |
                                        ((magnitude >> shift) & mantissa));
    if (bias == 127 || magnitude >= least_normal)
      return static_cast<std::uint16_t>(sign |
                                        std::min(halved(magnitude - ((127 - bias) << 23), shift), infinite));
    const std::uint32_t below = (least_normal >> 23) - (magnitude >> 23);  // binades
    if (below > fraction + 1) return static_cast<std::uint16_t>(sign);
    const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
    return static_cast<std::uint16_t>(sign | halved(significand, shift + below));
  }
  /// Returns `number` divided by 2^times, to the nearest, or even.
  static constexpr std::uint32_t halved(std::uint32_t number, std::uint32_t times) {
    return (number + (1u << (times - 1)) - 1 + ((number >> times) & 1)) >> times;
  }

  std::uint16_t bits_;
};

/// Represents a number by the 16 bits of IEEE 754, binary16: 11 significant bits, from 2^-14 (subnormal:
/// 2^-24) to 65504.
class float16 : public SixteenBitFloat<float16, 10> {
  using SixteenBitFloat::SixteenBitFloat;
};

/// Represents a number by the upper half of a float: 8 significant bits, from 2^-126 (subnormal: 2^-133)
/// to 3.39e38.
class bfloat16 : public SixteenBitFloat<bfloat16, 7> {
  using SixteenBitFloat::SixteenBitFloat;
};

/// Tells whether T is float16 or bfloat16.
template <class T>
inline constexpr bool is_sixteen_bit_float = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

/// @cond What std::numeric_limits says of a SixteenBitFloat. Its members are documented there.
template <class Own, int fraction>
struct SixteenBitLimits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false, is_iec559 = true, is_bounded = true, is_modulo = false;
  static constexpr bool traps = false, tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2, digits = fraction + 1;
  static constexpr int digits10 = fraction * 30103 / 100000;
  static constexpr int max_digits10 = 2 + digits * 30103 / 100000;
  static constexpr int max_exponent = 1 << (14 - fraction), min_exponent = 3 - max_exponent;
  static constexpr int max_exponent10 = max_exponent * 30103 / 100000;
  static constexpr int min_exponent10 = (min_exponent - 1) * 30103 / 100000;

  static constexpr Own min() noexcept { return Own::from_bits(1u << fraction); }
  static constexpr Own denorm_min() noexcept { return Own::from_bits(1); }
  static constexpr Own infinity() noexcept { return Own::from_bits(0x8000u - (1u << fraction)); }
  static constexpr Own max() noexcept { return Own::from_bits(0x7fffu - (1u << fraction)); }
  static constexpr Own lowest() noexcept { return -max(); }
  static constexpr Own epsilon() noexcept { return Own(1.0F / (1 << fraction)); }
  static constexpr Own round_error() noexcept { return Own(0.5F); }
  static constexpr Own quiet_NaN() noexcept { return Own::from_bits(0x8000u - (1u << (fraction - 1))); }
  static constexpr Own signaling_NaN() noexcept { return Own::from_bits(0x8001u - (1u << fraction)); }
};

}  // namespace vnode

/// Gives the limits of float16.
template <>
class std::numeric_limits<vnode::float16> : public vnode::SixteenBitLimits<vnode::float16, 10> {};
/// Gives the limits of bfloat16.
template <>
class std::numeric_limits<vnode::bfloat16> : public vnode::SixteenBitLimits<vnode::bfloat16, 7> {};
/// @endcond
#pragma GCC visibility pop
