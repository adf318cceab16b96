#include <vnode/vnode.hpp>
#include <cstdio>
#include <utility>
struct Particle { double x, y, z; int id; };
struct Best { double value; int where; };
int main() {
  bool ok = true;
  vnode::Team team{5};
  team.run([&](vnode::Node& me) {
    std::vector<Particle> mine(3, Particle{1.0 * me.rank(), 2, 3, me.rank()}), all(15);
    me.all_gather(mine, all);
    for (int i = 0; i < 15; ++i) if (all[i].id != i / 3) ok = false;
    Best best{double((me.rank() * 3) % 5), me.rank()};
    best = me.all_reduce(best, [](Best a, Best b) { return b.value > a.value ? b : a; });
    if (best.where != 3) ok = false;
    std::pair<double, int> pr{double((me.rank() * 3) % 5), me.rank()};
    pr = me.all_reduce(pr, [](auto a, auto b) { return std::max(a, b); });
    if (pr.second != 3) ok = false;
  });
  std::puts(ok ? "structs right" : "wrong"); return !ok;
}
