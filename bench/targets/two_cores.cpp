#include "targets/two_cores.hpp"

#include <vnode/machine.hpp>

namespace vnode::bench {

TwoCores::TwoCores() : before_(affinity()) {
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
  set_affinity(pus);
}

}  // namespace vnode::bench
