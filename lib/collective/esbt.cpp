// d edge-disjoint spanning binomial trees of a hypercube of 2^d nodes (Johnsson and Ho), through which the
// segments of a message go in turn: segment i through tree i mod d.
#include <algorithm>
#include <bit>
#include <vector>

#include "building_blocks/composition.hpp"
#include "building_blocks/dimensions.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace esbt {

// Labels are relative to the root by XOR. In tree j the root sends to node 2^j, on level 0, and that to all
// others, on levels 1 .. d, by dimensions j + 1, j + 2, ... j (mod d): a level of a tree uses one dimension.
// The links into a node belong to different trees.
struct Esbt {
  int d, segments;
  int at_once;  // the segments that start in one round: 1, or d where all ports work at the same time
  Rank root;

  Esbt(const Parameters& parameters, Ports ports)
      : d(ceil_log2(parameters.nodes)),
        segments(parameters.segments),
        at_once(ports == Ports::all ? d : 1),
        root(parameters.root) {}

  // Returns the level on which a node other than the root receives along a dimension. In tree j a label with
  // bit j hears along the last of its bits in the order j, j + 1, ... (mod d), from the root if it has only
  // one; the others hear along j. So, where the label has the dimension's bit, j is the first of its bits
  // after that.
  int level(int label, int dimension) const {
    const auto turned = static_cast<unsigned>(rotated_label(label, d - 1 - dimension, d));
    return (turned >> (d - 1)) != 0 ? d - 1 - std::countr_zero(turned) : d;
  }
  // Returns the tree whose level uses this dimension.
  int tree(int level, int dimension) const { return (dimension - level + d) % d; }

  // Returns how often segments start: 0 for one node.
  int batches() const { return d > 0 ? (segments + at_once - 1) / at_once : 0; }
  // Returns the number of those that start last, 1 .. at_once.
  int last_batch() const { return segments - (batches() - 1) * at_once; }
  // Two nodes have no level but the first.
  int rounds() const { return batches() + (d > 1 ? d : 0); }

  Schedule broadcast() const;
  bool peers(int round, Rank from, Rank to) const;
};

Schedule Esbt::broadcast() const {
  Schedule schedule(1 << d, segments);
  std::vector<Blocks> blocks;
  for (int segment = 0; segment < segments; ++segment) blocks.push_back(schedule.block(segment));
  for (int i = 0; i < rounds(); ++i) schedule.next_round();
  for (int label = 1; label < 1 << d; ++label)
    for (int dimension = 0; dimension < d; ++dimension) {
      const int from = label ^ 1 << dimension, steps = level(label, dimension);
      for (int segment = tree(steps, dimension); segment < segments; segment += d)
        schedule.round(segment / at_once + steps)
            .push_back({from ^ root, label ^ root, blocks[static_cast<std::size_t>(segment)]});
    }
  return schedule;
}

// Returns whether a link carries a segment in this round.
bool Esbt::peers(int round, Rank from, Rank to) const {
  const int label = to ^ root;
  if (label == 0 || !std::has_single_bit(static_cast<unsigned>(from ^ to))) return false;
  const int dimension = std::countr_zero(static_cast<unsigned>(from ^ to));
  const int steps = level(label, dimension), place = tree(steps, dimension);
  const int segment = (round - steps) * at_once + place % at_once;
  return segment >= 0 && segment < segments && segment % d == place;
}

template <Ports ports>
int rounds(const Parameters& parameters) {
  return Esbt(parameters, ports).rounds();
}
constexpr Count one_port_rounds{"[p > 1] k + [p > 2] log2 p", rounds<Ports::single>};
constexpr Count all_port_rounds{"[p > 1] ceil(k / d) + [p > 2] d, where d = max(log2 p, 1)",
                                rounds<Ports::all>};

template <Ports ports, const Count& rounds>
constexpr Algorithm down_row(const RowOverrides& own) {
  const RowOverrides trees{
      .build = [](const Parameters& parameters) { return Esbt(parameters, ports).broadcast(); },
      .transfers = "k (p - 1)",
      .peers = [](const Parameters& parameters, int round, Rank from,
                  Rank to) { return Esbt(parameters, ports).peers(round, from, to); },
      .ports = ports,
      .needs = power_of_two,
      .carriers = hypercube_family,
      .sweep_to = 256,
  };
  return derived(segment_row<rounds>(trees), own);
}

