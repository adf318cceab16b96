#include <vnode/vnode.hpp>
#include <cstdio>
#include <cstdlib>
#include <chrono>
#include <unistd.h>
// twogroups P K LEN
int main(int c, char** v) {
  int p = atoi(v[1]); int k = atoi(v[2]); std::size_t len = c > 3 ? atoi(v[3]) : 1; int mix = c > 4 ? atoi(v[4]) : 0;
  alarm(60);
  vnode::Team team{p};
  bool ok = true;
  auto t0 = std::chrono::steady_clock::now();
  team.run([&](vnode::Node& me) {
    vnode::Group a = me.split(0), b = me.split(0, me.rank() == 1 ? -1 : 0);
    std::vector<std::vector<int>> x(k, std::vector<int>(len)), y(k, std::vector<int>(len));
    std::vector<vnode::Request> rs;
    auto ga = [&] { for (int i = 0; i < k; ++i) { if (a.rank() == i * mix % p) std::fill(x[i].begin(), x[i].end(), i); rs.push_back(a.nonblocking().broadcast(x[i], i * mix % p)); } };
    auto gb = [&] { for (int i = 0; i < k; ++i) { if (b.rank() == i * mix % p) std::fill(y[i].begin(), y[i].end(), i + 7); rs.push_back(b.nonblocking().broadcast(y[i], i * mix % p)); } };
    if (me.rank() % 2 == 0) ga(); else gb();
    me.barrier();
    if (me.rank() % 2 == 0) gb(); else ga();
    vnode::wait_all(rs);
    for (int i = 0; i < k; ++i) for (std::size_t j = 0; j < len; ++j) if (x[i][j] != i || y[i][j] != i + 7) ok = false;
  });
  double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
  std::printf("twogroups p=%d k=%d len=%zu: %s %.0f ms\n", p, k, len, ok ? "right" : "WRONG", ms);
  return !ok;
}
