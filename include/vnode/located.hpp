#pragma once

#include <cstdint>

#include <vnode/operator.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// A value and where it was found, for minimum_location and maximum_location: the index is the caller's, a
/// row of a matrix or a rank.
///
///     std::array best{vnode::Located{std::abs(x[i]), i}};
///     me.all_reduce(best, vnode::maximum_location{});  // best[0].index is the same on all nodes
template <class T>
struct Located {
  T value;                 ///< what is compared
  std::int64_t index = 0;  ///< where it was found
  /// Equal value and index.
  friend bool operator==(const Located&, const Located&) = default;
};
template <class T>
Located(T, std::int64_t) -> Located<T>;

/// The lesser of two values with its index; of equal values the one with the lower index. Values that are not
/// ordered, as NaN is not, count as equal.
struct minimum_location {
  /// min(left, right), by value and then by index.
  template <class T>
  constexpr Located<T> operator()(const Located<T>& left, const Located<T>& right) const {
    // Chosen by number: where data are random, a branch would be mispredicted and cost four times as much.
    const Located<T> both[] = {left, right};
    const bool less = right.value < left.value, greater = left.value < right.value;
    return both[less | (!greater & (right.index < left.index))];
  }
};

/// The greater of two values with its index; of equal values the one with the lower index. Values that are
/// not ordered, as NaN is not, count as equal.
struct maximum_location {
  /// max(left, right), by value and then by index.
  template <class T>
  constexpr Located<T> operator()(const Located<T>& left, const Located<T>& right) const {
    const Located<T> both[] = {left, right};
    const bool less = right.value < left.value, greater = left.value < right.value;
    return both[greater | (!less & (right.index < left.index))];
  }
};

template <class T>
inline constexpr bool is_commutative<minimum_location, Located<T>> = true;
template <class T>
inline constexpr bool is_commutative<maximum_location, Located<T>> = true;

}  // namespace vnode
#pragma GCC visibility pop
