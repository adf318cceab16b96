#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

namespace vnode {

/// The element of a vector, array or span that belongs to a rank, a PU, a link, or anything else that an int
/// numbers.
template <class List>
constexpr decltype(auto) at(List&& list, std::integral auto number) {
  return std::forward<List>(list)[static_cast<std::size_t>(number)];
}

}  // namespace vnode
