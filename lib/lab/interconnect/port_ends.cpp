#include "interconnect/port_ends.hpp"

#include <fmt/format.h>
#include <vector>

#include <vnode/error.hpp>

namespace vnode {

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

}  // namespace vnode
