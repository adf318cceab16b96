#include <vnode/vnode.hpp>
#include <complex>
#include <cstdio>
int main() {
  const int p = 4, n = 16, rows = n / p;
  bool ok = true;
  vnode::Team team{p};
  team.run([&](vnode::Node& me) {
    std::vector<std::complex<double>> a(rows * n), b(rows * n), t(rows * n);
    for (int i = 0; i < rows; ++i) for (int j = 0; j < n; ++j) a[i * n + j] = {double(me.rank() * rows + i), double(j)};
    for (int q = 0; q < p; ++q) for (int i = 0; i < rows; ++i) for (int j = 0; j < rows; ++j) b[(q * rows + j) * rows + i] = a[i * n + q * rows + j];
    me.all_to_all(b, t);
    for (int q = 0; q < p; ++q) for (int j = 0; j < rows; ++j) for (int i = 0; i < rows; ++i) if (t[(q * rows + j) * rows + i] != std::complex<double>(q * rows + i, me.rank() * rows + j)) ok = false;
    std::complex<double> s = me.all_reduce(a[0], std::plus<>{});
    if (s != std::complex<double>(rows * (0 + 1 + 2 + 3), 0)) ok = false;
  });
  std::puts(ok ? "transpose right" : "wrong"); return !ok;
}
