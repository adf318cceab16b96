#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/statistics.hpp>

#include "base/counted.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

/// Writes a length to JSON, as null if no message is as long.
Json written(std::size_t length) {
  return length < std::numeric_limits<std::size_t>::max() ? Json(length) : Json();
}

Json written(const CostModel& costs) {
  return {{"t_s", costs.t_s},
          {"t_w", costs.t_w},
          {"t_op", costs.t_op},
          {"t_put", costs.t_put},
          {"o", costs.o},
          {"nodes_per_pu", costs.nodes_per_pu},
          {"eager_to", written(costs.eager_to)},
          {"shared_from", written(costs.shared_from)}};
}

Json written(const GroupStatistics& group) {
  Json json{{"nodes", group.nodes},
            {"topology", group.topology},
            {"hierarchy", group.hierarchy},
            {"nodes_per_pu", group.nodes_per_pu},
            {"turn", group.turn}};
  json["near"] = Json::array();
  for (const CostModel& costs : group.near) json["near"].push_back(written(costs));
  return json;
}

Json written(const CallStatistics& row) {
  Json json{{"operation", row.operation},
            {"algorithm", row.algorithm},
            {"group", row.group},
            {"up_to_bytes", written(row.up_to_bytes)},
            {"varying", row.varying},
            {"in_order", row.in_order},
            {"deterministic", row.deterministic},
            {"radix", row.radix},
            {"calls", row.calls},
            {"bytes", row.bytes},
            {"seconds", row.seconds},
            {"waiting", row.waiting},
            {"least", row.least},
            {"longest", row.longest},
            {"awaited", row.awaited},
            {"awaited_seconds", row.awaited_seconds},
            {"last", row.last}};
  json["nodes"] = Json::array();
  for (const NodeStatistics& node : row.nodes)
    json["nodes"].push_back({{"node", node.node},
                             {"calls", node.calls},
                             {"bytes", node.bytes},
                             {"seconds", node.seconds},
                             {"waiting", node.waiting}});
  return json;
}

std::string node_text(Rank node) { return node < 0 ? "-" : fmt::to_string(node); }

/// Returns the nodes of a group for people: "all", "0,2", or ranges if the nodes are in order.
std::string group_text(const Statistics& statistics, const GroupStatistics& group) {
  if (group.nodes.empty()) return "others";
  if (std::ranges::is_sorted(group.nodes))
    return static_cast<int>(group.nodes.size()) == statistics.nodes ? "all" : number_ranges(group.nodes);
  return fmt::format("{}", fmt::join(group.nodes, ","));
}

std::string operation_text(const CallStatistics& row) {
  return fmt::format("{}{}{}{}", row.operation, row.varying ? ", varying" : "",
                     row.in_order ? ", in order" : "", row.deterministic ? ", deterministic" : "");
}

}  // namespace

double CallStatistics::mean() const {
  std::uint64_t of_nodes = 0;
  for (const NodeStatistics& node : nodes) of_nodes += node.calls;
  return of_nodes > 0 ? seconds / static_cast<double>(of_nodes) : 0;
}

double CallStatistics::mean_bytes() const {
  return calls > 0 ? static_cast<double>(bytes) / static_cast<double>(calls) : 0;
}

std::string Statistics::text() const {
  std::string text =
      fmt::format("calls of a team of {} as {}, process {}, in {:.3f} s since {}\n",
                  counted(static_cast<std::size_t>(nodes), "node"), topology, process, seconds, began);
  if (!on) return text + "not counted: TeamOptions::statistics and VNODE_STATS switch it on\n";
  if (rows.empty()) return text + "there were none\n";
  std::vector<std::vector<std::string>> lines{{"operation", "algorithm", "group", "bytes to", "calls",
                                               "bytes", "total us", "mean us", "least us", "longest us",
                                               "waiting", "awaited", "last"}};
  for (const CallStatistics& row : rows)
    lines.push_back({operation_text(row), row.algorithm.empty() ? "-" : row.algorithm,
                     group_text(*this, groups.at(static_cast<std::size_t>(row.group))),
                     row.varying ? "-" : fmt::to_string(row.up_to_bytes), fmt::to_string(row.calls),
                     fmt::to_string(row.bytes), fmt::format("{:.1f}", row.seconds * 1e6),
                     fmt::format("{:.2f}", row.mean() * 1e6), fmt::format("{:.2f}", row.least * 1e6),
                     fmt::format("{:.2f}", row.longest * 1e6),
                     fmt::format("{:.0f} %", row.seconds > 0 ? 100 * row.waiting / row.seconds : 0),
                     node_text(row.awaited), node_text(row.last)});
  constexpr std::size_t left = 3;
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      text += i < left ? fmt::format("{:<{}}  ", line[i], widths[i])
                       : fmt::format("{:>{}}  ", line[i], widths[i]);
    text.resize(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string Statistics::json() const {
  Json json{{"statistics", 1},      {"on", on},           {"process", process},
            {"began", began},       {"seconds", seconds}, {"nodes", nodes},
            {"topology", topology}, {"joined", joined},   {"costs", costs ? written(*costs) : Json()}};
  json["groups"] = Json::array();
  for (const GroupStatistics& group : groups) json["groups"].push_back(written(group));
  json["rows"] = Json::array();
  for (const CallStatistics& row : rows) json["rows"].push_back(written(row));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace vnode
