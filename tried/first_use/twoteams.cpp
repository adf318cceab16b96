#include <vnode/vnode.hpp>
#include <cstdio>
#include <thread>
int main() {
  std::atomic<int> ok{0};
  auto work = [&](int p) { vnode::Team team{p}; for (int i = 0; i < 100; ++i) team.run([&](vnode::Node& me) { std::vector<long> x(1000, me.rank()); me.all_reduce(x, std::plus<>{}); if (x[999] == p * (p - 1) / 2) ++ok; }); };
  std::thread a(work, 2), b(work, 3); a.join(); b.join();
  std::puts(ok == 500 ? "twoteams right" : "wrong"); return ok != 500;
}
