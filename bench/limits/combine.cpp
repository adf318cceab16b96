#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <set>

#include "data/element.hpp"
#include "limits/kernels.hpp"
#include "limits/limits.hpp"

namespace vnode::bench {
namespace {

constexpr std::size_t segment = 8192;

// Returns where the next value is wanted first, if the kernel stores through the caches; else null.
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

// Holds what each caller does, by rank.
using Shares = std::vector<Work>;

// Tells whether the worker stores into another's memory: such a store counts when it has got there.
bool abroad(const Work& work, Rank worker) {
  for (const Fold& fold : work.folds)
    for (const Fold::Tap& tap : fold.taps)
      if (tap.taker != worker) return true;
  return false;
}

Contestant folding(const char* name, const CombineKernel& kernel, const Shares& shares, bool parts) {
  std::vector<bool> delivering;
  for (std::size_t rank = 0; rank < shares.size(); ++rank)
    delivering.push_back(abroad(shares[rank], static_cast<Rank>(rank)));
  const auto call = [=](const Seat& seat) {
    const auto rank = static_cast<std::size_t>(seat.rank);
    const Work& share = shares[rank];
    const int callers = static_cast<int>(shares.size());
    fold(share, parts ? part_of(share.bytes, seat.rank, callers) : Part{0, share.bytes}, kernel);
    if (delivering[rank]) std::atomic_thread_fence(std::memory_order_seq_cst);
  };
  return {.by = fmt::format("{} {}", name, kernel.name), .call = call};
}

Shares everything(const Work& work, int callers) {
  Shares shares;
  for (Rank rank = 0; rank < callers; ++rank) shares.push_back(own_first(work, rank));
  return shares;
}

Shares own(const Work& work, int callers) {
  Shares shares;
  for (Rank rank = 0; rank < callers; ++rank) shares.push_back(wanted_by(work, rank));
  return shares;
}

// Gives all of the work to one caller.
Shares by(Rank worker, const Work& work, int callers) {
  Shares shares(static_cast<std::size_t>(callers));
  shares[static_cast<std::size_t>(worker)] = work;
  return shares;
}

std::set<Rank> takers(const Work& work) {
  std::set<Rank> takers;
  for (const Fold& fold : work.folds)
    for (const Fold::Tap& tap : fold.taps) takers.insert(tap.taker);
  return takers;
}

}  // namespace

CombineKernel vnode_kernel(Arithmetic datatype, StandardOperator op) {
  return with_type(datatype, [op]<class T>(std::type_identity<T>) {
    return with_operator<T>(op, []<class Operator>(Operator) {
      return CombineKernel{
          "vnode", [](std::byte* to, const std::byte* left, const std::byte* right, std::size_t bytes) {
            kernels_of<T, Operator>().combine(nullptr, to, left, right, bytes / sizeof(T));
          }};
    });
  });
}

void fold(const Work& work, Part part, const CombineKernel& kernel) {
  for (std::size_t at = part.begin; at < part.begin + part.size; at += segment)
    for (const Fold& each : work.folds)
      fold_segment(each, at, std::min(segment, part.begin + part.size - at), kernel);
}

Limit combining(const Work& work, int callers, Arithmetic datatype, StandardOperator op) {
  Limit limit{"combine", 1, {}};
  const std::set<Rank> wanting = takers(work);
  for (const CombineKernel& kernel : combine_kernels(datatype, op)) {
    limit.variants.push_back(folding("share", kernel, everything(work, callers), true));
    limit.variants.push_back(folding("pull", kernel, own(work, callers), false));
    if (wanting.size() == 1)
      limit.variants.push_back(
          folding("push", kernel, by((*wanting.begin() + 1) % callers, work, callers), false));
  }
  return limit;
}

Limit combining_alone(const Work& work, int callers, Arithmetic datatype, StandardOperator op) {
  Limit limit{"combine alone", 1, {}};
  for (const CombineKernel& kernel : combine_kernels(datatype, op))
    limit.variants.push_back(folding("pull", kernel, own(work, callers), false));
  return limit;
}

Limit combining_by_vnode(const Work& work, int callers, Arithmetic datatype, StandardOperator op) {
  return {"combine by vnode's kernel",
          1,
          {folding("pull", vnode_kernel(datatype, op), own(work, callers), false)}};
}

}  // namespace vnode::bench
