// broadcast_linear: the root sends to every other node in turn.
//   rounds     p - 1
//   transfers  p - 1
//   time       (t_s + t_w m) (p - 1)
//   needs      nothing
//   ports      single
//   best for   two nodes, and as the measure of all others
//   source     Grama et al. 4.1, the naive way
//   picture    p = 6, root 2: 1: 2>5; 2: 2>4; 3: 2>3; 4: 2>0; 5: 2>1
// Down from the top, then up from 0: backwards, as a reduction, the ranks heard always touch the root's.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule broadcast_linear(const Parameters& parameters) {
  const auto [p, root] = std::pair(parameters.nodes, parameters.root);
  Schedule schedule(p, 1);
  for (Rank to = p - 1; to > root; --to) schedule.next_round().push_back({root, to, whole});
  for (Rank to = 0; to < root; ++to) schedule.next_round().push_back({root, to, whole});
  return schedule;
}

namespace registered {

constinit const Algorithm broadcast_linear{
    .name = "broadcast_linear",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_linear,
    .cost = message_in_each<one_per_other_node>,
    .rounds = one_per_other_node,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) (p - 1)",
    .peers =
        [](const Parameters& parameters, int round, Rank from, Rank to) {
          const int above = parameters.nodes - 1 - parameters.root;
          return from == parameters.root &&
                 to == (round < above ? parameters.nodes - 1 - round : round - above);
        },
    .carriers = every_family,
    .best_for = "two nodes, and as the measure of all others",
    .source = "Grama et al. 4.1, the naive way",
};

}  // namespace registered
}  // namespace vnode
