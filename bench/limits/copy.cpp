#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "limits/kernels.hpp"
#include "limits/limits.hpp"

namespace vnode::bench {
namespace {

// Waits for stores into another's memory, which count when they have got there.
void deliver() { std::atomic_thread_fence(std::memory_order_seq_cst); }

// Returns what each caller moves, by rank: what it takes, or what it gives.
std::vector<Work> shares(const Work& work, Rank Movement::*mover) {
  std::vector<Work> shares;
  for (const Movement& movement : work.movements) {
    const auto rank = static_cast<std::size_t>(movement.*mover);
    if (shares.size() <= rank) shares.resize(rank + 1, Work{work.bytes, {}, {}});
    shares[rank].movements.push_back(movement);
  }
  return shares;
}

Contestant moving(const char* name, const CopyKernel& kernel, const Work& work, Rank Movement::*mover) {
  const auto call = [all = shares(work, mover), copy = kernel.copy,
                     giving = mover == &Movement::giver](const Seat& seat) {
    const auto rank = static_cast<std::size_t>(seat.rank);
    if (rank >= all.size()) return;
    for (const Movement& movement : all[rank].movements) copy(movement.to, movement.from, all[rank].bytes);
    if (giving) deliver();
  };
  return {.by = fmt::format("{} {}", name, kernel.name), .call = call};
}

Contestant share(const CopyKernel& kernel, const Work& work) {
  std::vector<Rank> callers;
  for (const Movement& movement : work.movements) {
    callers.push_back(movement.giver);
    callers.push_back(movement.taker);
  }
  std::ranges::sort(callers);
  callers.erase(std::unique(callers.begin(), callers.end()), callers.end());
  const auto call = [=, copy = kernel.copy](const Seat& seat) {
    const auto place = std::ranges::find(callers, seat.rank);
    if (place == callers.end()) return;
    const Part part =
        part_of(work.bytes, static_cast<int>(place - callers.begin()), static_cast<int>(callers.size()));
    bool abroad = false;
    for (const Movement& movement : work.movements) {
      copy(movement.to + part.begin, movement.from + part.begin, part.size);
      abroad = abroad || movement.taker != seat.rank;
    }
    if (abroad) deliver();
  };
  return {.by = fmt::format("share {}", kernel.name), .call = call};
}

// Reads every line, eight sums at a time; the result goes where the compiler cannot follow.
void read(const std::byte* vector, std::size_t bytes) {
  std::uint64_t sums[8]{};
  for (std::size_t at = 0; at + sizeof sums <= bytes; at += sizeof sums) {
    std::uint64_t words[8];
    std::memcpy(words, vector + at, sizeof words);
    for (std::size_t i = 0; i < 8; ++i) sums[i] += words[i];
  }
  asm volatile("" : : "r"(sums) : "memory");
}

}  // namespace

Limit copying(const Work& work) {
  Limit limit{"copy", 1, {}};
  for (const CopyKernel& kernel : copy_kernels()) {
    limit.variants.push_back(share(kernel, work));
    limit.variants.push_back(moving("pull", kernel, work, &Movement::taker));
    limit.variants.push_back(moving("push", kernel, work, &Movement::giver));
  }
  return limit;
}

Limit copying_alone(const Work& work) {
  Limit limit{"copy alone", 1, {}};
  for (const CopyKernel& kernel : copy_kernels())
    limit.variants.push_back(moving("pull", kernel, work, &Movement::taker));
  return limit;
}

Limit copying_own(const Vectors& from, const Vectors& to) {
  Limit limit{"memcpy", 1, {}};
  for (const CopyKernel& kernel : copy_kernels()) {
    const auto call = [copy = kernel.copy, &from, &to](const Seat& seat) {
      copy(to[seat.rank], from[seat.rank], from.bytes());
    };
    limit.variants.push_back({.by = std::string{kernel.name}, .call = call, .delivers = false});
  }
  return limit;
}

Contestant with_first_read(Contestant contestant, const Vectors& result, const std::vector<Rank>& readers) {
  contestant.call = [call = std::move(contestant.call), &result, readers](const Seat& seat) {
    call(seat);
    if (std::ranges::find(readers, seat.rank) != readers.end()) read(result[seat.rank], result.bytes());
  };
  return contestant;
}

}  // namespace vnode::bench
