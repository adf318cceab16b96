// Tests docs/collectives.md 4.3 and 4.4: edge-disjoint spanning binomial trees, through one port and through
// all.
#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <vnode/lab/link_loads.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>

#include "built.hpp"

using namespace vnode;

namespace {

constexpr const char* rows[] = {"broadcast_esbt", "broadcast_esbt_all_port", "reduce_esbt",
                                "reduce_esbt_all_port"};

// Every round sorted by sender and receiver.
Schedule sorted(Schedule schedule) {
  for (int i = 0; i < static_cast<int>(schedule.rounds().size()); ++i)
    std::ranges::sort(schedule.round(i), {}, [](const Transfer& t) { return std::pair(t.from, t.to); });
  return schedule;
}

int segment(const Schedule& schedule, const Transfer& transfer) {
  return schedule.intervals(transfer.what)[0].first;
}

}  // namespace

TEST_CASE("4.3: four segments on eight nodes") {
  CHECK(sorted(built("broadcast_esbt", {.nodes = 8, .segments = 4})) ==
        sorted(schedule_from_text("nodes 8 blocks 4\n"
                                  "1: 0>1[0]\n"
                                  "2: 1>3[0] 0>2[1]\n"
                                  "3: 1>5[0] 3>7[0] 2>6[1] 0>4[2]\n"
                                  "4: 3>2[0] 5>4[0] 7>6[0] 2>3[1] 6>7[1] 4>5[2] 0>1[3]\n"
                                  "5: 3>1[1] 6>4[1] 7>5[1] 4>6[2] 5>7[2] 1>3[3]\n"
                                  "6: 5>1[2] 6>2[2] 7>3[2] 1>5[3] 3>7[3]\n"
                                  "7: 3>2[3] 5>4[3] 7>6[3]\n")));
}

TEST_CASE("4.4: two segments on four nodes") {
  CHECK(sorted(built("broadcast_esbt_all_port", {.nodes = 4, .segments = 2})) ==
        sorted(schedule_from_text("nodes 4 blocks 2\n"
                                  "1: 0>1[0] 0>2[1]\n"
                                  "2: 1>3[0] 2>3[1]\n"
                                  "3: 3>2[0] 3>1[1]\n")));
}

TEST_CASE("4.3: another root has the same trees, labels XOR root") {
  for (const char* name : rows) {
    const Schedule of_zero = built(name, {.nodes = 16, .segments = 5});
    const Schedule of_eleven = built(name, {.nodes = 16, .root = 11, .segments = 5});
    for (std::size_t i = 0; i < of_zero.rounds().size(); ++i) {
      REQUIRE(of_zero.rounds()[i].size() == of_eleven.rounds()[i].size());
      for (std::size_t j = 0; j < of_zero.rounds()[i].size(); ++j) {
        const Transfer &a = of_zero.rounds()[i][j], &b = of_eleven.rounds()[i][j];
        CHECK(std::tuple(a.from ^ 11, a.to ^ 11, segment(of_zero, a)) ==
              std::tuple(b.from, b.to, segment(of_eleven, b)));
      }
    }
  }
}

TEST_CASE("4.3: every directed link but those into the root belongs to exactly one tree, each spans all") {
  for (int d = 1; d <= 8; ++d)
    for (const Rank root : {0, (1 << d) - 1}) {
      const Schedule schedule =
          built("broadcast_esbt_all_port", {.nodes = 1 << d, .root = root, .segments = d});
      std::map<std::pair<Rank, Rank>, int> tree;
      std::vector<int> nodes(static_cast<std::size_t>(d));
      for (const Round& round : schedule.rounds())
        for (const Transfer& t : round) {
          CHECK(t.to != root);
          CHECK(std::has_single_bit(static_cast<unsigned>(t.from ^ t.to)));
          CHECK(tree.emplace(std::pair(t.from, t.to), segment(schedule, t)).second);
          ++nodes[static_cast<std::size_t>(segment(schedule, t))];
        }
      CHECK(tree.size() == static_cast<std::size_t>(d * ((1 << d) - 1)));
      for (const int reached : nodes) CHECK(reached == (1 << d) - 1);
      // Whatever goes along a link belongs to its tree, through one port too.
      const Schedule one_port =
          built("broadcast_esbt", {.nodes = 1 << d, .root = root, .segments = 3 * d + 1});
      for (const Round& round : one_port.rounds())
        for (const Transfer& t : round) CHECK(tree.at({t.from, t.to}) == segment(one_port, t) % d);
    }
}

TEST_CASE("4.3: through one port, all nodes use dimension t mod d in round t") {
  const Schedule schedule = built("broadcast_esbt", {.nodes = 32, .root = 7, .segments = 9});
  for (std::size_t t = 0; t < schedule.rounds().size(); ++t)
    for (const Transfer& transfer : schedule.rounds()[t]) CHECK((transfer.from ^ transfer.to) == 1 << t % 5);
}

