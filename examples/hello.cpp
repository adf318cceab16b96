#include <cstdio>
#include <vector>

#include <vnode/vnode.hpp>

int main() {
  vnode::Team team{8, vnode::shapes::hypercube{}};
  team.run([](vnode::Node& me) {
    std::vector<double> x(1 << 20, me.rank());
    me.broadcast(x, 3);           // everybody has node 3's x
    me.reduce(x, std::plus<>{});  // node 0 has the sum of all
    if (me.rank() == 0) std::printf("hello from %d nodes: 3 from each makes %g\n", me.size(), x[0]);
  });
}
