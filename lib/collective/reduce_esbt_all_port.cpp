// reduce_esbt_all_port: log2 p edge-disjoint spanning binomial trees at the same time, through all ports.
//   rounds     [p > 1] ceil(k / d) + [p > 2] d, where d = max(log2 p, 1)
//   transfers  k (p - 1)
//   time       ([p > 1] ceil(k / d) + [p > 2] d) (t_s + t_w m / k) + t_op m b / k, where d = max(log2 p, 1)
//   needs      power_of_two
//   ports      all
//   best for   long messages, in many segments, on hypercubes whose links work at the same time
//   source     dual of broadcast_esbt_all_port
//   picture    p = 4, root 0, segments 2: 1: 1+>3[1] 2+>3[0]; 2: 3+>2[1] 3>+1[0]; 3: 1>+0[0] 2>+0[1]
// k segments, of which d end at once, one per tree. b: the segments that the busiest nodes of the rounds
// combine, all together: at most d in a round.
#include <algorithm>

#include "collective/composition.hpp"
#include "collective/esbt.hpp"
#include "collective/row.hpp"

namespace vnode {

namespace {

// The most that a node sends in round t of the broadcast, batches <= t < d: the root has sent all, and
// nothing is on level d yet. The gaps between the bits of a label, cyclic, make d together. In the tree of a
// bit with gap g before it a node sends on the levels above d - g. In this round the levels t - batches + 1
// .. t have a segment, the first of them, that of the last batch, only in the trees which that batch uses. So
// a bit is worth g - later, `batches` at the most, or one less in another tree. n bits are worth d - n later
// together at the most; and n (batches - 1) and one more for each that is in a used tree and `wide` from the
// one before. Gaps can be chosen that are worth the less of both.
int most_sent(const Esbt& trees, int t) {
  const int d = trees.d, batches = trees.batches(), later = d - t, wide = later + batches;
  const int in_used = (trees.last_batch() + wide - 1) / wide;
  int most = 0;
  for (int n = 1; n * later <= d; ++n)
    most = std::max(most, std::min(d - n * later, n * (batches - 1) + std::min(n, in_used)));
  return most;
}

// The segments that the busiest nodes of the rounds combine, all together; from the last round back, what
// they send in the broadcast. The root uses all ports, but for the last batch: then a node with one bit may
// send more, which has all batches before that on its way, or one with all bits. When level d has begun, that
// one sends on it in all trees, in the end in those of the last batch.
int combined(const Parameters& parameters) {
  const Esbt trees(parameters, Ports::all);
  const int d = trees.d, batches = trees.batches(), last = trees.last_batch();
  if (d < 2) return batches;
  int sum = (batches - 1) * d + std::max(last, std::min(batches - 1, d));
  for (int t = batches; t < d; ++t) sum += most_sent(trees, t);
  return sum + (std::min(batches, d) - 1) * d + last;
}

constexpr Symbol symbols[] = {
    {"b", "the segments that the busiest nodes of the rounds combine, all together: at most d in a round",
     [](const Parameters& parameters) -> double { return combined(parameters); }}};

struct Promised : Dual<registered::broadcast_esbt_all_port> {
  static Cost cost(const Parameters& parameters) {
    Cost cost = registered::broadcast_esbt_all_port.cost(parameters);
    cost.received = double(combined(parameters)) / parameters.segments;
    return combining(cost);
  }
};

}  // namespace

namespace registered {

extern constinit const Algorithm reduce_esbt_all_port = row_of<Promised>({
    .name = "reduce_esbt_all_port",
    .collective = Collective::reduce,
    .rounds = "[p > 1] ceil(k / d) + [p > 2] d, where d = max(log2 p, 1)",
    .transfers = "k (p - 1)",
    .time = "([p > 1] ceil(k / d) + [p > 2] d) (t_s + t_w m / k) + t_op m b / k, where d = max(log2 p, 1)",
    .symbols = symbols,
    .ports = Ports::all,
    .needs = power_of_two,
    .segments = true,
    .keeps_order = KeepsOrder::never,
    .carriers = hypercube_family,
    .sweep_to = 256,
    .best_for = "long messages, in many segments, on hypercubes whose links work at the same time",
    .source = "dual of broadcast_esbt_all_port",
});

}  // namespace registered
}  // namespace vnode