TEST_CASE("4.3, 4.4: k + d rounds through one port, ceil(k / d) + d through all, none of them empty") {
  for (int d = 0; d <= 8; ++d)
    for (const int k : {1, 2, 3, 4, 5, 7, 8, 16, 23})
      for (const char* name : rows) {
        const Parameters parameters{.nodes = 1 << d, .segments = k};
        const int batches = algorithm(name).ports == Ports::all && d > 0 ? (k + d - 1) / d : k;
        const int expected = d == 0 ? 0 : d == 1 ? k : batches + d;
        CAPTURE(name);
        CAPTURE(d);
        CAPTURE(k);
        const Schedule schedule = built(name, parameters);
        CHECK(schedule.rounds().size() == std::size_t(expected));
        CHECK(std::ranges::none_of(schedule.rounds(), [](const Round& round) { return round.empty(); }));
        const Cost cost = algorithm(name).cost(parameters);
        CHECK(cost.startups == expected);
        CHECK(cost.words == doctest::Approx(double(expected) / k));
      }
}

TEST_CASE("up to 64 nodes, the costs are those of the schedules for all numbers of segments that differ") {
  for (int d = 0; d <= 6; ++d)
    for (int k = 1; k <= d * d + d + 1; ++k)
      for (const char* name : rows) {
        const Parameters parameters{.nodes = 1 << d, .segments = k};
        const Cost promised = algorithm(name).cost(parameters);
        const Cost counted = step_synchronous_cost(built(name, parameters), k);
        CAPTURE(name);
        CAPTURE(d);
        CAPTURE(k);
        CHECK(promised.received == doctest::Approx(counted.received));
        CHECK(promised.combined == doctest::Approx(counted.combined));
      }
}

TEST_CASE("256 nodes keep contract and promises, and load 1 on the hypercube") {
  const Topology cube(shapes::hypercube{}, 256);
  for (const char* name : rows)
    for (const Rank root : {0, 1, 170, 255})
      for (const int segments : {1, 3, 8, 13, 40}) {
        CAPTURE(name);
        CAPTURE(root);
        CAPTURE(segments);
        const Parameters parameters{.nodes = 256, .root = root, .segments = segments};
        CHECK(findings(name, parameters).empty());
        CHECK(greatest_load(link_loads(built(name, parameters), cube, Routing::ecube)) == 1);
      }
}

TEST_CASE("section 8: steps, words, loads and scaled words through one port") {
  struct Row {
    int nodes, segments, steps;
    std::vector<int> loads;      // line, ring, mesh, cube
    std::vector<double> scaled;  // t_w scaled by load, times the segments
  };
  const Row table[] = {
      {8, 4, 7, {4, 4, 2, 1}, {14, 14, 9, 7}},
      {8, 16, 19, {4, 4, 2, 1}, {42, 42, 25, 19}},
      {16, 4, 8, {8, 8, 2, 1}, {29, 29, 12, 8}},
      {16, 16, 20, {8, 8, 2, 1}, {74, 74, 30, 20}},
  };
  for (const Row& row : table)
    for (const char* name : {"broadcast_esbt", "reduce_esbt"}) {
      CAPTURE(name);
      CAPTURE(row.nodes);
      CAPTURE(row.segments);
      const int p = row.nodes;
      const Schedule schedule = built(name, {.nodes = p, .segments = row.segments});
      CHECK(step_synchronous_cost(schedule, 1).startups == row.steps);
      CHECK(step_synchronous_cost(schedule, 1).words == row.steps);
      const Topology topologies[] = {Topology(shapes::array{}, p), Topology(shapes::ring{}, p),
                                     Topology(p == 16 ? shapes::mesh{4, 4} : shapes::mesh{2, 4}, p),
                                     Topology(shapes::hypercube{}, p)};
      for (std::size_t i = 0; i < std::size(topologies); ++i) {
        CAPTURE(topologies[i].text());
        const auto loads = link_loads(schedule, topologies[i], topologies[i].default_routing());
        CHECK(greatest_load(loads) == row.loads[i]);
        CHECK(scaled_words(loads, 1) == row.scaled[i]);
      }
    }
}

TEST_CASE("section 8: steps and words through all ports of a hypercube") {
  struct Row {
    int nodes, segments, steps;
  };
  for (const Row& row : {Row{8, 4, 5}, {8, 16, 9}, {16, 4, 5}, {16, 16, 8}})
    for (const char* name : {"broadcast_esbt_all_port", "reduce_esbt_all_port"}) {
      const Schedule schedule = built(name, {.nodes = row.nodes, .segments = row.segments});
      const auto loads = link_loads(schedule, Topology(shapes::hypercube{}, row.nodes), Routing::ecube);
      CHECK(step_synchronous_cost(schedule, 1).startups == row.steps);
      CHECK(step_synchronous_cost(schedule, 1).words == row.steps);
      CHECK(greatest_load(loads) == 1);
      CHECK(scaled_words(loads, 1) == row.steps);
    }
}
