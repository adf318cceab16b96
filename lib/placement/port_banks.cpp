#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/port_banks.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"

namespace vnode {

PortBanks::PortBanks(const Machine& machine, const Mapping& mapping, const Topology& topology, Banks policy)
    : policy_(policy),
      topology_(topology),
      count_(static_cast<int>(machine.numas.size())),
      banks_(banks_of(machine)) {
  if (mapping.pu.size() != static_cast<std::size_t>(topology.nodes()))
    throw UsageError(fmt::format("the mapping has {}, the topology, {}, has {}",
                                 counted(mapping.pu.size(), "node"), topology.text(), topology.nodes()));
  if (banks_.empty())
    throw SystemError(
        fmt::format("{} has no bank for buffers: no NUMA node has memory that may be used", machine.source));
  const NumaDistances distances = numa_distances(machine);
  std::vector<int> near;
  for (int numa = 0; numa < count_; ++numa) near.push_back(nearest_bank(machine, distances, numa).value());
  for (const int pu : mapping.pu) {
    numas_.push_back(at(machine.pus, pu).numa);
    homes_.push_back(at(near, numas_.back()));
  }
}

/// Returns the `port`-th bank after a node's own. A node whose own bank has no memory begins with the first.
int PortBanks::after(int home, int port) const {
  const auto at = std::ranges::find(banks_, home);
  const std::ptrdiff_t first = at == banks_.end() ? 0 : std::distance(banks_.begin(), at);
  return banks_[(static_cast<std::size_t>(first) + static_cast<std::size_t>(port)) % banks_.size()];
}

int PortBanks::bank(const PortBuffer& buffer) const {
  switch (policy_) {
    case Banks::peer: {
      const int peer = topology_.neighbour(buffer.node, buffer.port);
      return home(peer < topology_.nodes() ? peer : buffer.node);
    }
    case Banks::spread:
      return after(home(buffer.node), buffer.port);
    case Banks::interleave:
      return every_bank;
    case Banks::one:
      return banks_.front();
    case Banks::owner:
      break;
  }
  return home(buffer.node);
}

int PortBanks::bank_between(Rank from, Rank to) const {
  if (policy_ == Banks::peer) return home(from);
  if (policy_ != Banks::spread || from == to) return bank({to, 0, true});
  return bank({to, topology_.port_of(topology_.route(from, to).back() ^ 1), true});
}

int PortBanks::bank_of_all(Rank node) const {
  if (policy_ == Banks::owner) return home(node);
  return policy_ == Banks::one ? banks_.front() : every_bank;
}

MemoryBanks PortBanks::memory(std::vector<double> bandwidth, std::vector<std::vector<double>> between) const {
  return {.bandwidth = std::move(bandwidth),
          .between = std::move(between),
          .home = [banks = *this](Rank node) { return banks.numa(node); },
          .bank = [banks = *this](const PortBuffer& buffer) { return banks.bank(buffer); },
          .turns = banks_};
}

}  // namespace vnode
