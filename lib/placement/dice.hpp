#pragma once

#include <cstddef>
#include <cstdint>

namespace vnode {

/// Random numbers, the same on every system: SplitMix64 (Steele, Lea and Flood 2014).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t roll() {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  /// 0 .. sides-1, of which there are less than 2^32.
  std::size_t roll(std::size_t sides) { return static_cast<std::size_t>(((roll() >> 32) * sides) >> 32); }
  /// From 0 to below 1.
  double share() { return static_cast<double>(roll() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace vnode
