// x = sign(A x), STEPS times, as inference on CPUs multiplies one token after the other by weights that fit
// no cache: the bandwidth of memory is the limit, so every bank should serve its own domain only. There is a
// node for each NUMA domain of the machine, with an arena of threads on the domain's PUs:
//   1. the node has a block of the rows of A, and its arena touches them first: they lie on the domain's bank
//   2. its block of A x: the arena's threads have some rows each, whichever, as all lie on their domain's
//   bank
//   3. all_gather: all have the new x
// A is SIZE x SIZE, and all sums are of whole numbers, exact in any order.
#include <cstdint>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/machine_domains.hpp>
#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

constexpr int steps = 8;

// -1, 0 or 1, as if by chance.
float weight(std::size_t i, std::size_t j) {
  std::uint64_t mixed = (i << 32 ^ j) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9;
  return static_cast<float>((mixed >> 40) % 3) - 1;
}

std::vector<float> first_token(std::size_t n) {
  std::vector<float> x(n, 1);
  for (std::size_t i = 0; i < n; i += 3) x[i] = -1;
  return x;
}

// Some rows of A, which nobody touches before they are set.
struct Rows {
  std::size_t first, columns;
  vnode::PlacedBuffer<float> a;

  Rows(example::Block rows, std::size_t n) : first(rows.first), columns(n), a(rows.size() * n) {}
  // Rows begin .. end - 1 of these.
  void set(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = 0; j < columns; ++j) a[i * columns + j] = weight(first + i, j);
  }
  // y[i] = sign(row i times x).
  void multiply(std::size_t begin, std::size_t end, const std::vector<float>& x, float* y) const {
    for (std::size_t i = begin; i < end; ++i) {
      const float* const row = a.data() + i * columns;
      float sum = 0;
      for (std::size_t j = 0; j < columns; ++j) sum += row[j] * x[j];
      y[i] = sum < 0 ? -1.0f : 1.0f;
    }
  }
};

struct Result {
  std::vector<float> x;
  double seconds = 0;
};

Result generate(vnode::Team& team, std::size_t n) {
  Result result;
  team.run([&](vnode::Node& me) {
    std::vector<std::size_t> counts;
    for (int rank = 0; rank < me.size(); ++rank) counts.push_back(example::block(n, me.size(), rank).size());
    const example::Block mine = example::block(n, me.size(), me.rank());
    vnode::Arena& arena = me.arena();
    Rows rows(mine, n);
    arena.parallel_for(0, mine.size(), [&](std::size_t begin, std::size_t end) { rows.set(begin, end); });
    std::vector<float> x, y(mine.size());
    const double seconds = example::seconds(
        me, [&] { x = first_token(n); },
        [&] {
          for (int step = 0; step < steps; ++step) {
            arena.parallel_for(0, mine.size(), [&](std::size_t begin, std::size_t end) {
              rows.multiply(begin, end, x, y.data());
            });
            me.all_gather_v(y, x, {counts, {}});
          }
        });
    if (me.rank() == 0) result = {x, seconds};
  });
  return result;
}

Result generate_alone(std::size_t n) {
  Rows all({0, n}, n);
  all.set(0, n);
  Result result;
  std::vector<float> y(n);
  result.seconds = example::seconds([&] { result.x = first_token(n); },
                                    [&] {
                                      for (int step = 0; step < steps; ++step) {
                                        all.multiply(0, n, result.x, y.data());
                                        result.x.swap(y);
                                      }
                                    });
  return result;
}

}  // namespace

int main(int argc, char** argv) try {
  vnode::TeamOptions options;
  options.arenas = vnode::DomainLevel::numa;
  const auto domains =
      static_cast<int>(vnode::allowed_domains(vnode::Machine::discover(), *options.arenas).size());
  const auto [nodes, n] = example::arguments(argc, argv, {domains, 384}, "the rows of A", 32768);
  vnode::Team team{nodes, vnode::shapes::full{}, options};
  const Result result = generate(team, n), alone = generate_alone(n);
  return example::report(std::to_string(steps) + " products with a matrix of " + std::to_string(n) + " rows",
                         team, result.x == alone.x, result.seconds, alone.seconds);
} catch (const std::exception& error) {
  return example::complain("domain_matrix_vector", error);
}
