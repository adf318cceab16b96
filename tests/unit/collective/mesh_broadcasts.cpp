// Tests docs/collectives.md 5: broadcasts on meshes without congestion, and with it.
#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <string>

#include <vnode/lab/link_loads.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>

#include "built.hpp"
#include "interconnect/link_loads.hpp"

using namespace vnode;

namespace {

// Returns how many roots of a mesh see two messages on one link.
int crowded_roots(std::string_view name, int rows, int columns, Routing routing, int segments = 1) {
  LinkLoads links(Topology(shapes::mesh{rows, columns}, rows * columns), routing);
  int crowded = 0;
  for (Rank root = 0; root < rows * columns; ++root) {
    const Parameters parameters{
        .nodes = rows * columns, .root = root, .extents = {rows, columns}, .segments = segments};
    crowded += greatest_load(links.of(algorithm(name).build(parameters))) > 1;
  }
  return crowded;
}

// Calls see(rows, columns) for every mesh up to 8x8.
template <class See>
void each_mesh(int least, const See& see) {
  for (int rows = least; rows <= 8; ++rows)
    for (int columns = least; columns <= 8; ++columns) {
      CAPTURE(rows);
      CAPTURE(columns);
      see(rows, columns);
    }
}

// Returns whether the picture's round has these two transfers.
bool has(const std::string& picture, const std::string& round, const char* one, const char* other) {
  const std::size_t first = picture.find(round), last = picture.find(';', first);
  const std::string text = picture.substr(first, last - first) + ' ';
  return text.find(' ' + std::string(one) + ' ') != std::string::npos &&
         text.find(' ' + std::string(other) + ' ') != std::string::npos;
}

}  // namespace

TEST_CASE("5.1: the naive order costs log p t_s + (r + c - 2) t_w m on every mesh of powers of two") {
  for (const int rows : {1, 2, 4, 8})
    for (const int columns : {1, 2, 4, 8})
      for (Rank root = 0; root < rows * columns; ++root) {
        const int p = rows * columns;
        const Schedule schedule = algorithm("broadcast_low_bit_first").build({.nodes = p, .root = root});
        CHECK((1 << schedule.rounds().size()) == p);
        CHECK(scaled_words(link_loads(schedule, Topology(shapes::mesh{rows, columns}, p), Routing::xy), 1) ==
              rows + columns - 2);
      }
}

TEST_CASE("5.3: corresponding partners meet on meshes whose extents are no powers of two") {
  struct Meeting {
    int rows, columns;
    Rank root;
    int round;
    const char *one, *other;
  };
  for (const Meeting& m : {Meeting{3, 3, 2, 3, "4>3", "5>6"}, Meeting{3, 5, 7, 4, "5>4", "8>9"},
                           Meeting{5, 3, 7, 4, "7>6", "8>9"}}) {
    const int p = m.rows * m.columns;
    const Schedule schedule = algorithm("broadcast_mst").build({.nodes = p, .root = m.root});
    CHECK(has(picture(schedule), std::to_string(m.round) + ":", m.one, m.other));
    const auto loads = link_loads(schedule, Topology(shapes::mesh{m.rows, m.columns}, p), Routing::xy);
    CHECK(loads[static_cast<std::size_t>(m.round - 1)].messages == 2);
  }
  CHECK(crowded_roots("broadcast_mst", 2, 3, Routing::xy) == 0);
  CHECK(crowded_roots("broadcast_mst", 3, 4, Routing::xy) == 0);
}

