// What a team's nodes have counted, put together.
#include <algorithm>
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <map>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <vnode/statistics.hpp>

#include "base/append_file.hpp"
#include "base/at.hpp"
#include "select/plans.hpp"
#include "team/team_state.hpp"

namespace vnode {
namespace {

/// Holds a row of the team's statistics while it is put together.
struct Joint {
  CallStatistics row;
  std::map<Rank, double> awaited;  // by node: how long it was waited for
};

/// Returns the sort key of a row: group, operation, size class, algorithm.
auto order(const CountedKind& kind) {
  return std::tuple(kind.group, kind.operation, kind.varying, kind.size_class, kind.algorithm, kind.in_order,
                    kind.deterministic, kind.radix);
}
struct Earlier {
  bool operator()(const CountedKind& a, const CountedKind& b) const { return order(a) < order(b); }
};

bool is_message(std::string_view operation) {
  return operation == "send" || operation == "recv" || operation == "sendrecv";
}

void conclude(Joint& joint) {
  CallStatistics& row = joint.row;
  const auto longest =
      std::ranges::max_element(joint.awaited, {}, [](const auto& one) { return one.second; });
  if (longest != joint.awaited.end()) std::tie(row.awaited, row.awaited_seconds) = *longest;
  const auto per_call = [](const NodeStatistics& node) {
    return node.waiting / static_cast<double>(node.calls);
  };
  if (row.nodes.size() >= 2 && !is_message(row.operation))
    row.last = std::ranges::min_element(row.nodes, {}, per_call)->node;
}

}  // namespace

void Team::State::count_calls() {
  for (const auto& engine : engines) engine->set_counters(std::make_unique<CallCounters>(topology.nodes()));
}

double Team::State::seconds_per_tick() const {
  constexpr auto enough = std::chrono::milliseconds(1);
  if (std::chrono::steady_clock::now() - made < enough) std::this_thread::sleep_for(enough);
  const Ticks ticks = now();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - made;
  return passed.count() / static_cast<double>(ticks - made_ticks);
}

GroupStatistics Team::State::group_statistics(const std::vector<Rank>& nodes, const std::string& shape,
                                              const std::optional<CostModel>& known) const {
  GroupStatistics group{.nodes = nodes, .topology = shape};
  if (nodes.empty()) return group;
  Nearness nearness(facts.machine, facts.mapping, nodes, facts.outside, fabric.carriers_of(nodes));
  group.nodes_per_pu = nearness.nodes_per_pu();
  group.hierarchy = nearness.hierarchy().text();
  group.turn = nearness.turn();
  if (known) {
    CostModel of_group = *known;
    of_group.turn = group.turn;
    group.near = nearness.near_costs(nearness.hierarchy(), of_group);
  }
  return group;
}

Statistics Team::State::statistics() {
  Statistics all{.on = counted_groups.has_value(),
                 .process = process_number(),
                 .began = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(made_at)),
                 .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - made).count(),
                 .nodes = topology.nodes(),
                 .topology = topology.text(),
                 .joined = life->of_callers(),
                 .costs = costs.known_already()};
  if (!all.on) return all;
  for (const auto& [nodes, shape] : counted_groups->entries())
    all.groups.push_back(group_statistics(nodes, shape, all.costs));
  const double tick = seconds_per_tick();
  const auto seconds = [&](Ticks ticks) { return static_cast<double>(ticks) * tick; };
  std::map<CountedKind, Joint, Earlier> rows;
  for (const auto& engine : engines)
    engine->counters()->each([&](const CountedRow& counted) {
      const CountedKind& kind = counted.kind();
      // This group was made meanwhile.
      if (kind.group >= all.groups.size()) return;
      Joint& joint = rows[kind];
      counted.waits().each([&](Rank peer, Ticks ticks) { joint.awaited[peer] += seconds(ticks); });
      const CountedRow::Figures own = counted.figures();
      if (own.calls == 0) return;
      CallStatistics& row = joint.row;
      const NodeStatistics node{engine->endpoint().rank(), own.calls, own.bytes, seconds(own.time),
                                seconds(own.waiting)};
      const bool sums = is_message(kind.operation);
      row.calls = sums ? row.calls + node.calls : std::max(row.calls, node.calls);
      row.bytes = sums || kind.varying ? row.bytes + node.bytes : std::max(row.bytes, node.bytes);
      row.seconds += node.seconds;
      row.waiting += node.waiting;
      row.least = row.nodes.empty() ? seconds(own.least) : std::min(row.least, seconds(own.least));
      row.longest = std::max(row.longest, seconds(own.longest));
      row.nodes.push_back(node);
    });
  for (auto& [kind, joint] : rows) {
    CallStatistics& row = joint.row;
    if (row.nodes.empty()) continue;
    row.operation = kind.operation;
    row.algorithm = kind.algorithm;
    row.group = static_cast<int>(kind.group);
    row.up_to_bytes = most_bytes_of(kind.size_class);
    row.varying = kind.varying;
    row.in_order = kind.in_order;
    row.deterministic = kind.deterministic;
    row.radix = kind.radix;
    conclude(joint);
    all.rows.push_back(std::move(row));
  }
  return all;
}

}  // namespace vnode
