#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <memory>

#include "limits/kernels.hpp"
#include "limits/limits.hpp"

namespace vnode::bench {
namespace {

// A store into another's memory counts when it has got there.
void deliver() { std::atomic_thread_fence(std::memory_order_seq_cst); }

Contestant pull(const CopyKernel& kernel, const std::vector<Movement>& movements, std::size_t bytes) {
  const auto call = [=, copy = kernel.copy](const Seat& seat) {
    for (const Movement& movement : movements)
      if (movement.taker == seat.rank) copy(movement.to, movement.from, bytes);
  };
  return {.by = fmt::format("pull {}", kernel.name), .call = call};
}

Contestant push(const CopyKernel& kernel, const std::vector<Movement>& movements, std::size_t bytes) {
  const auto call = [=, copy = kernel.copy](const Seat& seat) {
    for (const Movement& movement : movements)
      if (movement.giver == seat.rank) copy(movement.to, movement.from, bytes);
    deliver();
  };
  return {.by = fmt::format("push {}", kernel.name), .call = call};
}

Contestant share(const CopyKernel& kernel, const std::vector<Movement>& movements, std::size_t bytes) {
  std::vector<Rank> callers;
  for (const Movement& movement : movements) {
    callers.push_back(movement.giver);
    callers.push_back(movement.taker);
  }
  std::ranges::sort(callers);
  callers.erase(std::unique(callers.begin(), callers.end()), callers.end());
  const auto call = [=, copy = kernel.copy](const Seat& seat) {
    const auto place = std::ranges::find(callers, seat.rank);
    if (place == callers.end()) return;
    const Part part =
        part_of(bytes, static_cast<int>(place - callers.begin()), static_cast<int>(callers.size()));
    bool abroad = false;
    for (const Movement& movement : movements) {
      copy(movement.to + part.begin, movement.from + part.begin, part.size);
      abroad = abroad || movement.taker != seat.rank;
    }
    if (abroad) deliver();
  };
  return {.by = fmt::format("share {}", kernel.name), .call = call};
}

}  // namespace

Limit copying(const std::vector<Movement>& movements, std::size_t bytes) {
  Limit limit{"copy", 1, {}};
  for (const CopyKernel& kernel : copy_kernels()) {
    limit.variants.push_back(share(kernel, movements, bytes));
    limit.variants.push_back(pull(kernel, movements, bytes));
    limit.variants.push_back(push(kernel, movements, bytes));
  }
  return limit;
}

Limit copying_alone(const std::vector<Movement>& movements, std::size_t bytes) {
  Limit limit{"copy alone", 1, {}};
  for (const CopyKernel& kernel : copy_kernels()) limit.variants.push_back(pull(kernel, movements, bytes));
  return limit;
}

}  // namespace vnode::bench
