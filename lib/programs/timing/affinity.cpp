#include "timing/affinity.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <new>
#include <sched.h>
#include <set>

#include <vnode/error.hpp>

namespace vnode {
namespace {

/// Holds a set of PUs of the operating system, with room for more than a cpu_set_t has.
class PuSet {
 public:
  explicit PuSet(const Affinity& pus = {}) : set_(CPU_ALLOC(most)) {
    if (!set_) throw std::bad_alloc();
    CPU_ZERO_S(bytes(), set_.get());
    for (const int pu : pus) CPU_SET_S(static_cast<std::size_t>(pu), bytes(), set_.get());
  }
  /// Asks the system for the set of the calling thread; returns whether it tells.
  bool read() { return sched_getaffinity(0, bytes(), set_.get()) == 0; }
  /// Binds the calling thread; returns whether the system lets it.
  bool bind() const { return sched_setaffinity(0, bytes(), set_.get()) == 0; }
  Affinity pus() const {
    Affinity pus;
    for (int pu = 0; pu < most; ++pu)
      if (CPU_ISSET_S(static_cast<std::size_t>(pu), bytes(), set_.get())) pus.push_back(pu);
    return pus;
  }

 private:
  static constexpr int most = 8192;
  static std::size_t bytes() { return CPU_ALLOC_SIZE(most); }
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  std::unique_ptr<cpu_set_t, Free> set_;
};

int os_index(const Machine& machine, int pu) { return machine.pus[static_cast<std::size_t>(pu)].os_index; }

}  // namespace

Affinity affinity() {
  PuSet set;
  return set.read() ? set.pus() : Affinity{};
}

void set_affinity(const Affinity& pus) {
  if (!pus.empty()) PuSet(pus).bind();
}

void pin_to(const Machine& machine, int pu) {
  if (!PuSet({os_index(machine, pu)}).bind())
    throw SystemError(fmt::format("cannot pin a thread to PU {}, nothing can be measured there: {}",
                                  os_index(machine, pu), std::strerror(errno)));
}

void check_pinned(const Machine& machine, int pu) {
  if (affinity() != Affinity{os_index(machine, pu)})
    throw SystemError(fmt::format(
        "a node is not pinned to PU {}, so nothing can be measured there: is VNODE_PIN off, or are threads "
        "not allowed to choose their PUs?",
        os_index(machine, pu)));
}

Affinity allowed_affinity(const Machine& machine) {
  Affinity pus;
  for (const Pu& pu : machine.pus)
    if (pu.allowed) pus.push_back(pu.os_index);
  return pus;
}

Nodes usual_nodes(int nodes, const Machine& machine) {
  return nodes > std::ssize(machine.allowed_pus()) ? Nodes::fibers : Nodes::threads;
}

std::vector<Affinity> affinities(Team& team) {
  std::vector<Affinity> of(static_cast<std::size_t>(team.size()));
  team.run([&](Node& me) { of[static_cast<std::size_t>(me.rank())] = affinity(); });
  return of;
}

int cores_of(const Machine& machine, const std::vector<Affinity>& threads) {
  std::set<int> cores;
  for (const Pu& pu : machine.pus)
    for (const Affinity& pus : threads)
      if (std::ranges::binary_search(pus, pu.os_index)) cores.insert(pu.core);
  return static_cast<int>(cores.size());
}

bool core_each(Team& team, const Machine& machine) {
  return team.size() <= cores_of(machine, affinities(team));
}

}  // namespace vnode
