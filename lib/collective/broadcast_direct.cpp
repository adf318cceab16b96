// broadcast_direct: the root offers the message to all at once; every other node fetches it.
//   rounds     min(p - 1, 1)
//   transfers  p - 1
//   time       (t_s + t_w m) min(p - 1, 1)
//   needs      nothing
//   ports      all
//   best for   shared memory: one board that all read
//   source     single-copy broadcast of shared-memory libraries
//   picture    p = 8, root 0: 1: 0>1 0>2 0>3 0>4 0>5 0>6 0>7
// The time holds as long as the root's memory feeds all readers.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule broadcast_direct(const Parameters& parameters) {
  Schedule schedule(parameters.nodes, 1);
  if (parameters.nodes == 1) return schedule;
  Round& round = schedule.next_round();
  for (Rank to = 0; to < parameters.nodes; ++to)
    if (to != parameters.root) round.push_back({parameters.root, to, whole});
  return schedule;
}

namespace registered {

constinit const Algorithm broadcast_direct{
    .name = "broadcast_direct",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_direct,
    .cost = message_in_each<one_unless_alone>,
    .rounds = one_unless_alone,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) min(p - 1, 1)",
    .peers = [](const Parameters& parameters, int, Rank from, Rank) { return from == parameters.root; },
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory: one board that all read",
    .source = "single-copy broadcast of shared-memory libraries",
};

}  // namespace registered
}  // namespace vnode
