// A u = b by conjugate gradients, A the Laplace operator on a square of SIZE x SIZE points, in a program of
// OpenMP: its threads, which fill b and check the answer by worksharing, join a team to solve. Each has a
// block of rows, and in each step
//   1. gets from its neighbours the rows beside its own: two messages each way
//   2. applies the operator
//   3. all_reduce adds up the threads' parts of two scalar products
// There is no sum but these that all wait for, and all threads get the same bits, so that they stop together.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <functional>
#include <omp.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

constexpr double wanted = 1e-8;  // of the residual, by b's norm

// Rows of the grid with one more on either side, which neighbours fill; 0 outside.
class Rows {
 public:
  Rows(std::size_t rows, std::size_t n) : n_(n), values_((rows + 2) * n) {}
  std::size_t count() const { return values_.size() / n_ - 2; }
  std::span<double> row(std::size_t i) { return std::span(values_).subspan((i + 1) * n_, n_); }
  std::span<double> before() { return std::span(values_).first(n_); }
  std::span<double> after() { return std::span(values_).last(n_); }
  std::span<double> own() { return std::span(values_).subspan(n_, values_.size() - 2 * n_); }

 private:
  std::size_t n_;
  std::vector<double> values_;
};

// y = A x, where the rows beside are there.
void laplace(Rows& x, Rows& y) {
  const std::size_t n = x.before().size();
  for (std::size_t i = 0; i < x.count(); ++i) {
    const std::span<double> here = x.row(i);
    const std::span<double> above = i == 0 ? x.before() : x.row(i - 1);
    const std::span<double> below = i + 1 == x.count() ? x.after() : x.row(i + 1);
    for (std::size_t j = 0; j < n; ++j)
      y.row(i)[j] =
          4 * here[j] - above[j] - below[j] - (j > 0 ? here[j - 1] : 0) - (j + 1 < n ? here[j + 1] : 0);
  }
}

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The rows beside a node's, from those that have them.
void exchange(vnode::Node& me, Rows& x) {
  if (x.count() == 0) return;
  const bool first = me.rank() == 0, last = me.rank() + 1 == me.size();
  std::vector<vnode::Request> requests;
  if (!first) requests.push_back(me.irecv(x.before(), me.rank() - 1));
  if (!last) requests.push_back(me.irecv(x.after(), me.rank() + 1));
  if (!first) requests.push_back(me.isend(x.row(0), me.rank() - 1));
  if (!last) requests.push_back(me.isend(x.row(x.count() - 1), me.rank() + 1));
  vnode::wait_all(requests);
}

// Returns the steps that were made. `beside(x)` fills the rows beside x's, `sum(s)` adds up everybody's.
template <class Beside, class Sum>
int solve(std::span<const double> b, Rows& u, const Beside& beside, const Sum& sum) {
  const std::size_t n = u.before().size();
  std::vector<double> r(b.begin(), b.end());
  Rows p(u.count(), n), q(u.count(), n);
  std::ranges::fill(u.own(), 0.0);
  std::ranges::copy(r, p.own().begin());
  double rr = sum(product(r, r));
  const double enough = wanted * wanted * rr;
  int steps = 0;
  for (; rr > enough && steps < 100'000; ++steps) {
    beside(p);
    laplace(p, q);
    const double alpha = rr / sum(product(p.own(), q.own()));
    for (std::size_t i = 0; i < r.size(); ++i) {
      u.own()[i] += alpha * p.own()[i];
      r[i] -= alpha * q.own()[i];
    }
    const double before = std::exchange(rr, sum(product(r, r)));
    for (std::size_t i = 0; i < r.size(); ++i) p.own()[i] = r[i] + rr / before * p.own()[i];
  }
  return steps;
}

double source(std::size_t i) { return static_cast<double>(i * 7919 % 1009) / 1009 - 0.5; }

struct Result {
  int steps = 0;
  double seconds = 0;
};

// The answer goes to u, which the program's threads share.
Result solve_on(vnode::Team& team, std::size_t n, const std::vector<double>& b, std::vector<double>& u) {
  Result result;
  std::exception_ptr failure;  // which may not leave a region
#pragma omp parallel num_threads(team.size())
  try {
    vnode::Membership me = team.join(omp_get_thread_num());
    const example::Block rows = example::block(n, me->size(), me->rank());
    const std::span<const double> mine = std::span(b).subspan(rows.first * n, rows.size() * n);
    Rows x(rows.size(), n);
    int steps = 0;
    const double seconds = example::seconds(
        *me, [] {},
        [&] {
          steps = solve(
              mine, x, [&](Rows& of) { exchange(*me, of); },
              [&](double part) { return me->all_reduce(part, std::plus<>{}); });
        });
    std::ranges::copy(x.own(), u.begin() + static_cast<std::ptrdiff_t>(rows.first * n));
    if (me->rank() == 0) result = {steps, seconds};
  } catch (...) {
#pragma omp critical
    if (!failure) failure = std::current_exception();
  }
  if (failure) std::rethrow_exception(failure);
  return result;
}

// ||b - A u|| / ||b||, by a loop of OpenMP's.
double residual(std::size_t n, const std::vector<double>& b, const std::vector<double>& u) {
  double left = 0, whole = 0;
#pragma omp parallel for reduction(+ : left, whole)
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t at = i * n + j;
      const double au = 4 * u[at] - (i > 0 ? u[at - n] : 0) - (i + 1 < n ? u[at + n] : 0) -
                        (j > 0 ? u[at - 1] : 0) - (j + 1 < n ? u[at + 1] : 0);
      left += (b[at] - au) * (b[at] - au);
      whole += b[at] * b[at];
    }
  return std::sqrt(left / whole);
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, side] = example::arguments(argc, argv, {4, 64}, "the points of a side", 10'000);
  const std::size_t n = side;  // OpenMP shares no structured bindings
  if (n < static_cast<std::size_t>(nodes))
    throw vnode::UsageError("SIZE must be at least NODES: every thread has a row");
  omp_set_dynamic(0);
  vnode::Team team{nodes, {.threads = vnode::Threads::callers}};
  std::vector<double> b(n * n), u(n * n);
#pragma omp parallel for
  for (std::size_t i = 0; i < n * n; ++i) b[i] = source(i);
  const Result result = solve_on(team, n, b, u);
  const double left = residual(n, b, u);
  Rows alone(n, n);
  const double sequential =
      example::seconds([] {},
                       [&] {
                         solve(
                             b, alone, [](Rows&) {}, [](double whole) { return whole; });
                       });
  std::printf("%d steps, residual %.1e\n", result.steps, left);
  return example::report(
      "conjugate gradients on " + std::to_string(n) + " x " + std::to_string(n) + " points", team,
      left < 10 * wanted, result.seconds, sequential);
} catch (const std::exception& error) {
  return example::complain("openmp_conjugate_gradient", error);
}
