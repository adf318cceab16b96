#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <vnode/collective.hpp>
#include <vnode/rank.hpp>

namespace vnode {

/// Says what distinguishes a collective operation from the others.
struct CollectiveTraits {
  /// Names nodes: all, the root, all but the root, or all but node 0.
  enum class Nodes { all, root, others, all_but_first };

  Collective collective{};
  std::string_view name{};
  bool has_root = false, combines = false;
  Nodes readers = Nodes::all;  ///< nodes whose input is read
  Nodes writers = Nodes::all;  ///< nodes whose output is written
  /// The collective divides the blocks of a schedule into p to this power equal shares, as far as that is the
  /// same for all schedules.
  int share_exponent = 0;
};

/// Has a row for each collective, in the order of the enumeration.
inline constexpr std::array<CollectiveTraits, 12> all_collective_traits{
    {{.collective = Collective::broadcast,
      .name = "broadcast",
      .has_root = true,
      .readers = CollectiveTraits::Nodes::root,
      .writers = CollectiveTraits::Nodes::others},
     {.collective = Collective::reduce,
      .name = "reduce",
      .has_root = true,
      .combines = true,
      .writers = CollectiveTraits::Nodes::root},
     {.collective = Collective::all_gather, .name = "all_gather", .share_exponent = 1},
     {.collective = Collective::reduce_scatter,
      .name = "reduce_scatter",
      .combines = true,
      .share_exponent = 1},
     {.collective = Collective::all_reduce, .name = "all_reduce", .combines = true},
     {.collective = Collective::scan, .name = "scan", .combines = true},
     {.collective = Collective::exclusive_scan,
      .name = "exclusive_scan",
      .combines = true,
      .writers = CollectiveTraits::Nodes::all_but_first},
     {.collective = Collective::scatter,
      .name = "scatter",
      .has_root = true,
      .readers = CollectiveTraits::Nodes::root,
      .share_exponent = 1},
     {.collective = Collective::gather,
      .name = "gather",
      .has_root = true,
      .writers = CollectiveTraits::Nodes::root,
      .share_exponent = 1},
     {.collective = Collective::all_to_all, .name = "all_to_all", .share_exponent = 2},
     {.collective = Collective::circular_shift, .name = "circular_shift", .share_exponent = 1},
     {.collective = Collective::barrier, .name = "barrier"}}};

static_assert(
    [] {
      for (std::size_t i = 0; i < all_collective_traits.size(); ++i)
        if (all_collective_traits[i].collective != static_cast<Collective>(i)) return false;
      return all_collective_traits.back().collective == Collective::barrier;
    }(),
    "a collective has its row at its place, and the last one closes the table");

constexpr const CollectiveTraits& traits(Collective collective) {
  return all_collective_traits[static_cast<std::size_t>(collective)];
}

/// Tells whether `me` is one of these nodes.
constexpr bool is_among(CollectiveTraits::Nodes nodes, Rank me, Rank root) {
  switch (nodes) {
    case CollectiveTraits::Nodes::root:
      return me == root;
    case CollectiveTraits::Nodes::others:
      return me != root;
    case CollectiveTraits::Nodes::all_but_first:
      return me != 0;
    case CollectiveTraits::Nodes::all:
      break;
  }
  return true;
}

/// Returns into how many equal shares a collective divides the blocks of a schedule, as far as that is the
/// same for all schedules.
constexpr long shares(Collective collective, long nodes) {
  const int exponent = traits(collective).share_exponent;
  return exponent == 0 ? 1 : exponent == 1 ? nodes : nodes * nodes;
}

}  // namespace vnode
