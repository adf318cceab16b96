#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "elements.hpp"

namespace vnode_test {

/// Random numbers that are the same with every compiler.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mixed(seed)) {}

  std::uint64_t word() { return mixed(state_++); }
  /// 0 .. end - 1.
  template <class Integer>
  Integer below(Integer end) {
    return static_cast<Integer>(word() % static_cast<std::uint64_t>(end));
  }
  /// True once in `times`.
  bool one_in(int times) { return below(times) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}
