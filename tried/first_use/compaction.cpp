#include <vnode/vnode.hpp>
#include <cstdio>
int main() {
  const int p = 4; const std::size_t m = 1000;
  std::vector<long> out(p * m); std::size_t kept = 0;
  vnode::Team team{p};
  team.run([&](vnode::Node& me) {
    std::vector<long> mine;
    for (std::size_t i = 0; i < m; ++i) { long v = long(me.rank() * m + i); if (v % 3 == 0) mine.push_back(v); }
    std::size_t before = me.exclusive_scan(mine.size(), std::plus<>{});
    std::size_t total = me.all_reduce(mine.size(), std::plus<>{});
    std::copy(mine.begin(), mine.end(), out.begin() + long(before));
    if (me.rank() == 0) kept = total;
  });
  bool ok = kept == (p * m + 2) / 3; for (std::size_t i = 0; i < kept; ++i) ok = ok && out[i] == long(3 * i);
  std::puts(ok ? "compaction right" : "wrong"); return !ok;
}
