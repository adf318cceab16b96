// This is a user's experiment: an algorithm of the registry simulated and run, and an error of the
// laboratory's that crosses its border.
#include <iostream>

#include <vnode/lab/simulate.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/vnode.hpp>

int main() {
  const vnode::Topology topology(vnode::shapes::hypercube{}, 8);
  const vnode::Schedule schedule = vnode::algorithm("broadcast_binomial").build({.nodes = 8, .root = 5});
  const auto simulated = [&](const vnode::Topology& on) {
    return vnode::simulate(schedule, {.bytes = 4096, .message_blocks = schedule.blocks()}, on,
                           {.costs = vnode::Hockney{1e-6, 1e-9}});
  };
  bool right = simulated(topology).messages == 7;
  const vnode::OwnSchedule own(schedule);
  vnode::Team team{8, vnode::shapes::hypercube{}};
  team.run([&](vnode::Node& me) {
    int x = me.rank();
    me.broadcast(x, 5, {.schedule = &own});
    if (x != 5) right = false;
  });
  try {
    simulated({vnode::shapes::hypercube{}, 4});
    right = false;
  } catch (const vnode::UsageError& error) {
    std::cout << error.what() << '\n';
  }
  std::cout << (right ? "right\n" : "wrong\n");
  return right ? 0 : 1;
}
