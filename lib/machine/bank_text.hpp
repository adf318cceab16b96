#pragma once

#include <string>

#include <vnode/model/machine.hpp>

#include "base/at.hpp"

namespace vnode {

/// Returns the name of a bank, or of any NUMA node, for people: the system's number, or "-" if the machine
/// has none for it.
inline std::string bank_text(const Machine& machine, int bank) {
  if (bank < 0 || bank >= static_cast<int>(machine.numas.size())) return "-";
  const int number = at(machine.numas, bank).os_index;
  return number >= 0 ? std::to_string(number) : "-";
}

}  // namespace vnode
