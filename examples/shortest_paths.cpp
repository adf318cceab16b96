// All-pairs shortest paths by Floyd's algorithm, with 2-D blocks on a mesh (Grama et al., section 10.4.2).
// d[i][j] begins as the length of the edge from i to j; node (r, c) of the mesh has block (r, c) of it. For
// each vertex k, paths by way of k are tried: d[i][j] = min(d[i][j], d[i][k] + d[k][j]). So every node needs
//   1. d[k][j] for its columns: the row of nodes that has k broadcasts its parts up and down the columns
//   2. d[i][k] for its rows: the column of nodes that has k broadcasts its parts along the rows
// Rows and columns of nodes are groups; in step 1 all columns work at once, in step 2 all rows. It takes 2 n
// broadcasts of n / sqrt(p) numbers among sqrt(p) nodes.
#include <algorithm>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Distances = example::Matrix<int>;

constexpr int none = std::numeric_limits<int>::max() / 2;  // twice this is still a number

// About eight edges from each vertex.
Distances random_graph(std::size_t n) {
  Distances made(n, n);
  std::mt19937 random(1);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      made[i][j] = i == j ? 0 : random() % n < 8 ? static_cast<int>(random() % 100 + 1) : none;
  return made;
}

// What way by way of k does to the distances between some vertices.
void relax(Distances& d, std::span<const int> to_k, std::span<const int> from_k) {
  for (std::size_t i = 0; i < d.rows(); ++i) {
    const std::span<int> row = d[i];
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = std::min(row[j], to_k[i] + from_k[j]);
  }
}

void copy_column(const Distances& d, std::size_t k, std::span<int> column) {
  for (std::size_t i = 0; i < d.rows(); ++i) column[i] = d[i][k];
}

void floyd_sequentially(Distances& d) {
  std::vector<int> to_k(d.rows()), from_k(d.rows());
  for (std::size_t k = 0; k < d.rows(); ++k) {
    copy_column(d, k, to_k);
    std::ranges::copy(d[k], from_k.begin());
    relax(d, to_k, from_k);
  }
}

// The distances between n vertices, of which `mine` are from `rows` to `columns`. `row` and `column` are
// those of the mesh that this node is in: its place in its column is the number of its row.
void floyd(vnode::Group& row, vnode::Group& column, std::size_t n, example::Block rows,
           example::Block columns, Distances& mine) {
  std::vector<int> to_k(rows.size()), from_k(columns.size());
  for (std::size_t k = 0; k < n; ++k) {
    const int row_with_k = example::part_with(k, n, column.size());
    if (column.rank() == row_with_k) std::ranges::copy(mine[k - rows.first], from_k.begin());
    column.broadcast(from_k, row_with_k);

    const int column_with_k = example::part_with(k, n, row.size());
    if (row.rank() == column_with_k) copy_column(mine, k - columns.first, to_k);
    row.broadcast(to_k, column_with_k);

    relax(mine, to_k, from_k);
  }
}

double shortest_paths_on(vnode::Team& team, const Distances& graph, Distances& d) {
  double seconds = 0;
  team.run([&](vnode::Node& me) {
    vnode::Group row = me.split(vnode::shapes::along{1}), column = me.split(vnode::shapes::along{0});
    const example::Block rows = example::block(graph.rows(), column.size(), column.rank());
    const example::Block columns = example::block(graph.rows(), row.size(), row.rank());
    Distances mine(rows.size(), columns.size());
    const auto take_my_block = [&] {
      for (std::size_t i = 0; i < rows.size(); ++i)
        std::ranges::copy(graph[rows.first + i].subspan(columns.first, columns.size()), mine[i].begin());
    };
    const double measured =
        example::seconds(me, take_my_block, [&] { floyd(row, column, graph.rows(), rows, columns, mine); });
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::ranges::copy(mine[i], d[rows.first + i].subspan(columns.first).begin());
    if (me.rank() == 0) seconds = measured;
  });
  return seconds;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, n] = example::arguments(argc, argv, {4, 240}, "the number of vertices", 20'000);
  vnode::Team team{nodes, vnode::shapes::mesh{}};
  const Distances graph = random_graph(n);
  Distances d(n, n), expected(n, n);
  const double parallel = shortest_paths_on(team, graph, d);
  const double sequential =
      example::seconds([&] { expected = graph; }, [&] { floyd_sequentially(expected); });
  return example::report("shortest paths between " + std::to_string(n) + " vertices", team, d == expected,
                         parallel, sequential);
} catch (const std::exception& error) {
  return example::complain("shortest_paths", error);
}
