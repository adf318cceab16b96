#include "interconnect/bank_condition.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/bank_condition.hpp>

#include "base/at.hpp"

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

PortEnds port_ends(const Interconnect& interconnect, Rank from, Rank to) {
  const Topology& topology = interconnect.topology;
  const std::vector<int> way = topology.route(from, to, interconnect.routing);
  return {{from, topology.port_of(way.front()), false}, {to, topology.port_of(way.back() ^ 1), true}};
}

int bank_of(const MemoryBanks& memory, const PortBuffer& buffer) {
  const int bank = memory.bank(buffer);
  if (bank != every_bank && (bank < 0 || bank >= static_cast<int>(memory.bandwidth.size())))
    throw UsageError(fmt::format("a buffer of node {} cannot be on bank {}: there are 0 to {}", buffer.node,
                                 bank, memory.bandwidth.size() - 1));
  return bank;
}

std::vector<int> turns_of(const MemoryBanks& memory) {
  const int banks = static_cast<int>(memory.bandwidth.size());
  std::vector<int> turns = memory.turns;
  if (turns.empty())
    for (int bank = 0; bank < banks; ++bank) turns.push_back(bank);
  for (const int bank : turns)
    if (bank < 0 || bank >= banks)
      throw UsageError(
          fmt::format("buffers cannot lie on bank {} in turn: there are 0 to {}", bank, banks - 1));
  return turns;
}

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
