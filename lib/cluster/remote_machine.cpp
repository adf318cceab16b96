#include "cluster/remote_machine.hpp"

#include <utility>
#include <vector>

#include "base/at.hpp"

namespace vnode {

void tell(MessageBuffer& said, const Machine& machine) {
  said.add(machine.source);
  said.add(machine.pus.size());
  for (const Pu& pu : machine.pus) {
    for (const int number : {pu.os_index, pu.core, pu.numa, pu.package}) said.add(number);
    said.add(int{pu.allowed});
  }
  said.add(machine.caches.size());
  for (const Cache& cache : machine.caches) {
    said.add(cache.level);
    said.add(cache.pus);
  }
}

Machine remote_machine(MessageBuffer& said) {
  Machine machine;
  machine.source = said.text();
  machine.this_system = false;
  machine.pus.resize(said.number());
  const auto belongs = [](auto& parts, int part, int pu) {
    if (static_cast<std::size_t>(part) >= parts.size()) parts.resize(static_cast<std::size_t>(part) + 1);
    at(parts, part).pus.push_back(pu);
  };
  for (int number = 0; Pu & pu : machine.pus) {
    for (int* const value : {&pu.os_index, &pu.core, &pu.numa, &pu.package}) *value = said.integer();
    pu.allowed = said.integer() != 0;
    belongs(machine.cores, pu.core, number);
    belongs(machine.numas, pu.numa, number);
    belongs(machine.packages, pu.package, number);
    ++number;
  }
  machine.caches.resize(said.number());
  for (Cache& cache : machine.caches) {
    cache.level = said.integer();
    cache.pus = said.list();
  }
  return machine;
}

}  // namespace vnode
