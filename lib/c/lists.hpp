#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "c/entry.hpp"

namespace vnode {

/// Returns a list that a program gives. Throws if it is NULL and not empty, or its length is negative.
template <class T>
std::span<const T> list_of(const T* list, std::integral auto count, const char* what) {
  if (std::cmp_less(count, 0)) throw WrongArgument("there are " + std::to_string(count) + ' ' + what);
  if (list == nullptr && count > 0) throw WrongArgument(std::string("the list of ") + what + " is NULL");
  return {list, static_cast<std::size_t>(count)};
}

/// Writes as many numbers as a program has room for; returns how many there are.
inline int put_list(std::span<const int> numbers, int* list, int room, const char* what) {
  const auto count = static_cast<int>(numbers.size());
  if (room > 0) std::copy_n(numbers.begin(), std::min(room, count), &needed(list, what));
  return count;
}

/// Returns an element of a list of vnode's by a number that a program gives. Throws if there is none.
template <class T>
const T& numbered(const std::vector<T>& list, std::integral auto index, const char* what) {
  if (std::cmp_less(index, 0) || std::cmp_greater_equal(index, list.size()))
    throw WrongArgument(std::string("there is no ") + what + ' ' + std::to_string(index) + ": there are " +
                        std::to_string(list.size()));
  return list[static_cast<std::size_t>(index)];
}

}  // namespace vnode
