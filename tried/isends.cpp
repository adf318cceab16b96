#include <vnode/vnode.hpp>
#include <cstdio>
#include <cstdlib>
#include <chrono>
#include <unistd.h>
// isends P N REVERSE LEN: N isends to every peer, then a barrier and an all_reduce, then receives (reverse: in reverse order of tags)
int main(int c, char** v) {
  int p = atoi(v[1]); int n = atoi(v[2]); bool reverse = c > 3 && atoi(v[3]); std::size_t len = c > 4 ? atoi(v[4]) : 1; bool tags = c > 5 && atoi(v[5]);
  alarm(60);
  vnode::Team team{p};
  auto t0 = std::chrono::steady_clock::now();
  bool ok = true;
  team.run([&](vnode::Node& me) {
    std::vector<std::vector<int>> data(p, std::vector<int>(n * len));
    std::vector<vnode::Request> sends; sends.reserve(n * p);
    for (int q = 0; q < p; ++q) if (q != me.rank())
      for (int i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < len; ++k) data[q][i * len + k] = me.rank() * 1000003 + q * 1009 + i;
        sends.push_back(me.isend(std::span(data[q]).subspan(i * len, len), q, tags ? i : 0));
      }
    me.barrier();
    std::vector<int> s{me.rank() + 1};
    me.all_reduce(s, std::plus<>{});
    if (s[0] != p * (p + 1) / 2) ok = false;
    std::vector<int> got(len);
    for (int qq = 0; qq < p; ++qq) { int q = reverse ? p - 1 - qq : qq; if (q != me.rank())
      for (int j = 0; j < n; ++j) {
        int i = (reverse && tags) ? n - 1 - j : j;
        me.recv(got, q, tags ? i : 0);
        for (std::size_t k = 0; k < len; ++k) if (got[k] != q * 1000003 + me.rank() * 1009 + i) ok = false;
      } }
    vnode::wait_all(sends);
  });
  double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
  std::printf("isends p=%d n=%d reverse=%d len=%zu tags=%d: %s %.0f ms\n", p, n, reverse, len, tags, ok ? "right" : "WRONG", ms);
  return !ok;
}
