#include "targets/two_cores.hpp"

#include <vnode/lab/machine.hpp>

namespace vnode::bench {

namespace {

Affinity two_cores() {
  const Machine machine = Machine::discover();
  Affinity pus;
  int last_core = -1;
  for (const int pu : machine.allowed_pus()) {
    const Pu& candidate = machine.pus[static_cast<std::size_t>(pu)];
    if (candidate.core == last_core) continue;
    last_core = candidate.core;
    pus.push_back(candidate.os_index);
    if (pus.size() == 2) break;
  }
  return pus;
}

}  // namespace

TwoCores::TwoCores() : on_two_(two_cores()) {}

}  // namespace vnode::bench
