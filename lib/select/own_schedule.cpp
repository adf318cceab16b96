#include "select/own_schedule.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/select.hpp>
#include <vnode/model/verify.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/shape.hpp>

#include "compile/plan.hpp"
#include "schedule/collective_traits.hpp"

namespace vnode {
namespace {

std::uint64_t hash_of(const Schedule& schedule) {
  std::uint64_t hash = 0;
  const auto add = [&](auto value) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  };
  const auto add_blocks = [&](Blocks blocks) {
    for (const Interval& interval : schedule.intervals(blocks)) add(interval.first), add(interval.last);
    add(-1);
  };
  add(schedule.nodes());
  add(schedule.blocks());
  for (const Round& round : schedule.rounds()) {
    add(round.size());
    for (const Transfer& t : round) {
      add(t.from), add(t.to), add(t.effect);
      add_blocks(t.what), add_blocks(t.into);
    }
  }
  return hash;
}

/// Returns how many blocks there may be for each segment of a message in a scan with so many blocks: one for
/// results, one for running totals, and in an exclusive scan a third one; or, where there is a copy of the
/// message for each rank, one for each pair of ranks.
std::vector<int> copies(const Schedule& schedule, Collective collective) {
  std::vector<int> list{2, 3};
  if (collective == Collective::scan) list = {1, 2, schedule.nodes() * schedule.nodes()};
  std::erase_if(list, [&](int number) { return schedule.blocks() == 0 || schedule.blocks() % number != 0; });
  return list;
}

void check_size(const Schedule& schedule, const Demand& demand) {
  const int p = demand.parameters.nodes;
  if (schedule.nodes() != p)
    throw UsageError(fmt::format("the schedule is for {} nodes, and there are {}", schedule.nodes(), p));
  constexpr int most_nodes_verified = 1 << 15;  // every contribution is a set of nodes
  if (p > most_nodes_verified)
    throw UsageError(
        fmt::format("{} nodes are too many to be verified: {} are the most", p, most_nodes_verified));
  constexpr std::size_t most = std::size_t{1} << 26;
  if (static_cast<std::size_t>(schedule.nodes()) * static_cast<std::size_t>(schedule.blocks()) > most)
    throw UsageError(
        fmt::format("{} blocks on {} nodes are too many to be verified: {} on all nodes together "
                    "are the most",
                    schedule.blocks(), p, most));
  const long divisor = shares(demand.collective, p);
  const bool signals = demand.collective == Collective::barrier;
  if (demand.collective == Collective::exclusive_scan && copies(schedule, demand.collective).empty())
    throw UsageError(fmt::format("the schedule has {} blocks, exclusive_scan needs a multiple of 2 or 3",
                                 schedule.blocks()));
  if (signals ? schedule.blocks() != 0 : schedule.blocks() == 0 || schedule.blocks() % divisor != 0)
    throw UsageError(signals
                         ? fmt::format("the schedule has {} blocks, a barrier has none", schedule.blocks())
                         : fmt::format("the schedule has {} blocks, {} on {} nodes needs a multiple of {}",
                                       schedule.blocks(), enums::name(demand.collective), p, divisor));
}

}  // namespace

OwnSchedule::OwnSchedule(Schedule schedule, std::string name) {
  const std::uint64_t hash = hash_of(schedule);
  content_ = std::make_shared<const Content>(Content{std::move(schedule), std::move(name), hash});
}

const Schedule& OwnSchedule::schedule() const { return content_->schedule; }

std::string_view OwnSchedule::name() const { return content_->name; }

Contract contract_for(const Schedule& schedule, const Demand& demand) {
  check_size(schedule, demand);
  Parameters parameters = demand.parameters;
  if (demand.collective != Collective::scan && demand.collective != Collective::exclusive_scan)
    return contract(demand.collective, parameters, schedule.blocks());
  std::optional<Contract> first;
  for (const int number : copies(schedule, demand.collective)) {
    parameters.segments = schedule.blocks() / number;
    Contract wanted = contract(demand.collective, parameters, schedule.blocks());
    if (verify(schedule, wanted, {.ports = Ports::all}).empty()) return wanted;
    if (!first) first = std::move(wanted);
  }
  return *std::move(first);
}

std::vector<std::string> faults(const Schedule& schedule, const Demand& demand) {
  const Contract wanted = contract_for(schedule, demand);
  std::vector<std::string> all = verify(
      schedule, wanted, {.ports = Ports::all, .same_bits = demand.collective == Collective::all_reduce});
  if (std::ssize(schedule.rounds()) > most_rounds)
    all.push_back(fmt::format("it has {} rounds, {} is the most", schedule.rounds().size(), most_rounds));
  if (!all.empty()) return all;
  all = why_no_plan(schedule, wanted, demand.varying);
  if (demand.parameters.keep_order && !keeps_order(schedule, wanted))
    all.emplace_back("it does not combine in rank order, which an operator that is not commutative needs");
  if (demand.deterministic && !canonical(schedule, wanted))
    all.emplace_back("it does not compute the canonical expression, which deterministic calls need");
  if (demand.varying && !combines(demand.collective) && !within_shares(schedule, wanted))
    all.emplace_back("it carries parts whose sizes only other nodes know, which a v-variant cannot");
  return all;
}

}  // namespace vnode
