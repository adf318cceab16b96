#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "ranges.hpp"

namespace vnode_test {

/// Element i of what `source` brings for `target`.
template <class V>
typename V::Type brought_value(const Operation& operation, int source, int target, std::size_t i) {
  const auto who = static_cast<std::uint64_t>(source) * 64 + static_cast<std::uint64_t>(target + 1);
  return V::value(mixed(operation.salt * 31 + who * 0x10001 + (i << 32)));
}

/// Returns the canonical expression: pairs, then pairs of pairs, what is left over carried up. For
/// associative operators it is as good as any.
template <class V>
typename V::Type combined_value(const Operation& operation, const Stretch& stretch, std::size_t i) {
  auto op = V::operation(nullptr);
  std::vector<typename V::Wide> values;
  for (int source = stretch.first; source < stretch.last; ++source)
    values.push_back(brought_value<V>(operation, source, stretch.target, i));
  while (values.size() > 1) {
    const std::size_t pairs = values.size() / 2, odd = values.size() % 2;
    for (std::size_t pair = 0; pair < pairs; ++pair)
      values[pair] = static_cast<typename V::Wide>(op(values[2 * pair], values[2 * pair + 1]));
    if (odd == 1) values[pairs] = values.back();
    values.resize(pairs + odd);
  }
  return static_cast<typename V::Type>(values.front());
}

/// Returns the value of elements that no call may touch.
template <class T>
T untouched() {
  if constexpr (std::is_same_v<T, long double>) return 0x3b3b3b3b3b3bp0L;  // not all bits are a number
  T value;
  std::memset(static_cast<void*>(&value), 0x3b, sizeof value);
  return value;
}

/// `data` with the range's stretches written over it.
template <class V>
std::vector<typename V::Type> written(std::vector<typename V::Type> data, const Operation& operation,
                                      const Range& range) {
  for (const Stretch& stretch : range.stretches)
    for (std::size_t i = 0; i < stretch.count; ++i)
      data[stretch.at + i] = combined_value<V>(operation, stretch, i);
  return data;
}

/// A node's ranges before a collective call and after it. In place there is only `out`; a broadcast is always
/// in place.
template <class V>
struct Images {
  using Data = std::vector<typename V::Type>;
  Data in, out;
  Data expected;             ///< of `out`
  std::size_t compared = 0;  ///< elements of it that matter

  Images() = default;
  Images(const Operation& operation, int nodes, int rank) {
    const Range source = brought(operation, nodes, rank), result = wanted(operation, nodes, rank);
    const bool one_range = operation.in_place || operation.collective == vnode::Collective::broadcast;
    const Data blank(one_range ? std::max(source.size, result.size) : result.size,
                     untouched<typename V::Type>());
    if (one_range)
      out = written<V>(blank, operation, source);
    else
      in = written<V>(Data(source.size, untouched<typename V::Type>()), operation, source), out = blank;
    expected = written<V>(out, operation, result);
    // In place, the other parts are lost.
    const bool lost = operation.in_place && operation.collective == vnode::Collective::reduce_scatter;
    compared = lost ? result.size : expected.size();
  }
};

}
