#include <vnode/vnode.hpp>
#include <cmath>
#include <cstdio>
// tensor-parallel MLP: y = W2 relu(W1 x), W1 by rows, W2 by columns
int main() {
  const int p = 4, in = 64, hidden = 128, out = 32;
  auto w1 = [](int i, int j) { return std::sin(i * 0.37 + j * 0.11); };
  auto w2 = [](int i, int j) { return std::cos(i * 0.21 - j * 0.05); };
  std::vector<double> x(in), expected(out), y(out);
  for (int j = 0; j < in; ++j) x[j] = j % 7 - 3;
  for (int i = 0; i < hidden; ++i) { double h = 0; for (int j = 0; j < in; ++j) h += w1(i, j) * x[j]; h = std::max(h, 0.0); for (int o = 0; o < out; ++o) expected[o] += w2(o, i) * h; }
  vnode::Team team{p};
  team.run([&](vnode::Node& me) {
    std::vector<double> mine(out, 0.0);
    const int per = hidden / me.size();
    for (int i = me.rank() * per; i < (me.rank() + 1) * per; ++i) { double h = 0; for (int j = 0; j < in; ++j) h += w1(i, j) * x[j]; h = std::max(h, 0.0); for (int o = 0; o < out; ++o) mine[o] += w2(o, i) * h; }
    me.all_reduce(mine, std::plus<>{});
    if (me.rank() == 0) y = mine;
  });
  for (int o = 0; o < out; ++o) if (std::abs(y[o] - expected[o]) > 1e-9) { std::puts("wrong"); return 1; }
  std::puts("mlp right");
}
