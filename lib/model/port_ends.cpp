#include "model/port_ends.hpp"

#include <fmt/format.h>
#include <vector>

#include <vnode/error.hpp>

namespace vnode {

PortEnds port_ends(const Interconnect& interconnect, Rank from, Rank to) {
  const Topology& topology = interconnect.topology;
  const std::vector<int> way = topology.route(from, to, interconnect.routing);
  const auto port = [&](Rank node, int directed_link) {
    int number = 0;
    while (topology.directed_link(node, number) != directed_link) ++number;
    return number;
  };
  return {{from, port(from, way.front()), false}, {to, port(to, way.back() ^ 1), true}};
}

int bank_of(const MemoryBanks& memory, const PortBuffer& buffer) {
  const int bank = memory.bank(buffer);
  if (bank != every_bank && (bank < 0 || bank >= static_cast<int>(memory.bandwidth.size())))
    throw UsageError(fmt::format("a buffer of node {} cannot be on bank {}: there are 0 to {}", buffer.node,
                                 bank, memory.bandwidth.size() - 1));
  return bank;
}

}  // namespace vnode
