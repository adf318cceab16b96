#include <algorithm>
#include <atomic>
#include <fmt/format.h>

#include "limits/kernels.hpp"
#include "limits/limits.hpp"

namespace vnode::bench {
namespace {

constexpr std::size_t segment = 16384;  // of a sum of more than two: stays in the nearest cache

// Part `part` of all vectors into the root's.
void combine(const CombineKernel& kernel, const Vectors& data, Rank root, Part part) {
  for (std::size_t at = part.begin; at < part.begin + part.size; at += segment) {
    const std::size_t size = std::min(segment, part.begin + part.size - at);
    for (Rank rank = 0; rank < data.callers(); ++rank)
      if (rank != root) kernel.combine(data[root] + at, data[rank] + at, size);
  }
}

Contestant alone(const CombineKernel& kernel, const Vectors& data, Rank root, Rank worker, const char* name) {
  const auto call = [=, &data](const Seat& seat) {
    if (seat.rank != worker) return;
    combine(kernel, data, root, {0, data.bytes()});
    if (worker != root) std::atomic_thread_fence(std::memory_order_seq_cst);  // delivered
  };
  return {.by = fmt::format("{} {}", name, kernel.name), .call = call};
}

Contestant share(const CombineKernel& kernel, const Vectors& data, Rank root) {
  const auto call = [=, &data](const Seat& seat) {
    combine(kernel, data, root, part_of(data.bytes(), seat.rank, data.callers()));
    if (seat.rank != root) std::atomic_thread_fence(std::memory_order_seq_cst);  // delivered
  };
  return {.by = fmt::format("share {}", kernel.name), .call = call};
}

}  // namespace

Limit combining(const Vectors& data, Rank root, Arithmetic datatype, StandardOperator op) {
  Limit limit{"combine", 1, {}};
  const Rank neighbour = (root + 1) % data.callers();
  for (const CombineKernel& kernel : combine_kernels(datatype, op)) {
    limit.variants.push_back(share(kernel, data, root));
    limit.variants.push_back(alone(kernel, data, root, root, "pull"));
    limit.variants.push_back(alone(kernel, data, root, neighbour, "push"));
  }
  return limit;
}

Limit combining_alone(const Vectors& data, Rank root, Arithmetic datatype, StandardOperator op) {
  Limit limit{"combine alone", 1, {}};
  for (const CombineKernel& kernel : combine_kernels(datatype, op))
    limit.variants.push_back(alone(kernel, data, root, root, "pull"));
  return limit;
}

}  // namespace vnode::bench
