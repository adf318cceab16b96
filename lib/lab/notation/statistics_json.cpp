#include <limits>
#include <string>

#include <vnode/lab/statistics_json.hpp>
#include <vnode/topology.hpp>

#include "json/json_place.hpp"

namespace vnode {
namespace {

constexpr std::size_t longest_name = 4096, longest_hierarchy = std::size_t{1} << 20;
/// The greatest number up to which a double counts exactly.
constexpr double most_counted = 9007199254740992.0;
/// The values that make sense.
constexpr NumberBounds count_range{0, most_counted}, byte_range{0, 1e18, "bytes"},
    duration_range{0, 1e12, "seconds"}, cost_range{0, 1, "seconds"},
    byte_cost_range{0, 1e-3, "seconds per byte"}, node_range{0, max_nodes - 1},
    or_none_range{-1, max_nodes - 1};

std::uint64_t read_count(const JsonPlace& place) {
  return static_cast<std::uint64_t>(place.whole_number(count_range));
}

Rank read_rank(const JsonPlace& place, NumberBounds range) {
  return static_cast<Rank>(place.whole_number(range));
}

/// Reads a length; null means that no message is as long.
std::size_t read_length(const JsonPlace& place) {
  if (place.is_null()) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(place.whole_number(byte_range));
}

CostModel read_cost_model(const JsonPlace& place) {
  place.check_object({"t_s", "t_w", "t_op", "t_put", "o", "nodes_per_pu", "eager_to", "shared_from"});
  return {.t_s = place.at("t_s").number(cost_range),
          .t_w = place.at("t_w").number(byte_cost_range),
          .t_op = place.at("t_op").number(byte_cost_range),
          .t_put = place.at("t_put").number(byte_cost_range),
          .o = place.at("o").number(cost_range),
          .nodes_per_pu = place.at("nodes_per_pu").number({0, max_nodes}),
          .eager_to = read_length(place.at("eager_to")),
          .shared_from = read_length(place.at("shared_from"))};
}

GroupStatistics read_group(const JsonPlace& place) {
  place.check_object({"nodes", "topology", "hierarchy", "nodes_per_pu", "turn", "near"});
  GroupStatistics group{.topology = place.at("topology").text(longest_name),
                        .hierarchy = place.at("hierarchy").text(longest_hierarchy),
                        .nodes_per_pu = place.at("nodes_per_pu").number({0, max_nodes}),
                        .turn = place.has("turn") ? place.at("turn").number(cost_range) : 0};
  const JsonPlace nodes = place.at("nodes"), near = place.at("near");
  for (std::size_t i = 0; i < nodes.size(); ++i) group.nodes.push_back(read_rank(nodes.at(i), node_range));
  for (std::size_t i = 0; i < near.size(); ++i) group.near.push_back(read_cost_model(near.at(i)));
  for (CostModel& costs : group.near) costs.turn = group.turn;
  return group;
}

NodeStatistics read_node(const JsonPlace& place) {
  place.check_object({"node", "calls", "bytes", "seconds", "waiting"});
  return {.node = read_rank(place.at("node"), node_range),
          .calls = read_count(place.at("calls")),
          .bytes = read_count(place.at("bytes")),
          .seconds = place.at("seconds").number(duration_range),
          .waiting = place.at("waiting").number(duration_range)};
}

CallStatistics read_row(const JsonPlace& place, std::size_t groups) {
  place.check_object({"operation", "algorithm", "group", "up_to_bytes", "varying", "in_order",
                      "deterministic", "radix", "calls", "bytes", "seconds", "waiting", "least", "longest",
                      "awaited", "awaited_seconds", "last", "nodes"});
  if (groups == 0) place.fail("there are no groups");
  CallStatistics row{
      .operation = place.at("operation").text(longest_name),
      .algorithm = place.at("algorithm").text(longest_name),
      .group = static_cast<int>(place.at("group").whole_number({0, static_cast<double>(groups - 1)})),
      .up_to_bytes = read_length(place.at("up_to_bytes")),
      .varying = place.at("varying").truth(),
      .in_order = place.at("in_order").truth(),
      .deterministic = place.at("deterministic").truth(),
      .radix = static_cast<int>(place.at("radix").whole_number({2, std::numeric_limits<int>::max()})),
      .calls = read_count(place.at("calls")),
      .bytes = read_count(place.at("bytes")),
      .seconds = place.at("seconds").number(duration_range),
      .waiting = place.at("waiting").number(duration_range),
      .least = place.at("least").number(duration_range),
      .longest = place.at("longest").number(duration_range),
      .awaited = read_rank(place.at("awaited"), or_none_range),
      .awaited_seconds = place.at("awaited_seconds").number(duration_range),
      .last = read_rank(place.at("last"), or_none_range)};
  const JsonPlace nodes = place.at("nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i) row.nodes.push_back(read_node(nodes.at(i)));
  return row;
}

}  // namespace

Statistics statistics_from_json(std::string_view text, std::string_view what) {
  const JsonPlace top = JsonPlace::parse(text, std::string(what));
  top.check_object({"statistics", "on", "process", "began", "seconds", "nodes", "topology", "joined", "costs",
                    "groups", "rows"});
  if (top.at("statistics").whole_number(count_range) != 1)
    top.at("statistics").refuse("1, the only version that this vnode reads");
  Statistics statistics{
      .on = top.at("on").truth(),
      .process = static_cast<int>(top.at("process").whole_number({0, std::numeric_limits<int>::max()})),
      .began = top.at("began").text(longest_name),
      .seconds = top.at("seconds").number(duration_range),
      .nodes = static_cast<int>(top.at("nodes").whole_number({1, max_nodes})),
      .topology = top.at("topology").text(longest_name),
      .joined = top.at("joined").truth()};
  if (const JsonPlace costs = top.at("costs"); !costs.is_null()) statistics.costs = read_cost_model(costs);
  const JsonPlace groups = top.at("groups"), rows = top.at("rows");
  for (std::size_t i = 0; i < groups.size(); ++i) statistics.groups.push_back(read_group(groups.at(i)));
  for (std::size_t i = 0; i < rows.size(); ++i)
    statistics.rows.push_back(read_row(rows.at(i), statistics.groups.size()));
  return statistics;
}

}  // namespace vnode
