#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include <vnode/model/schedule.hpp>
#include <vnode/rank.hpp>

namespace vnode {

/// Describes one of the things that are put into groups by two numbers.
struct Grouped {
  std::uint64_t first = 0, second = 0;
  std::uint32_t index = 0;  ///< of the thing
  friend auto operator<=>(const Grouped&, const Grouped&) = default;
};

/// Return the numbers of nodes and of lists of blocks.
inline std::uint64_t number_of(Rank rank) { return static_cast<std::uint32_t>(rank); }
inline std::uint64_t number_of(Rank from, Rank to) { return number_of(from) << 32 | number_of(to); }
inline std::uint64_t number_of(Blocks blocks) { return std::uint64_t{blocks.first} << 32 | blocks.count; }

/// Sorts them and calls visit(group) for every group of equal numbers, indices ascending.
template <class Visit>
void each_group(std::vector<Grouped>& all, const Visit& visit) {
  if (!std::ranges::is_sorted(all)) std::ranges::sort(all);
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(), [&](const Grouped& one) {
      return one.first != begin->first || one.second != begin->second;
    });
    visit(std::span<const Grouped>(begin, end));
    begin = end;
  }
}

}  // namespace vnode