TEST_CASE("5.5: of two messages in disjoint intervals, only those that run away from each other can meet") {
  const auto conflicts = [](int rows, int columns) {
    const int p = rows * columns;
    Schedule pairs(p, 1);
    std::vector<int> kinds;  // of each round: 2 * (the lower runs left) + (the upper runs right)
    for (int a = 0; a < p; ++a)
      for (int b = a + 1; b < p; ++b)
        for (int c = b + 1; c < p; ++c)
          for (int d = c + 1; d < p; ++d)
            for (const int kind : {0, 1, 2, 3}) {
              Round& round = pairs.next_round();
              round.push_back(kind >= 2 ? Transfer{b, a, Blocks::whole} : Transfer{a, b, Blocks::whole});
              round.push_back(kind % 2 != 0 ? Transfer{c, d, Blocks::whole} : Transfer{d, c, Blocks::whole});
              kinds.push_back(kind);
            }
    const std::vector<RoundLoad> loads =
        link_loads(pairs, Topology(shapes::mesh{rows, columns}, p), Routing::xy);
    std::array<int, 4> found{};
    for (std::size_t i = 0; i < loads.size(); ++i)
      found[static_cast<std::size_t>(kinds[i])] += loads[i].messages > 1;
    return found;
  };
  CHECK(conflicts(3, 3) == std::array{0, 0, 0, 8});
  CHECK(conflicts(3, 4) == std::array{0, 0, 0, 48});
  CHECK(conflicts(4, 5) == std::array{0, 0, 0, 400});
  CHECK(conflicts(5, 3) == std::array{0, 0, 0, 40});
}

TEST_CASE("5.6: recursive splitting on 6, 8, 12 and 16 nodes") {
  const auto splitting = [](int p, Rank root) {
    return drawn("broadcast_recursive_splitting", {.nodes = p, .root = root});
  };
  CHECK(splitting(6, 0) == "1: 0>5; 2: 0>2 5>4; 3: 0>1 4>3");
  CHECK(splitting(8, 0) == "1: 0>7; 2: 0>3 7>5; 3: 0>1 3>2 5>4 7>6");
  CHECK(splitting(12, 5) == "1: 5>11; 2: 5>0 11>8; 3: 0>2 5>3 8>7 11>10; 4: 0>1 3>4 7>6 10>9");
  CHECK(splitting(16, 5) ==
        "1: 5>15; 2: 5>0 15>11; 3: 0>2 5>7 11>9 15>13; 4: 0>1 2>3 5>4 7>6 9>8 11>10 13>12 15>14");
}

TEST_CASE("5.6: recursive splitting never crowds a link, whatever the mesh and root") {
  each_mesh(2, [](int rows, int columns) {
    CHECK(crowded_roots("broadcast_recursive_splitting", rows, columns, Routing::xy) == 0);
    CHECK(crowded_roots("scatter_recursive_splitting", rows, columns, Routing::xy) == 0);
  });
  CHECK(crowded_roots("broadcast_mst", 3, 3, Routing::xy) == 2);
  CHECK(crowded_roots("broadcast_low_bit_first", 4, 4, Routing::xy) == 16);
}

TEST_CASE("0.5, I5: its dual crowds links by xy ways, and none by the ways back, yx") {
  CHECK(crowded_roots("reduce_recursive_splitting", 3, 3, Routing::xy) == 4);
  CHECK(crowded_roots("reduce_recursive_splitting", 3, 4, Routing::xy) == 7);
  each_mesh(2, [](int rows, int columns) {
    CHECK(crowded_roots("reduce_recursive_splitting", rows, columns, Routing::yx) == 0);
    CHECK(crowded_roots("gather_recursive_splitting", rows, columns, Routing::yx) == 0);
  });
}

TEST_CASE("5.8: what recursive splitting scatters, in blocks of the largest message of each round") {
  const auto words = [](int p, Rank root) {
    return algorithm("scatter_recursive_splitting").cost({.nodes = p, .root = root}).words;
  };
  for (const int p : {2, 4, 8, 16, 32, 64})
    for (Rank root = 0; root < p; ++root) CHECK(words(p, root) == p - 1);
  CHECK(words(6, 0) == 6);
  CHECK(words(12, 0) == 12);
  double worst = 0;
  for (Rank root = 0; root < 11; ++root) worst = std::max(worst, words(11, root));
  CHECK(worst == 12);
}
