#include <vnode/vnode.hpp>
#include <cstdio>
#include <stdexcept>
int main() {
  vnode::Team team{4};
  int caught = 0;
  for (int i = 0; i < 50; ++i) {
    try { team.run([&](vnode::Node& me) { if (me.rank() == i % 4) throw std::runtime_error("disk is gone"); me.barrier(); }); }
    catch (const std::runtime_error& e) { if (std::string(e.what()) == "disk is gone") ++caught; }
    team.run([](vnode::Node& me) { me.barrier(); });
  }
  bool usage = false;
  team.run([&](vnode::Node& me) { std::vector<int> x(3); try { me.broadcast(x, 9); } catch (const vnode::UsageError&) { if (me.rank() == 0) usage = true; } me.barrier(); });
  bool ok = caught == 50 && usage;
  std::puts(ok ? "exceptions right" : "wrong"); return !ok;
}
