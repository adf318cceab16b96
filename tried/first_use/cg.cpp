#include <vnode/vnode.hpp>
#include <cmath>
#include <cstdio>
// CG on the 1-D Laplacian, scalars by all_reduce
int main() {
  const int p = 3; const std::size_t n = 300, m = n / p;
  double error = 1;
  vnode::Team team{p, vnode::ring{}};
  team.run([&](vnode::Node& me) {
    std::vector<double> x(m), r(m, 1.0), d = r, q(m);
    auto dot = [&](const std::vector<double>& a, const std::vector<double>& b) { double s = 0; for (std::size_t i = 0; i < m; ++i) s += a[i] * b[i]; return me.all_reduce(s, std::plus<>{}); };
    double rho = dot(r, r);
    for (int it = 0; it < 400 && rho > 1e-20; ++it) {
      double left = 0, right = 0, first = d.front(), last = d.back();
      if (me.rank() + 1 < me.size()) me.send(last, me.rank() + 1);
      if (me.rank() > 0) { me.recv(left, me.rank() - 1); me.send(first, me.rank() - 1); }
      if (me.rank() + 1 < me.size()) me.recv(right, me.rank() + 1);
      for (std::size_t i = 0; i < m; ++i) q[i] = 2 * d[i] - (i ? d[i - 1] : left) - (i + 1 < m ? d[i + 1] : right);
      const double alpha = rho / dot(d, q);
      for (std::size_t i = 0; i < m; ++i) { x[i] += alpha * d[i]; r[i] -= alpha * q[i]; }
      const double next = dot(r, r), beta = next / rho;
      rho = next;
      for (std::size_t i = 0; i < m; ++i) d[i] = r[i] + beta * d[i];
    }
    double worst = 0;
    for (std::size_t i = 0; i < m; ++i) { double g = double(me.rank() * m + i + 1); worst = std::max(worst, std::abs(x[i] - g * (double(n) + 1 - g) / 2)); }
    worst = me.all_reduce(worst, vnode::maximum{});
    if (me.rank() == 0) error = worst;
  });
  std::printf("cg %s %g\n", error < 1e-6 ? "right" : "wrong", error);
  return error >= 1e-6;
}