// Returns the segments that the busiest nodes of the rounds receive, all together. The gaps between the bits
// of a label, cyclic, make d together. In the tree of a bit with gap g before it a node hears on level d - g,
// in the trees of bits that it has not on level d. - Round d - g, g >= 1: d / g bits with gaps of g at the
// most; of one batch, as many as its trees have room for. - Then a round for every batch but the first, in
// which everybody hears in all trees, a node with all bits too. Only in the last one nobody hears in all, if
// the last batch leaves trees out. - The last round: level d of the last batch. Some bit is there.
int received(const Esbt& trees) {
  const int d = trees.d, last = trees.last_batch(), first = std::min(trees.segments, d);
  if (d == 0) return 0;
  int sum = (trees.batches() - 1) * d - (trees.batches() > 1 && last < d) + std::min(last, d - 1);
  for (int gap = 1; gap <= d; ++gap) sum += std::min((first + gap - 1) / gap, d / gap);
  return sum;
}

// Returns the most that a node sends in round t of the broadcast, batches <= t < d: the root has sent all,
// and nothing is on level d yet. The gaps between the bits of a label, cyclic, make d together. In the tree
// of a bit with gap g before it a node sends on the levels above d - g. In this round the levels t - batches
// + 1 .. t have a segment, the first of them, that of the last batch, only in the trees which that batch
// uses. So a bit is worth g - later, `batches` at the most, or one less in another tree. n bits are worth d -
// n later together at the most; and n (batches - 1) and one more for each that is in a used tree and `wide`
// from the one before. Gaps can be chosen that are worth the less of both.
int most_sent(const Esbt& trees, int t) {
  const int d = trees.d, batches = trees.batches(), later = d - t, wide = later + batches;
  const int in_used = (trees.last_batch() + wide - 1) / wide;
  int most = 0;
  for (int n = 1; n * later <= d; ++n)
    most = std::max(most, std::min(d - n * later, n * (batches - 1) + std::min(n, in_used)));
  return most;
}

// Returns the segments that the busiest nodes of the rounds combine, all together: from the last round back,
// what they send in the broadcast. The root uses all ports, but for the last batch: then a node with one bit
// may send more, which has all batches before that on its way, or one with all bits. When level d has begun,
// that one sends on it in all trees, in the end in those of the last batch.
int combined(const Parameters& parameters) {
  const Esbt trees(parameters, Ports::all);
  const int d = trees.d, batches = trees.batches(), last = trees.last_batch();
  if (d < 2) return batches;
  int sum = (batches - 1) * d + std::max(last, std::min(batches - 1, d));
  for (int t = batches; t < d; ++t) sum += most_sent(trees, t);
  return sum + (std::min(batches, d) - 1) * d + last;
}

constexpr Symbol all_port_symbols[] = {
    {"b", "the segments that the busiest nodes of the rounds combine, all together: at most d in a round",
     [](const Parameters& parameters) -> double { return combined(parameters); }}};

// Returns the cost of a segment in every round through one port, and of so many through all together.
Cost all_port_cost(const Parameters& parameters, int received_segments) {
  Cost cost = segment_in_each<all_port_rounds>(parameters);
  cost.received = double(received_segments) / parameters.segments;
  return cost;
}

}  // namespace esbt

namespace registered {

// In round t all nodes use dimension t mod d.
constexpr Algorithm broadcast_esbt = esbt::down_row<Ports::single, esbt::one_port_rounds>({
    .name = "broadcast_esbt",
    .best_segments = "sqrt([p > 2] log2(p) t_w m / t_s)",
    .best_for = "long messages on hypercubes, in many segments",
    .source = "Johnsson, Ho, 1989; Wikipedia, Broadcast (parallel pattern), ESBT",
});
constexpr Algorithm reduce_esbt = dual_row<broadcast_esbt>({
    .name = "reduce_esbt",
    .keeps_order = KeepsOrder::never,
});

// d segments start at once, one per tree; or end at once.
constexpr Algorithm broadcast_esbt_all_port = esbt::down_row<Ports::all, esbt::all_port_rounds>({
    .name = "broadcast_esbt_all_port",
    .cost =
        [](const Parameters& told) {
          return esbt::all_port_cost(told, esbt::received(esbt::Esbt(told, Ports::all)));
        },
    .best_for = "long messages, in many segments, on hypercubes whose links work at the same time",
    .source = "Johnsson, Ho, 1989, edge-disjoint spanning binomial trees",
});
constexpr Algorithm reduce_esbt_all_port = dual_row<broadcast_esbt_all_port>({
    .name = "reduce_esbt_all_port",
    .cost = [](const Parameters& told) { return combining(esbt::all_port_cost(told, esbt::combined(told))); },
    .time = "([p > 1] ceil(k / d) + [p > 2] d) (t_s + t_w m / k) + t_op m b / k, where d = max(log2 p, 1)",
    .symbols = esbt::all_port_symbols,
    .keeps_order = KeepsOrder::never,
});

}  // namespace registered
}  // namespace vnode
