#include "team/owned_memory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <utility>

#include <vnode/error.hpp>

#include "transport/fabric.hpp"

namespace vnode {
namespace {

void add(OwnedMemory& memory, const Pages& pages) {
  memory.pages += pages.audit();
  for (const std::string& sentence : pages.degraded())
    if (std::ranges::find(memory.degraded, sentence) == memory.degraded.end())
      memory.degraded.push_back(sentence);
}

}

std::size_t OwnedMemory::elsewhere() const { return bank >= 0 ? pages.touched() - pages.on_bank(bank) : 0; }

std::vector<OwnedMemory> owned_memory(Fabric& fabric, const std::vector<std::unique_ptr<Engine>>& engines,
                                      const std::optional<PortBanks>& port_banks) {
  std::vector<OwnedMemory> list;
  fabric.each_slab([&](Rank owner, const Slab& slab) {
    OwnedMemory& memory = list.emplace_back(OwnedMemory{.owner = owner, .bank = slab.bank()});
    for (const Pages& pages : slab.pages()) add(memory, pages);
  });
  for (const auto& engine : engines) {
    const Rank owner = engine->endpoint().rank();
    OwnedMemory scratch{
        .owner = owner, .scratch = true, .bank = port_banks ? port_banks->bank_of_all(owner) : any_bank};
    engine->each_scratch([&](const Pages& pages) { add(scratch, pages); });
    if (scratch.pages != PageAudit{}) list.push_back(std::move(scratch));
  }
  return list;
}

Pages pages_on_ports(const BufferWanted& wanted, const Topology& topology,
                     const std::optional<PortBanks>& port_banks, bool strict) {
  const Rank owner = wanted.owner;
  const std::size_t count = wanted.count, element_bytes = wanted.element_bytes;
  if (owner < 0 || owner >= topology.nodes())
    throw UsageError(fmt::format("there is no node {}: ranks are 0 to {}", owner, topology.nodes() - 1));
  if (wanted.pieces < 0)
    throw UsageError(fmt::format("a buffer cannot be cut into {} pieces", wanted.pieces));
  if (count > std::numeric_limits<std::size_t>::max() / element_bytes) throw std::bad_array_new_length();
  const int ports = topology.degree(owner);
  if (!port_banks || ports == 0)
    return Pages(count * element_bytes,
                 placement_on(port_banks ? port_banks->bank_of_all(owner) : any_bank, strict));
  const auto parts = static_cast<std::size_t>(wanted.pieces > 0 ? wanted.pieces : ports);
  const auto begin = [&](std::size_t part) {  // as messages are cut into blocks
    return (count / parts * part + std::min(part, count % parts)) * element_bytes;
  };
  Pages pages(count * element_bytes);
  const std::size_t filled = std::min(parts, count);  // the others are empty
  for (std::size_t part = 0; part < filled; ++part) {
    const int port = static_cast<int>(part % static_cast<std::size_t>(ports));
    pages.place(begin(part), begin(part + 1) - begin(part),
                placement_on(port_banks->bank({owner, port, true}), strict));
  }
  return pages;
}

}
