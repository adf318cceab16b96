#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/bank_condition.hpp>

#include "base/at.hpp"
#include "interconnect/port_ends.hpp"

namespace vnode {
namespace {

void add_stream(std::vector<double>& streams, int bank, const std::vector<int>& turns) {
  if (bank == every_bank)
    for (const int one : turns) at(streams, one) += 1.0 / static_cast<double>(turns.size());
  else
    ++at(streams, bank);
}

/// Returns the bank whose streams are the greatest part of what it feeds.
BankLoad fullest(const std::vector<double>& streams, const std::vector<double>& most) {
  BankLoad load;
  double greatest = 0;
  for (std::size_t bank = 0; bank < streams.size(); ++bank) {
    if (most[bank] <= 0) continue;  // a stream that takes no time is never slowed
    const double part = streams[bank] / most[bank];
    if (part <= greatest) continue;
    greatest = part;
    load = {static_cast<int>(bank), streams[bank], std::max(part, 1.0)};
  }
  return load;
}

}  // namespace

bool BankCondition::holds() const {
  return std::ranges::all_of(rounds, [](const BankLoad& load) { return load.factor <= 1; });
}

BankLoad BankCondition::tightest() const {
  const auto at = std::ranges::max_element(rounds, [](const BankLoad& a, const BankLoad& b) {
    return a.factor < b.factor || (a.factor == b.factor && a.streams < b.streams);
  });
  return at == rounds.end() ? BankLoad{} : *at;
}

BankCondition bank_condition(const Schedule& schedule, const Volume& volume, const Interconnect& interconnect,
                             const MemoryBanks& memory, const Hockney& costs) {
  if (interconnect.topology.nodes() != schedule.nodes())
    throw UsageError(fmt::format("a schedule of {} nodes cannot run on {} nodes", schedule.nodes(),
                                 interconnect.topology.nodes()));
  BankCondition condition;
  for (const double bandwidth : memory.bandwidth) condition.most.push_back(bandwidth * costs.t_w);
  const std::vector<int> turns = turns_of(memory);
  for (const Round& round : schedule.rounds()) {
    std::vector<double> streams(memory.bandwidth.size());
    int largest = 0;
    for (const Transfer& message : messages(round)) {
      largest = std::max(largest, schedule.count(message.what));
      const PortEnds ends = port_ends(interconnect, message.from, message.to);
      add_stream(streams, bank_of(memory, ends.out), turns);
      add_stream(streams, bank_of(memory, ends.in), turns);
    }
    const BankLoad load = condition.rounds.emplace_back(fullest(streams, condition.most));
    const double bytes = volume.of(largest);
    condition.unlimited += costs.t_s + costs.t_w * bytes;
    condition.seconds += costs.t_s + costs.t_w * load.factor * bytes;
  }
  return condition;
}

}  // namespace vnode
