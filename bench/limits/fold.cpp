#include "limits/fold.hpp"

#include <algorithm>

namespace vnode::bench {
namespace {

constexpr std::size_t segment = 8192;

// Where the next value is wanted first, if the kernel stores through the caches.
std::byte* straight_to(const Fold& fold, std::size_t tap, int after, const CombineKernel& kernel) {
  const bool wanted = tap < fold.taps.size() && fold.taps[tap].after == after;
  return wanted && kernel.store == nullptr ? fold.taps[tap].to : nullptr;
}

void fold_segment(const Fold& fold, std::size_t begin, std::size_t size, const CombineKernel& kernel) {
  alignas(64) std::byte scratch[segment];
  const auto store = kernel.store ? kernel.store : copy_kernels().front().copy;
  const std::byte* value = fold.from.front() + begin;
  std::size_t tap = 0;
  for (int after = 1;; ++after) {
    for (; tap < fold.taps.size() && fold.taps[tap].after == after; ++tap)
      if (std::byte* const to = fold.taps[tap].to + begin; to != value) store(to, value, size);
    if (tap == fold.taps.size()) return;
    std::byte* const wanted = straight_to(fold, tap, after + 1, kernel);
    std::byte* const next = wanted ? wanted + begin : scratch;
    kernel.combine(next, value, fold.from[static_cast<std::size_t>(after)] + begin, size);
    value = next;
  }
}

}  // namespace

void fold(const Work& work, Part part, const CombineKernel& kernel) {
  for (std::size_t at = part.begin; at < part.begin + part.size; at += segment)
    for (const Fold& each : work.folds)
      fold_segment(each, at, std::min(segment, part.begin + part.size - at), kernel);
}

}  // namespace vnode::bench
