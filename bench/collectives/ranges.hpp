#pragma once

#include <span>
#include <vector>

#include "collectives/task.hpp"

namespace vnode::bench {

/// What one caller passes.
template <class T>
struct Ranges {
  std::span<const T> in;
  std::span<T> out;
};

template <class T>
Ranges<T> ranges(const Task& task, Rank rank) {
  return {{reinterpret_cast<const T*>((*task.in)[rank]), task.in->bytes(rank) / sizeof(T)},
          {reinterpret_cast<T*>((*task.out)[rank]), task.out->bytes(rank) / sizeof(T)}};
}

/// For the v-variants: as many elements for every rank.
inline std::vector<std::size_t> equal_counts(const Task& task, std::size_t element) {
  return std::vector<std::size_t>(static_cast<std::size_t>(task.setting.nodes), task.setting.bytes / element);
}

/// Those that combine, and those that only move.
Contestant combining_vnode(const std::shared_ptr<const Task>& task, const Way& way);
Contestant moving_vnode(const std::shared_ptr<const Task>& task, const Way& way);

}  // namespace vnode::bench
