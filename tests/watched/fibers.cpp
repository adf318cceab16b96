// This program is watched: its nodes are fibers. They add up, one of them fails, and then all but one wait
// for that one.
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

extern "C" {
[[gnu::noinline]] void all_others_wait(vnode::Node& me) {
  int x = me.rank();
  me.broadcast(x, 5);
}
[[gnu::noinline]] void waits_for_node_5(vnode::Node& me) {
  int x = 0;
  me.broadcast(x, 5);
  if (x != 5) throw std::runtime_error("wrong");
}
}

namespace {

void wait_for_one(vnode::Node& me) {
  if (me.rank() != 5) return waits_for_node_5(me);
  for (int i = 0; i < 100; ++i) me.yield();
  all_others_wait(me);
}

}  // namespace

int main() {
  vnode::TeamOptions options;
  options.costs = vnode::CostModel{};
  options.nodes = vnode::Nodes::fibers;
  const int p = 8 * static_cast<int>(std::thread::hardware_concurrency());
  std::vector<int> right(static_cast<std::size_t>(p));
  const auto add_up = [&](vnode::Node& me) {
    std::vector<double> x(3000, me.rank() + 1.0);
    me.all_reduce(x, std::plus<>{});
    me.barrier();
    right[static_cast<std::size_t>(me.rank())] = x == std::vector<double>(3000, p * (p + 1) / 2.0) ? 1 : 0;
  };
  vnode::Team team{p, options};
  team.run(add_up);
  try {
    team.run([](vnode::Node& me) {
      if (me.rank() == 3) throw std::runtime_error("no input");
      me.barrier();
    });
    return 1;
  } catch (const std::runtime_error&) {
  }
  team.run(add_up);
  team.run(wait_for_one);
  int all = 0;
  for (const int one : right) all += one;
  std::puts(all == p ? "right" : "wrong");
  return all == p ? 0 : 1;
}
