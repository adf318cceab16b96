// y = relu(x A) B for a batch of tokens, as inference of a transformer computes it with tensor parallelism
// (Shoeybi et al., Megatron-LM, 2019): x has SIZE columns, A and B are SIZE x 4 SIZE and 4 SIZE x SIZE. Every
// node has x, a block of the columns of A and the same block of the rows of B:
//   1. column-parallel layer: the node's columns of h = relu(x A); relu works on each element alone, so no
//      node needs the others' columns
//   2. row-parallel layer: the node's columns of h times its rows of B: a y of full size, but with the terms
//      of this node only
//   3. all_reduce adds up the p of them: all have y, ready for the next layer
// The weights are read once, by p nodes together: where their bandwidth is the limit, as for few tokens, that
// is the speed-up; the all_reduce moves no more than the activations.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Matrix = example::Matrix<float>;

constexpr std::size_t tokens = 16;

// -1, 0 or 1, as if by chance: with SIZE up to 2048 all sums are whole numbers below 2^24, exact in any
// order.
float weight(std::uint64_t layer, std::size_t i, std::size_t j) {
  std::uint64_t mixed = (layer << 60 ^ i << 30 ^ j) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9;
  return static_cast<float>((mixed >> 40) % 3) - 1;
}

// Rows and columns of a layer's weights.
Matrix weights(std::uint64_t layer, example::Block rows, example::Block columns) {
  Matrix made(rows.size(), columns.size());
  for (std::size_t i = 0; i < made.rows(); ++i)
    for (std::size_t j = 0; j < made.columns(); ++j)
      made[i][j] = weight(layer, rows.first + i, columns.first + j);
  return made;
}

void relu(Matrix& h) {
  for (float& element : h.elements()) element = std::max(element, 0.0f);
}

// A node's share of the two layers, or the whole.
struct Layers {
  Matrix a, b;
  Matrix h{tokens, a.columns()};  // room for what is between them

  Layers(std::size_t d, example::Block hidden)
      : a(weights(1, {0, d}, hidden)), b(weights(2, hidden, {0, d})) {}
  void apply(const Matrix& x, Matrix& y) {
    multiply(x, a, h);
    relu(h);
    multiply(h, b, y);
  }
};

struct Result {
  Matrix y{0, 0};
  bool everywhere = false;  // all nodes have the same
  double seconds = 0;
};

Result apply_on(vnode::Team& team, std::size_t d) {
  Result result;
  team.run([&](vnode::Node& me) {
    Layers share(d, example::block(4 * d, me.size(), me.rank()));
    const Matrix x = weights(0, {0, tokens}, {0, d});
    Matrix y(tokens, d);
    const double seconds = example::seconds(
        me, [] {},
        [&] {
          share.apply(x, y);
          me.all_reduce(y.elements(), std::plus<>{});
        });
    Matrix least = y, greatest = y;
    me.reduce(least.elements(), vnode::minimum{});
    me.reduce(greatest.elements(), vnode::maximum{});
    if (me.rank() == 0) result = {y, least == greatest, seconds};
  });
  return result;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, d] = example::arguments(argc, argv, {4, 192}, "the columns of x", 2048);
  vnode::Team team{nodes};
  const Result result = apply_on(team, d);
  Layers whole(d, {0, 4 * d});
  const Matrix x = weights(0, {0, tokens}, {0, d});
  Matrix y(tokens, d);
  const double sequential = example::seconds([] {}, [&] { whole.apply(x, y); });
  return example::report(
      "two layers of width " + std::to_string(d) + " for " + std::to_string(tokens) + " tokens", team,
      result.everywhere && result.y == y, result.seconds, sequential);
} catch (const std::exception& error) {
  return example::complain("tensor_parallel", error);
}
