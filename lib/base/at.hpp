#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace vnode {

/// Returns the element of a vector, array or span that belongs to a rank, a PU, a link or whatever else an
/// int numbers, or to a value of an enumeration.
template <class List, class Number>
requires std::integral<Number> || std::is_enum_v<Number>
constexpr decltype(auto) at(List&& list, Number number) {
  return std::forward<List>(list)[static_cast<std::size_t>(number)];
}

}  // namespace vnode
