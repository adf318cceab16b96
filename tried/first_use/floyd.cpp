#include <vnode/vnode.hpp>
#include <algorithm>
#include <cstdio>
int main() {
  const int q = 2, n = 24, b = n / q;
  auto weight = [](int i, int j) { return i == j ? 0 : (i * 7 + j * 13) % 29 + 1 + ((i + j) % 3 ? 100 : 0); };
  std::vector<int> d(n * n), got(n * n);
  for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) d[i * n + j] = weight(i, j);
  vnode::Team team{q * q, vnode::mesh{q, q}};
  team.run([&](vnode::Node& me) {
    vnode::Group row = me.split(vnode::along{1}), column = me.split(vnode::along{0});
    const int r = column.rank(), c = row.rank();
    std::vector<int> mine(b * b), across(b), down(b);
    for (int i = 0; i < b; ++i) for (int j = 0; j < b; ++j) mine[i * b + j] = weight(r * b + i, c * b + j);
    for (int k = 0; k < n; ++k) {
      if (r == k / b) for (int j = 0; j < b; ++j) down[j] = mine[(k % b) * b + j];
      if (c == k / b) for (int i = 0; i < b; ++i) across[i] = mine[i * b + k % b];
      column.broadcast(down, k / b);
      row.broadcast(across, k / b);
      for (int i = 0; i < b; ++i) for (int j = 0; j < b; ++j) mine[i * b + j] = std::min(mine[i * b + j], across[i] + down[j]);
    }
    for (int i = 0; i < b; ++i) for (int j = 0; j < b; ++j) got[(r * b + i) * n + c * b + j] = mine[i * b + j];
  });
  for (int k = 0; k < n; ++k) for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
  std::puts(d == got ? "floyd right" : "wrong"); return d != got;
}
