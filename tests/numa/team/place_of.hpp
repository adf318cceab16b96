#pragma once

#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>

#include "numa/kernel.hpp"

/// Where node `rank` runs by the mapping.
inline kernel::Place place_of(const vnode::Machine& machine, const vnode::Mapping& mapping, int rank) {
  const vnode::Pu& pu = machine.pus[static_cast<std::size_t>(mapping.pu[static_cast<std::size_t>(rank)])];
  return {static_cast<unsigned>(pu.os_index),
          static_cast<unsigned>(machine.numas[static_cast<std::size_t>(pu.numa)].os_index)};
}
