// Conjugate gradients for a one-dimensional Poisson equation whose points are divided among the nodes of all
// machines: a halo of one point to either neighbour, and two inner products in each step.
//
//     mpirun --bind-to none -n 2 cluster_conjugate_gradient
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <vnode/cluster.hpp>

namespace {

constexpr std::size_t points = 200;  // of a node

/// y = A x, A the matrix of -1 2 -1; x has a point of each neighbour at its ends.
void apply(vnode::Node& me, std::vector<double>& x, std::vector<double>& y) {
  const int left = me.rank() > 0 ? me.rank() - 1 : vnode::no_rank;
  const int right = me.rank() + 1 < me.size() ? me.rank() + 1 : vnode::no_rank;
  x.front() = x.back() = 0;
  me.sendrecv(x[1], left, x[points + 1], right);
  me.sendrecv(x[points], right, x[0], left);
  for (std::size_t i = 1; i <= points; ++i) y[i] = 2 * x[i] - x[i - 1] - x[i + 1];
}

double inner(vnode::Node& me, const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 1; i <= points; ++i) sum += a[i] * b[i];
  return me.all_reduce(sum, std::plus<>{});
}

/// Returns the steps taken; x is 0 at first.
int solve(vnode::Node& me, const std::vector<double>& b, std::vector<double>& x) {
  std::vector<double> r = b, p = b, q(b.size());
  double rr = inner(me, r, r);
  const double enough = 1e-20 * rr;
  int steps = 0;
  for (; rr > enough && steps < 10 * me.size() * static_cast<int>(points); ++steps) {
    apply(me, p, q);
    const double alpha = rr / inner(me, p, q);
    for (std::size_t i = 1; i <= points; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double next = inner(me, r, r);
    for (std::size_t i = 1; i <= points; ++i) p[i] = r[i] + next / rr * p[i];
    rr = next;
  }
  return steps;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, result = EXIT_SUCCESS;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  {
    vnode::Cluster cluster{MPI_COMM_WORLD, 2};
    cluster.run([&](vnode::Node& me) {
      // b = 1, so that x(i) = i (n + 1 - i) / 2, where points are counted from 1 to n.
      std::vector<double> b(points + 2, 1.0), x(points + 2, 0.0);
      b.front() = b.back() = 0;
      const int steps = solve(me, b, x);
      const auto n = static_cast<double>(points) * me.size();
      double worst = 0;
      for (std::size_t i = 1; i <= points; ++i) {
        const double at = static_cast<double>(points) * me.rank() + static_cast<double>(i);
        worst = std::fmax(worst, std::fabs(x[i] - at * (n + 1 - at) / 2));
      }
      worst = me.all_reduce(worst, vnode::maximum{});
      if (me.rank() != 0) return;
      const bool good = worst < 1e-6 * n * n;
      std::printf("%d nodes on %d machines: %d steps, largest error %.1e%s\n", me.size(), cluster.machines(),
                  steps, worst, good ? "" : ", which is too much");
      if (!good) result = EXIT_FAILURE;
    });
  }
  MPI_Finalize();
  return result;
}
