// This is a user's program: what the README promises, and an error of the library's that crosses its border.
#include <functional>
#include <iostream>
#include <vector>

#include <vnode/vnode.hpp>

int main() {
  vnode::Team team{4, vnode::shapes::hypercube{}};
  bool right = true;
  team.run([&](vnode::Node& me) {
    std::vector<int> x(1000, me.rank());
    me.broadcast(x, 3);
    me.reduce(x, std::plus<>{});
    if (me.rank() == 0) right = x == std::vector<int>(1000, 12);
  });
  try {
    vnode::Team impossible{6, vnode::shapes::hypercube{}};
    right = false;
  } catch (const vnode::UsageError& error) {
    std::cout << error.what() << '\n';
  }
  std::cout << "vnode " << vnode::version() << (right ? ": right\n" : ": wrong\n");
  return right ? 0 : 1;
}
