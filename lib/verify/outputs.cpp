#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "schedule/each_block.hpp"
#include "verify/replay.hpp"

namespace vnode {

// check(rank, block, value) of everything that a node takes away.
template <class Check>
void Replay::each_output(const Check& check) const {
  for (Rank rank = 0; rank < contract_.nodes(); ++rank)
    each_block(contract_.shares[static_cast<std::size_t>(rank)].output,
               [&](int block) { check(rank, block, state_.places[place(rank, block)]); });
}

// The ranks whose contributions this output must contain, ascending.
std::span<const Rank> Replay::wanted(Rank rank, int block) const {
  const std::vector<Rank>& bring = bring_[static_cast<std::size_t>(contract_.original(block))];
  const Interval origins = contract_.shares[static_cast<std::size_t>(rank)].origins;
  return {std::ranges::lower_bound(bring, origins.first), std::ranges::lower_bound(bring, origins.last)};
}

bool Replay::holds(Value value, std::span<const Rank> ranks) const {
  if (value == absent) return ranks.empty();
  if (static_cast<std::size_t>(values_.count(value)) != ranks.size()) return false;
  return std::ranges::all_of(ranks, [&](Rank rank) { return values_.contains(value, rank); });
}

void Replay::check_outputs(Findings& findings) const {
  each_output([&](Rank rank, int block, Value value) {
    const std::span<const Rank> ranks = wanted(rank, block);
    if (!holds(value, ranks))
      findings.add([&] {
        return fmt::format("at the end block {} of node {} must hold the contributions of {}, but holds {}",
                           block, rank, fmt::join(ranks, " "), value == absent ? "nothing" : spelled(value));
      });
    else if (value != absent && value.block != contract_.original(block))
      findings.add([&] {
        return fmt::format("at the end block {} of node {} holds contributions to block {}", block, rank,
                           value.block);
      });
  });
}

void Replay::check_order(Findings& findings) const {
  each_output([&](Rank rank, int block, Value value) {
    if (value != absent && !values_.in_order(value))
      findings.add([&] {
        return fmt::format("block {} of node {} is combined as {}, not in rank order", block, rank,
                           fmt::join(values_.sequence(value), " "));
      });
  });
}

void Replay::check_same_bits(Findings& findings) const {
  struct First {
    Rank rank;
    Value value;
  };
  std::vector<First> first(blocks_, {-1, absent});
  each_output([&](Rank rank, int block, Value value) {
    First& other = first[static_cast<std::size_t>(block)];
    if (other.rank < 0) other = {rank, value};
    if (value == other.value || value == absent || other.value == absent) return;
    findings.add([&] {
      return fmt::format("block {} is {} on node {}, but {} on node {}: their bits may differ", block,
                         values_.text(other.value), other.rank, values_.text(value), rank);
    });
  });
}

bool Replay::canonical() {
  bool all = true;
  each_output([&](Rank rank, int block, Value value) {
    all = all && value == values_.canonical(wanted(rank, block), contract_.original(block));
  });
  return all;
}

}  // namespace vnode
