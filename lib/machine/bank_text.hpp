#pragma once

#include <cstddef>
#include <string>

#include <vnode/lab/machine.hpp>

namespace vnode {

/// A bank, or any NUMA node, for people: by the system's number; "-" if the machine has none for it.
inline std::string bank_text(const Machine& machine, int bank) {
  const auto at = static_cast<std::size_t>(bank);
  const bool known = at < machine.numas.size() && machine.numas[at].os_index >= 0;
  return known ? std::to_string(machine.numas[at].os_index) : "-";
}

}  // namespace vnode
