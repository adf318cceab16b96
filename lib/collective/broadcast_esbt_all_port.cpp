// broadcast_esbt_all_port: log2 p edge-disjoint spanning binomial trees at the same time, through all ports.
//   rounds     [p > 1] ceil(k / d) + [p > 2] d, where d = max(log2 p, 1)
//   transfers  k (p - 1)
//   time       ([p > 1] ceil(k / d) + [p > 2] d) (t_s + t_w m / k), where d = max(log2 p, 1)
//   needs      power_of_two
//   ports      all
//   best for   long messages, in many segments, on hypercubes whose links work at the same time
//   source     Johnsson, Ho, 1989, edge-disjoint spanning binomial trees
//   picture    p = 4, root 0, segments 2: 1: 0>1[0] 0>2[1]; 2: 2>3[1] 1>3[0]; 3: 3>1[1] 3>2[0]
// k segments, of which d start at once, one per tree.
#include <algorithm>

#include "collective/esbt.hpp"
#include "collective/row.hpp"

namespace vnode {

namespace {

// The segments that the busiest nodes of the rounds receive, all together. The gaps between the bits of a
// label, cyclic, make d together. In the tree of a bit with gap g before it a node hears on level d - g, in
// the trees of bits that it has not on level d.
// - Round d - g, g >= 1: d / g bits with gaps of g at the most; of one batch, as many as its trees have room
//   for.
// - Then a round for every batch but the first, in which everybody hears in all trees, a node with all bits
//   too. Only in the last one nobody hears in all, if the last batch leaves trees out.
// - The last round: level d of the last batch. Some bit is there.
int received(const Esbt& trees) {
  const int d = trees.d, last = trees.last_batch(), first = std::min(trees.segments, d);
  if (d == 0) return 0;
  int sum = (trees.batches() - 1) * d - (trees.batches() > 1 && last < d) + std::min(last, d - 1);
  for (int gap = 1; gap <= d; ++gap) sum += std::min((first + gap - 1) / gap, d / gap);
  return sum;
}

struct Promised : EsbtBroadcast<Ports::all> {
  static Cost cost(const Parameters& parameters) {
    Cost cost = EsbtBroadcast::cost(parameters);
    cost.received = double(received(Esbt(parameters, Ports::all))) / parameters.segments;
    return cost;
  }
};

}  // namespace

namespace registered {

constinit const Algorithm broadcast_esbt_all_port = row_of<Promised>({
    .name = "broadcast_esbt_all_port",
    .collective = Collective::broadcast,
    .rounds = "[p > 1] ceil(k / d) + [p > 2] d, where d = max(log2 p, 1)",
    .transfers = "k (p - 1)",
    .time = "([p > 1] ceil(k / d) + [p > 2] d) (t_s + t_w m / k), where d = max(log2 p, 1)",
    .ports = Ports::all,
    .needs = power_of_two,
    .segments = true,
    .carriers = hypercube_family,
    .sweep_to = 256,
    .best_for = "long messages, in many segments, on hypercubes whose links work at the same time",
    .source = "Johnsson, Ho, 1989, edge-disjoint spanning binomial trees",
});

}  // namespace registered
}  // namespace vnode
