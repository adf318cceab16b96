#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "placement/search_state.hpp"

namespace vnode {

/// When to stop, if before the end.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;
bool late(const Deadline& deadline);

/// A mapping found from `pus` by exchanges, each of which shortens links or, if it anneals, at first may make
/// them longer. Never has more hops if it does not anneal.
std::vector<int> searched(const SearchSpace& space, const std::vector<int>& pus, bool anneal,
                          std::uint64_t seed, const Deadline& deadline);
/// Node by node: the one with the most weight to those that are placed, on the PU where its links to them are
/// shortest. Nothing if it would take many seconds, or is late. O(nodes^2 + slots x links).
std::optional<std::vector<int>> greedy(const SearchSpace& space, const Deadline& deadline);

}  // namespace vnode
