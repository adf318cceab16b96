#include <barrier>
#include <memory>

#include "barrier/contestants.hpp"

namespace vnode::bench {

Contestant barrier_std(int callers) {
  auto meeting = std::make_shared<std::barrier<>>(callers);
  return {.by = "std", .call = [meeting](const Seat&) { meeting->arrive_and_wait(); }};
}

}  // namespace vnode::bench
