#include <memory>
#include <sched.h>

#include "measure/affinity.hpp"

namespace vnode::bench {
namespace {

constexpr int most_pus = 8192;

struct Free {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

}  // namespace

Affinity affinity() {
  const std::unique_ptr<cpu_set_t, Free> set{CPU_ALLOC(most_pus)};
  const std::size_t size = CPU_ALLOC_SIZE(most_pus);
  CPU_ZERO_S(size, set.get());
  Affinity pus;
  if (sched_getaffinity(0, size, set.get()) != 0) return pus;
  for (int pu = 0; pu < most_pus; ++pu)
    if (CPU_ISSET_S(static_cast<std::size_t>(pu), size, set.get())) pus.push_back(pu);
  return pus;
}

void set_affinity(const Affinity& pus) {
  if (pus.empty()) return;
  const std::unique_ptr<cpu_set_t, Free> set{CPU_ALLOC(most_pus)};
  const std::size_t size = CPU_ALLOC_SIZE(most_pus);
  CPU_ZERO_S(size, set.get());
  for (const int pu : pus) CPU_SET_S(static_cast<std::size_t>(pu), size, set.get());
  sched_setaffinity(0, size, set.get());
}

}  // namespace vnode::bench
