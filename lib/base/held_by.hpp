#pragma once

#include <cstddef>
#include <vector>

namespace vnode {

/// Returns the memory that a list has taken for its elements, in bytes; not what these hold themselves.
template <class T>
std::size_t held_by(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

}  // namespace vnode
