#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <vnode/model/select.hpp>

#include "repository.hpp"

using namespace vnode;

namespace {

/// What was measured on 16 cores (tests/data/measured), by collective, nodes and bytes.
std::vector<TunedPoint> measured_points() {
  std::ifstream file(repository() / "tests/data/measured/emerald_rapids_16.csv");
  std::map<std::tuple<Collective, int, std::size_t>, std::map<std::string, double, std::less<>>> rows;
  std::string line;
  std::getline(file, line);
  REQUIRE(line == "collective,nodes,bytes,algorithm,us");
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string collective, nodes, bytes, algorithm, us;
    for (std::string* field : {&collective, &nodes, &bytes, &algorithm, &us})
      std::getline(fields, *field, ',');
    rows[{parse_collective(collective), std::stoi(nodes), std::stoul(bytes)}][collective + "_" + algorithm] =
        std::stod(us) * 1e-6;
  }
  std::vector<TunedPoint> points;
  for (const auto& [call, seconds] : rows) {
    const auto [collective, nodes, bytes] = call;
    points.push_back({collective, nodes, false, bytes, seconds});
  }
  return points;
}

/// The same machine's costs, from rows that are as long as a model says that they are: t_s from hypercubes of
/// 128 bytes, the costs of bytes from the limits of 8 MiB.
constexpr CostModel sixteen_cores{
    .t_s = 0.41e-6, .t_w = 0.063e-9, .t_op = 0.0225e-9, .t_put = 0.05e-9, .o = 60e-9};

Demand call_at(const TunedPoint& point) {
  Demand demand{.collective = point.collective, .bytes = point.bytes};
  demand.parameters.nodes = point.nodes;
  demand.parameters.segments = 0;
  demand.parameters.extents = mesh_extents(Topology(shapes::full{}, point.nodes));
  return demand;
}

double best_of(const TunedPoint& point) {
  return std::ranges::min_element(point.seconds, {}, [](const auto& one) { return one.second; })->second;
}

}  // namespace

TEST_CASE("by the costs of 16 real cores nothing is chosen that was measured to be slower than the best") {
  int known = 0;
  for (const TunedPoint& point : measured_points()) {
    const std::string_view chosen =
        choose(call_at(point), Topology(shapes::full{}, point.nodes), sixteen_cores).algorithm->name;
    CAPTURE(point.bytes);
    CAPTURE(chosen);
    const auto found = point.seconds.find(chosen);
    if (found == point.seconds.end()) continue;  // it is not said how long it took
    ++known;
    CHECK(found->second <= 1.1 * best_of(point));
  }
  CHECK(known >= 4);
}

TEST_CASE("what was measured on 16 real cores is chosen by, as vnode tune keeps it") {
  const std::vector<TunedPoint> points = measured_points();
  REQUIRE(points.size() == 8);
  for (const TunedPoint& point : points) {
    Demand demand = call_at(point);
    demand.tuned = points;
    const Candidate chosen = choose(demand, Topology(shapes::full{}, point.nodes), sixteen_cores);
    CHECK(chosen.measured);
    CHECK(chosen.seconds <= (1 + prediction_noise) * best_of(point));
  }
}
