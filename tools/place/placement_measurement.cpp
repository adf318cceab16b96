#include "place/placement_measurement.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

#include <vnode/error.hpp>
#include <vnode/model/port_banks.hpp>
#include <vnode/team.hpp>

#include "measure/collective_data.hpp"
#include "statistics/statistics.hpp"
#include "timing/affinity.hpp"
#include "timing/contest.hpp"

namespace vnode {
namespace {

constexpr int warm_up = 3;

/// Adds the pages that lie on the bank asked for, and the others; with a policy that takes turns it is enough
/// that they lie on some bank.
void add(PagesFound& found, const PageAudit& pages, int bank) {
  const std::size_t there = bank >= 0 ? pages.on_bank(bank) : pages.touched();
  found.as_asked += there;
  found.elsewhere += pages.touched() - there;
  found.nowhere += pages.untouched + pages.unknown;
}

/// Adds the pages of a team's buffer, each of whose `pieces`, as Team::buffer cuts it, has a bank of its own.
void add_message(PagesFound& found, const Pages& pages, std::size_t element, Rank rank,
                 const PortBanks& banks, const Topology& topology, std::size_t pieces) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const int ports = topology.degree(rank);
  const std::size_t count = pages.bytes() / element;
  const auto begin = [&](std::size_t piece) {
    return (count / pieces * piece + std::min(piece, count % pieces)) * element / page * page;
  };
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const std::size_t first = begin(piece);
    const std::size_t last = piece + 1 == pieces ? pages.bytes() : begin(piece + 1);
    if (last <= first) continue;
    const int port = static_cast<int>(piece % static_cast<std::size_t>(ports));
    add(found, audit_pages(pages.data() + first, last - first), banks.bank({rank, port, true}));
  }
}

class PlacementMeasurement {
 public:
  PlacementMeasurement(const PlacedCall& call, int calls)
      : call_(call),
        calls_(calls),
        machine_(Machine::discover()),
        team_(call.topology.nodes(), Shape::parse(call.topology.text()), options(call)),
        planned_(call.demand, &team_) {
    planned_.add(*call.candidate.algorithm, call.candidate.segments, call.candidate.hierarchy);
  }

  MeasuredPlacement run() {
    team_.run(
        [&](Node& me) { check_pinned(machine_, call_.mapping.pu[static_cast<std::size_t>(me.rank())]); });
    if (const auto banks = team_.port_banks(); !banks || banks->policy() != call_.banks)
      throw SystemError(fmt::format("the buffers lie on {}, not by {}: is VNODE_BANKS set?",
                                    banks ? std::string(enums::name(banks->policy())) : "any banks",
                                    enums::name(call_.banks)));
    const Timings timings = vnode::measure(
        team_, planned_.question(),
        {.warmup = warm_up, .iterations = calls_, .core_each = call_.mapping.own_core, .most_batch = 1});
    MeasuredPlacement measured{.times = times(timings.series.front()), .pages = {}, .degraded = {}};
    for (Rank rank = 0; rank < team_.size(); ++rank) audit(rank, measured);
    for (const OwnedMemory& memory : team_.memory()) {
      add(measured.pages, memory.pages, memory.bank);
      for (const std::string& sentence : memory.degraded) degrade(measured.degraded, sentence);
    }
    return measured;
  }

 private:
  static TeamOptions options(const PlacedCall& call) {
    TeamOptions options;
    options.keep_caller_pinned = true;
    options.nodes = Nodes::threads;  // as predicted
    options.pus = call.mapping.pu;
    options.banks = call.banks;
    options.costs = typical_costs;  // the algorithm is named, none chosen
    return options;
  }

  static void degrade(std::vector<std::string>& list, const std::string& sentence) {
    if (std::ranges::find(list, sentence) == list.end()) list.push_back(sentence);
  }

  void audit(Rank rank, MeasuredPlacement& measured) const {
    const std::size_t element = combines(call_.demand.collective) ? sizeof(double) : 1;
    for (const Pages* const pages : planned_.data(rank).pages()) {
      if (pages->bytes() == 0) continue;
      const std::size_t messages = pages->bytes() / std::max<std::size_t>(call_.demand.bytes, 1);
      add_message(measured.pages, *pages, element, rank, *team_.port_banks(), team_.topology(),
                  messages * static_cast<std::size_t>(team_.topology().degree(rank)));
      for (const std::string& sentence : pages->degraded()) degrade(measured.degraded, sentence);
    }
  }

  static MeasuredTimes times(const Series& series) {
    const CallTimes times = call_times(series);
    return {.median = median(times.seconds),
            .lower = quantile(times.seconds, 0.25),
            .upper = quantile(times.seconds, 0.75),
            .calls = times.seconds.size(),
            .late = times.late};
  }

  const PlacedCall& call_;
  const int calls_;
  const Machine machine_;
  Team team_;
  PlannedCalls planned_;
};

}  // namespace

MeasuredPlacement measured_placement(const PlacedCall& call, int calls) {
  CollectiveData::check_memory(call.demand, Machine::discover());
  return PlacementMeasurement(call, calls).run();
}

}  // namespace vnode
