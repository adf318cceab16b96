// broadcast_binomial: a binomial tree over ranks relative to the root, for any p; distances halve.
//   rounds     ceil(log2 p)
//   transfers  p - 1
//   time       (t_s + t_w m) ceil(log2 p)
//   needs      nothing
//   ports      single
//   best for   short messages, any number of nodes
//   source     Wikipedia, Broadcast (parallel pattern), binomial tree; rotated to any root
//   picture    p = 6, root 5: 1: 5>3; 2: 5>1; 3: 5>0 1>2 3>4
// All messages of a round run the same way in disjoint intervals of the ring, and at most one wraps.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule broadcast_binomial(const Parameters& parameters) {
  const int p = parameters.nodes;
  const auto rank = [&](int relative) { return (relative + parameters.root) % p; };
  Schedule schedule(p, 1);
  for (int distance = top_distance(p); distance >= 1; distance /= 2) {
    Round& round = schedule.next_round();
    for (int holder = 0; holder + distance < p; holder += 2 * distance)
      round.push_back({rank(holder), rank(holder + distance), whole});
  }
  return schedule;
}

namespace registered {

constinit const Algorithm broadcast_binomial{
    .name = "broadcast_binomial",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_binomial,
    .cost = message_in_each<one_per_doubling>,
    .rounds = one_per_doubling,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) ceil(log2 p)",
    .peers =
        [](const Parameters& parameters, int round, Rank from, Rank to) {
          return cyclic_distance(from, to, parameters.nodes) == top_distance(parameters.nodes) >> round;
        },
    .carriers = every_family_but_torus,
    .best_for = "short messages, any number of nodes",
    .source = "Wikipedia, Broadcast (parallel pattern), binomial tree; rotated to any root",
};

}  // namespace registered
}  // namespace vnode
