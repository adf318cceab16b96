#include "measure/pinning.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <new>
#include <sched.h>

#include <vnode/error.hpp>

namespace vnode {
namespace {

/// A set of PUs of the operating system, with room for more than a cpu_set_t has.
class PuSet {
 public:
  PuSet() : set_(CPU_ALLOC(most)) {
    if (!set_) throw std::bad_alloc();
    CPU_ZERO_S(bytes(), get());
  }
  cpu_set_t* get() const { return set_.get(); }
  static std::size_t bytes() { return CPU_ALLOC_SIZE(most); }

 private:
  static constexpr int most = 8192;
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  std::unique_ptr<cpu_set_t, Free> set_;
};

std::size_t os_index(const Machine& machine, int pu) {
  return static_cast<std::size_t>(machine.pus[static_cast<std::size_t>(pu)].os_index);
}

}  // namespace

void pin_to(const Machine& machine, int pu) {
  const PuSet only;
  CPU_SET_S(os_index(machine, pu), PuSet::bytes(), only.get());
  if (sched_setaffinity(0, PuSet::bytes(), only.get()) != 0)
    throw SystemError(fmt::format("cannot pin a thread to PU {}, nothing can be measured there: {}",
                                  os_index(machine, pu), std::strerror(errno)));
}

void check_pinned(const Machine& machine, int pu) {
  const PuSet now;
  if (sched_getaffinity(0, PuSet::bytes(), now.get()) != 0 || CPU_COUNT_S(PuSet::bytes(), now.get()) != 1 ||
      !CPU_ISSET_S(os_index(machine, pu), PuSet::bytes(), now.get()))
    throw SystemError(fmt::format(
        "a node is not pinned to PU {}, so nothing can be measured there: is VNODE_PIN off, or are threads "
        "not allowed to choose their PUs?",
        os_index(machine, pu)));
}

}  // namespace vnode
