// s = x . y: the first use of a reduction that Grama et al. name (section 4.1).
//   1. each node multiplies its block of x by its block of y and adds up
//   2. all_reduce adds up the p sums: one number per message, ceil(log2 p) rounds
// The local work is 2 n / p operations on n / p elements of two vectors, so the memory's bandwidth is the
// limit, and the all_reduce costs microseconds however long the vectors are.
#include <array>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Vector = std::vector<double>;

// Small whole numbers, so that sums are exact in any order.
Vector numbers(example::Block block, std::size_t factor) {
  Vector made;
  for (std::size_t i = block.first; i < block.end; ++i)
    made.push_back(static_cast<double>(i * factor % 11) - 4);
  return made;
}

double inner_product(const Vector& x, const Vector& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

struct Result {
  double product = 0;
  bool everywhere = false;  // all nodes have the same
  double seconds = 0;
};

Result inner_product_on(vnode::Team& team, std::size_t n) {
  Result result;
  team.run([&](vnode::Node& me) {
    const example::Block mine = example::block(n, me.size(), me.rank());
    const Vector x = numbers(mine, 7), y = numbers(mine, 3);
    std::array<double, 1> sum{};
    const double seconds = example::seconds(
        me, [] {},
        [&] {
          sum[0] = inner_product(x, y);
          me.all_reduce(sum, std::plus<>{});
        });
    std::array<double, 1> least{}, greatest{};
    me.reduce(sum, least, vnode::minimum{});
    me.reduce(sum, greatest, vnode::maximum{});
    if (me.rank() == 0) result = {sum[0], least == greatest, seconds};
  });
  return result;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, n] =
      example::arguments(argc, argv, {4, 1'000'000}, "the number of elements", 500'000'000);
  vnode::Team team{nodes};
  const Result result = inner_product_on(team, n);
  const Vector x = numbers({0, n}, 7), y = numbers({0, n}, 3);
  double product = 0;
  const double sequential = example::seconds([] {}, [&] { product = inner_product(x, y); });
  const bool right = result.everywhere && result.product == product;
  return example::report("inner product of " + std::to_string(n) + " elements", team, right, result.seconds,
                         sequential);
} catch (const std::exception& error) {
  return example::complain("inner_product", error);
}
