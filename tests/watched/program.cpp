// This program is watched: it has teams that are run, joined and aborted.
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

namespace {

bool adds_up(vnode::Node& me) {
  const int p = me.size();
  std::vector<double> x(3000, me.rank() + 1.0);
  me.all_reduce(x, std::plus<>{});
  vnode::Request gone = me.nonblocking().circular_shift(x, 1);
  gone.wait();
  me.barrier();
  return x == std::vector<double>(3000, p * (p + 1) / 2.0);
}

}  // namespace

int main() {
  bool right[4]{};
  vnode::TeamOptions options;
  options.costs = vnode::CostModel{};
  {
    vnode::Team team{4, options};
    for (int run = 0; run < 3; ++run) team.run([&](vnode::Node& me) { right[me.rank()] = adds_up(me); });
    try {
      team.run([](vnode::Node& me) {
        if (me.rank() == 3) throw std::runtime_error("no input");
        me.barrier();
      });
      return 1;
    } catch (const std::runtime_error&) {
    }
    team.run([&](vnode::Node& me) { right[me.rank()] = right[me.rank()] && adds_up(me); });
  }
  {
    options.threads = vnode::Threads::callers;
    vnode::Team team{2, options};
    std::vector<std::thread> threads;
    for (int rank = 0; rank < 2; ++rank)
      threads.emplace_back([&, rank] {
        for (int time = 0; time < 3; ++time) {
          vnode::Membership me = team.join(rank);
          right[rank] = right[rank] && adds_up(*me);
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
  const bool all = right[0] && right[1] && right[2] && right[3];
  std::puts(all ? "right" : "wrong");
  return all ? 0 : 1;
}
