#pragma once

#include <string>

#include <vnode/lab/machine.hpp>

#include "base/at.hpp"

namespace vnode {

/// A bank, or any NUMA node, for people: by the system's number; "-" if the machine has none for it.
inline std::string bank_text(const Machine& machine, int bank) {
  if (bank < 0 || bank >= static_cast<int>(machine.numas.size())) return "-";
  const int number = at(machine.numas, bank).os_index;
  return number >= 0 ? std::to_string(number) : "-";
}

}  // namespace vnode
