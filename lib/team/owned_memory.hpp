#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <vnode/model/port_banks.hpp>
#include <vnode/pages.hpp>
#include <vnode/team.hpp>

#include "engine/engine.hpp"
#include "transport/fabric.hpp"

namespace vnode {

/// Returns the memory that a team has allocated so far, by owner and bank.
std::vector<OwnedMemory> owned_memory(Fabric& fabric, const std::vector<std::unique_ptr<Engine>>& engines,
                                      const std::optional<PortBanks>& port_banks);

/// Describes a buffer of a node that Team::buffer is asked for.
struct BufferWanted {
  Rank owner;
  std::size_t count, element_bytes;
  int pieces;  ///< 0: one for each port
};
Pages pages_on_ports(const BufferWanted& wanted, const Topology& topology,
                     const std::optional<PortBanks>& port_banks, bool strict);

}
