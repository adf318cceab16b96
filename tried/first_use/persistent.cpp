#include <vnode/vnode.hpp>
#include <cstdio>
int main() {
  bool ok = true;
  vnode::Team team{4, vnode::ring{}};
  team.run([&](vnode::Node& me) {
    std::vector<double> out(100), in(100);
    vnode::Persistent halo = me.persistent().circular_shift(out, in, 1);
    for (int step = 0; step < 1000; ++step) {
      std::fill(out.begin(), out.end(), step * 10 + me.rank());
      halo.start();
      halo.wait();
      if (in[99] != step * 10 + (me.rank() + 3) % 4) ok = false;
    }
  });
  std::puts(ok ? "persistent right" : "wrong"); return !ok;
}
