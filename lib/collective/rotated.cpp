// All-port communication on the hypercube (Johnsson and Ho, rotated trees): every message is split into
// d = log2 p parts, and part j takes the way of another schedule with the bits of all labels rotated left by
// j. Where that uses one dimension a round, the parts use all of them, each a different one.
#include <algorithm>
#include <bit>

#include "building_blocks/composition.hpp"
#include "building_blocks/dimensions.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace rotated {

// Returns d, and 1 for one node.
int parts_of(int p) { return std::max(1, ceil_log2(p)); }

// Returns the d rotations of `a` side by side. `a` is for p = 2^d nodes and root 0, with one block, one per
// rank, or one per pair of ranks, and uses one dimension a round. Labels are relative to the root by XOR,
// after the rotation. Block b of `a` becomes d blocks, in the place of its rotated and relative ranks.
Schedule rotated(const Schedule& a, Rank root) {
  const int p = a.nodes(), d = ceil_log2(p), parts = parts_of(p);
  Schedule all(p, parts * a.blocks());
  for (int part = 0; part < parts; ++part) {
    std::vector<Rank> ranks;
    for (Rank rank = 0; rank < p; ++rank) ranks.push_back(rotated_label(rank, part, d) ^ root);
    BlockMap map{all.blocks(), {}};
    for (int block = 0; block < a.blocks(); ++block) {
      int place = 0;  // of the block in `a` to which the ranks in its number become
      for (int digit = 1; digit < a.blocks(); digit *= p)
        place += digit * ranks[static_cast<std::size_t>(block / digit % p)];
      map.places.push_back({place * parts + part, place * parts + part + 1});
    }
    all = compose::beside(all, compose::relabelled(a, ranks, map));
  }
  return all;
}

// Returns whether two nodes are linked: where all exchange, all links may be used at any time.
bool every_link(const Parameters&, int, Rank from, Rank to) {
  return std::has_single_bit(static_cast<unsigned>(from ^ to));
}

// Returns whether two nodes are a pair of a tree in one of the parts: the sender's label is 0 in the part's
// lower dimensions (Grama, algorithm 4.2), which are still to come.
bool tree_links(const Parameters& parameters, int round, Rank from, Rank to) {
  const int d = ceil_log2(parameters.nodes), distance = 1 << (d - 1 - round);
  for (int part = 0; part < d; ++part) {
    const auto label = [&](Rank rank) { return rotated_label(rank ^ parameters.root, d - part, d); };
    if (label(from) % (2 * distance) == 0 && label(to) == label(from) + distance) return true;
  }
  return false;
}

// Returns what the busiest node of every round takes in through all its ports, together: its label has the
// fewest ones that it can have, the part whose bit is first in each of its gaps.
double tree_received(int p, bool personalized_blocks) {
  const int d = ceil_log2(p);
  double received = 0;
  for (int round = 0; round < d; ++round)
    received += double(d / (round + 1) << (personalized_blocks ? round : 0)) / d;
  return received;
}

// Each part is 1 / d of what `a` moves through one port.
template <const Algorithm& a>
Cost in_rotated_parts(const Parameters& parameters, double received) {
  const Cost one_port = a.cost(parameters);
  return {one_port.startups, one_port.words / parts_of(parameters.nodes), received, 0};
}

template <const Algorithm& a>
constexpr Algorithm rotated_row(const RowOverrides& own) {
  const RowOverrides parts{
      .build =
          [](const Parameters& parameters) {
            const Rank root = has_root(a.collective) ? parameters.root : 0;
            return rotated(a.build({.nodes = parameters.nodes}), root);
          },
      .cost =
          [](const Parameters& parameters) {
            return in_rotated_parts<a>(parameters, a.cost(parameters).received);
          },
      .rounds = one_per_dimension.text,
      .transfers = {"p (log2 p)^2",
                    [](const Parameters& parameters) {
                      return parts_of(parameters.nodes) * a.transfers.value(parameters);
                    }},
      .peers = every_link,
      .ports = Ports::all,
      .needs = power_of_two,
      .carriers = hypercube_family,
      .best_for = "long messages on hypercubes whose links work at the same time",
      .source = "Johnsson, Ho, 1989, rotated trees; Grama et al. 4.7.2",
  };
  return derived(row(parts), own);
}

}  // namespace rotated

namespace registered {

constexpr Algorithm broadcast_rotated = rotated::rotated_row<broadcast_hypercube>({
    .name = "broadcast_rotated",
    .cost =
        [](const Parameters& parameters) {
          return rotated::in_rotated_parts<broadcast_hypercube>(
              parameters, rotated::tree_received(parameters.nodes, false));
        },
    .transfers = "(p - 1) log2 p",
    .time = "t_s log2 p + t_w m min(p - 1, 1)",
    .peers = rotated::tree_links,
});
// The root combines through all ports in every round.
constexpr Algorithm reduce_rotated = dual_row<broadcast_rotated>({
    .name = "reduce_rotated",
    .cost =
        [](const Parameters& parameters) {
          return combining(
              rotated::in_rotated_parts<broadcast_hypercube>(parameters, ceil_log2(parameters.nodes)));
        },
    .time = "t_s log2 p + t_w m min(p - 1, 1) + t_op m log2 p",
    .keeps_order = KeepsOrder::never,
});

constexpr Algorithm scatter_rotated = rotated::rotated_row<scatter_hypercube>({
    .name = "scatter_rotated",
    .cost =
        [](const Parameters& parameters) {
          return rotated::in_rotated_parts<scatter_hypercube>(parameters,
                                                              rotated::tree_received(parameters.nodes, true));
        },
    .transfers = "(p - 1) log2 p",
    .time = "t_s log2 p + [p > 1] t_w m (p - 1) / log2 p",
    .peers = rotated::tree_links,
});
// All that the root has not goes into it.
constexpr Algorithm gather_rotated = reversed_row<scatter_rotated>({
    .name = "gather_rotated",
    .cost =
        [](const Parameters& parameters) {
          return rotated::in_rotated_parts<scatter_hypercube>(parameters, parameters.nodes - 1);
        },
});

constexpr Algorithm all_gather_rotated = rotated::rotated_row<all_gather_hypercube>({
    .name = "all_gather_rotated",
    .time = "t_s log2 p + [p > 1] t_w m (p - 1) / log2 p",
});
constexpr Algorithm reduce_scatter_rotated = dual_row<all_gather_rotated>({
    .name = "reduce_scatter_rotated",
    .time = "t_s log2 p + [p > 1] t_w m (p - 1) / log2 p + t_op m (p - 1)",
    .keeps_order = KeepsOrder::never,
});
constexpr Algorithm all_reduce_rotated = rotated::rotated_row<all_reduce_doubling>({
    .name = "all_reduce_rotated",
    .cost =
        [](const Parameters& parameters) {
          return combining(
              rotated::in_rotated_parts<all_reduce_doubling>(parameters, ceil_log2(parameters.nodes)));
        },
    .time = "t_s log2 p + t_w m min(p - 1, 1) + t_op m log2 p",
    .keeps_order = KeepsOrder::never,
});
constexpr Algorithm all_to_all_rotated = rotated::rotated_row<all_to_all_hypercube>({
    .name = "all_to_all_rotated",
    .time = "t_s log2 p + [p > 1] t_w m p / 2",
});

}  // namespace registered
}  // namespace vnode
