#include <vnode/vnode.hpp>
#include <cstdio>
int main() {
  bool ok = true;
  vnode::Team team{3};
  team.run([&](vnode::Node& me) {
    std::vector<float> x(1 << 18, 1.0f), y(1 << 10, float(me.rank()));
    vnode::Request a = me.nonblocking().all_reduce(x, std::plus<>{});
    vnode::Request b = me.nonblocking().broadcast(y, 2);
    double work = 0; for (int i = 0; i < 100000; ++i) { work += i * 1e-9; if (i % 10000 == 0) a.test(); }
    b.wait(); a.wait();
    if (x[77] != 3.0f || y[5] != 2.0f || work < 0) ok = false;
  });
  std::puts(ok ? "overlap right" : "wrong"); return !ok;
}
