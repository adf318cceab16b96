#include "select/plans.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/select.hpp>

#include "building_blocks/needs.hpp"
#include "channel/board.hpp"
#include "compile/meetings.hpp"
#include "select/meeting_form.hpp"

namespace vnode {
namespace {

std::string_view variant(const CallKey& key) {
  if (key.varying) return "with a count for each rank";
  if (key.aliasing != Aliasing::none && !has_root(key.collective)) return "in place";
  return {};
}

/// Returns the kind of a call, which is all that nodes must agree on except counts. It does not depend on
/// whether a node asks for the algorithm or it is chosen.
CallKind kind_of(const CallKey& key, std::string_view algorithm) {
  CallKey agreed = key;
  agreed.algorithm = key.schedule ? std::string_view{} : algorithm;
  agreed.count = 0;
  agreed.counts = {};
  return {enums::name(key.collective),
          algorithm,
          key.element_name,
          key.op_name,
          variant(key),
          key.root,
          agreed.hash(),
          key.varying};
}

/// Throws UsageError unless the caller's schedule does what is wanted.
void check(const OwnSchedule& own, const Demand& demand) try {
  const std::vector<std::string> wrong = faults(own.schedule(), demand);
  constexpr std::size_t enough = 3;
  if (!wrong.empty())
    throw UsageError(fmt::format(
        "{}{}",
        fmt::join(wrong.begin(), wrong.begin() + std::min(std::ssize(wrong), std::ptrdiff_t{enough}), "; "),
        wrong.size() > enough ? "; and more" : ""));
} catch (const UsageError& error) {
  throw UsageError(fmt::format("{} cannot run as {}{}: {}", own.name(), enums::name(demand.collective),
                               has_root(demand.collective)
                                   ? fmt::format(" from or to root {}", demand.parameters.root)
                                   : std::string(),
                               error.what()));
}

/// Tells whether there is anything to choose by time: an algorithm, the form of a hierarchical one, or
/// segments.
bool is_open(const Demand& demand) {
  if (demand.algorithm.empty()) return true;
  const Algorithm& forced = algorithm(demand.collective, demand.algorithm);
  return (forced.segments && demand.parameters.segments == 0) ||
         (needs(forced, Need::domains) && !demand.parameters.hierarchy.ways().form);
}

/// Returns what makes the programs of nodes that share cores where they meet instead of sending messages;
/// null where they do not.
Plan::Direct at_meetings(const Algorithm& algorithm, const Demand& demand, const CallKey& key,
                         const CostModel& costs) {
  const auto nodes = static_cast<std::size_t>(demand.parameters.nodes);
  const std::size_t bytes = demand.bytes, all = nodes * bytes;
  switch (meeting_form(algorithm, demand, demand.parameters, costs)) {
    case MeetingForm::none:
    case MeetingForm::counted:  // the planner does that
      return {};
    case MeetingForm::gathered:
      return [=](Rank) { return make_program({true, bytes, all, 0}); };
    case MeetingForm::combined:
      if (key.collective == Collective::all_reduce)
        return [=](Rank) { return make_program({false, bytes, bytes, 0}); };
      return [=](Rank rank) {
        return make_program({false, all, bytes, static_cast<std::size_t>(rank) * bytes});
      };
    case MeetingForm::exchange:
      break;
  }
  const int sent = key.collective == Collective::all_to_all ? demand.parameters.nodes : 1;
  return [exchange = CompleteExchange{sent, bytes}, aliasing = key.aliasing](Rank rank) {
    return make_program(exchange, aliasing, rank);
  };
}

}

Plans::Plans(const Topology& topology, const Overrides& overrides, Costs& costs, Nearness nearness,
             std::shared_ptr<PlanCache> cache)
    : nearness_(std::move(nearness)),
      topology_(topology),
      overrides_(overrides),
      costs_(costs),
      extents_(mesh_extents(topology)),
      cache_(std::move(cache)) {}

std::shared_ptr<const PreparedCall> Plans::prepare(const CallKey& key) {
  const std::lock_guard lock(mutex_);
  if (auto known = cache_->find(this, key)) return known;
  if (refused_ && *refused_->key == key) throw UsageError(refused_->reason);
  std::shared_ptr<const PreparedCall> made;
  try {
    made = build(key);
  } catch (const UsageError& error) {
    refused_.emplace(key, error.what());
    throw;
  }
  cache_->keep(this, made);
  return made;
}

Demand Plans::demand_of(const CallKey& key) {
  Demand demand;
  demand.collective = key.collective;
  demand.bytes = key.count * key.element_bytes;
  demand.deterministic = key.deterministic;
  demand.at_once = key.at_once && !key.deterministic;  // the canonical expression rounds every time
  demand.varying = key.varying;
  Parameters& parameters = demand.parameters;
  parameters.nodes = topology_.nodes();
  parameters.root = std::max(key.root, 0);
  parameters.extents = extents_;
  parameters.keep_order = key.keep_order || key.deterministic;
  parameters.shift = key.shift;
  parameters.segments = key.segments;
  parameters.radix = key.radix;
  if (key.varying) {
    demand.bytes = 0;
    for (const std::size_t count : key.counts)
      demand.bytes = std::max(demand.bytes, count * key.element_bytes);
  }
  demand.algorithm = key.algorithm;
  parameters.hierarchy = key.hierarchy ? *key.hierarchy.at : nearness_.hierarchy();
  if (const Overrides::Rule* rule = overrides_.find(key.collective, demand.bytes);
      rule != nullptr && demand.algorithm.empty()) {
    demand.algorithm = rule->algorithm->name;
    if (!key.hierarchy && !rule->hierarchy.empty()) parameters.hierarchy = nearness_.parsed(rule->hierarchy);
  }
  return demand;
}

std::shared_ptr<const PreparedCall> Plans::build(const CallKey& key) {
  Demand demand = demand_of(key);
  Candidate best;  // none: the caller's schedule
  const auto nodes = static_cast<std::size_t>(topology_.nodes());
  const bool open = nodes > 1 && !key.schedule && is_open(demand);
  CostModel costs = costs_.of_call(open, nodes > 1 ? nodes * demand.bytes : 0);
  if (!key.schedule) {
    costs.nodes_per_pu = nearness_.nodes_per_pu();
    costs.turn = nearness_.turn();
    demand.meets = nearness_.processes() == nullptr && key.element_alignment <= 16;
    if (open) {
      demand.near = nearness_.near_costs(demand.parameters.hierarchy, costs);
      demand.tuned = costs_.tuned();
    }
    best = choose(demand, topology_, nearness_.farthest_costs(costs), shares_);
    demand.parameters.segments = best.segments;
    if (best.hierarchy) demand.parameters.hierarchy = best.hierarchy;
  }
  if (key.schedule) check(*key.schedule.at, demand);
  auto made = std::make_shared<PreparedCall>(key);
  if (best.algorithm != nullptr && best.algorithm->segments) made->segments = best.segments;
  const std::string_view algorithm = key.schedule ? key.schedule->name() : best.algorithm->name;
  made->record = {cache_->kept(kind_of(key, algorithm)), key.count};
  made->signature = made->record.signature();
  Profile profile{costs.eager_to,       std::min(costs.eager_to, Board::max_inline),
                  costs.shared_from,    key.deterministic,
                  demand.at_once,       nearness_.nodes_per_pu() > 1,
                  nearness_.processes()};
  if (key.element_alignment > 16)
    profile.max_inline = profile.max_published = 0;  // lines align payload to 16 bytes
  Plan::Build planned;
  if (key.schedule)
    planned = [own = made->key->schedule.at,
               wanted = contract_for(key.schedule->schedule(), demand)](std::optional<Rank>) {
      return Planned{own->schedule(), wanted};
    };
  else
    planned = [algorithm = best.algorithm, told = demand.parameters](std::optional<Rank> only) {
      Parameters part = told;
      part.only = only;
      Schedule schedule = algorithm->build(part);
      Contract wanted = contract(algorithm->collective, part, schedule.blocks());
      return Planned{std::move(schedule), std::move(wanted)};
    };
  if (key.varying && !combines(key.collective)) {
    auto [schedule, wanted] = planned({});
    std::vector<std::vector<Part>> parts;
    for (Rank rank = 0; rank < topology_.nodes(); ++rank) parts.push_back(projection(schedule, rank));
    made->varying.emplace(PreparedCall::Varying{std::move(schedule), std::move(wanted), std::move(parts)});
  } else {
    const bool usual = !key.schedule && !key.varying && nearness_.processes() == nullptr;
    const bool by_itself = usual && alike(*best.algorithm, demand.parameters);
    Plan::Direct direct;
    if (usual) direct = at_meetings(*best.algorithm, demand, key, costs);
    made->plan.emplace(topology_.nodes(), by_itself, std::move(planned),
                       Lengths{key.count, made->key->counts, key.element_bytes}, key.aliasing, profile,
                       std::move(direct));
  }
  return made;
}

}  // namespace vnode
