#include "verify/replay.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

#include "base/at.hpp"
#include "schedule/each_block.hpp"

namespace vnode {

Replay::Replay(const Contract& contract, Nary nary)
    : contract_(contract),
      blocks_(static_cast<std::size_t>(contract.blocks)),
      values_(contract.nodes(), nary),
      state_{std::vector<Value>(contract.shares.size() * blocks_, absent), 0},
      bring_(blocks_),
      combined_(contract.shares.size()),
      latest_(state_.places.size(), -1) {
  for (Rank rank = 0; rank < contract.nodes(); ++rank)
    each_block(at(contract.shares, rank).input, [&](int block) {
      const int original = contract.original(block);
      state_.places[place(rank, block)] = values_.own(rank, original);
      std::vector<Rank>& bring = at(bring_, original);
      if (bring.empty() || bring.back() != rank) bring.push_back(rank);
    });
}

std::size_t Replay::place(Rank rank, int block) const {
  return static_cast<std::size_t>(rank) * blocks_ + static_cast<std::size_t>(block);
}

void Replay::play(const Schedule& schedule, const Round& round, int number, Findings& findings) {
  round_ = number;
  arrivals_.clear();
  std::ranges::fill(combined_, 0);
  for (const Transfer& transfer : round) send(schedule, transfer, findings);
  for (int i = 0; i < static_cast<int>(arrivals_.size()); ++i) {
    int& latest = latest_[at(arrivals_, i).place];
    if (latest != i) continue;
    arrive(i, findings);
    latest = -1;
  }
  state_.combined += std::ranges::max(combined_);
}

void Replay::send(const Schedule& schedule, const Transfer& transfer, Findings& findings) {
  bool leads = true;
  each_block(schedule, transfer, [&](int what, int into) {
    const Value value = state_.places[place(transfer.from, what)];
    if (value == absent) {
      findings.add([&] {
        return fmt::format("round {}: node {} sends block {} to node {}, but does not hold it", round_,
                           transfer.from, what, transfer.to);
      });
    } else {
      if (contract_.originals > 0) check_sends_copy(transfer.from, what, findings);
      const std::size_t where = place(transfer.to, into);
      const int earlier = std::exchange(latest_[where], static_cast<int>(arrivals_.size()));
      arrivals_.push_back({&transfer, value, where, earlier, leads});
    }
    leads = false;
  });
}

// Reports a block that is sent although a later copy of it is there: schedules send the last of equal copies.
void Replay::check_sends_copy(Rank rank, int block, Findings& findings) const {
  const Value sent = state_.places[place(rank, block)];
  for (int copy = block + contract_.originals; copy < contract_.blocks; copy += contract_.originals) {
    const Value other = state_.places[place(rank, copy)];
    if (other != absent && values_.same_sequence(other, sent))
      findings.add([&] {
        return fmt::format("round {}: node {} sends block {}, of which block {} is a copy: the copy is sent",
                           round_, rank, block, copy);
      });
  }
}

void Replay::arrive(int latest, Findings& findings) {
  const Arrival& last = at(arrivals_, latest);
  if (last.earlier < 0 && last.transfer->effect == Effect::replace) return replace(last, findings);
  together_.clear();
  for (int i = latest; i >= 0; i = together_.back().earlier) together_.push_back(at(arrivals_, i));
  combine(together_, findings);
}

void Replay::replace(const Arrival& arrival, Findings& findings) {
  Value& own = state_.places[arrival.place];
  if (own != absent && values_.within(arrival.value, own))
    findings.add([&] {
      return fmt::format("round {}: node {} brings node {} block {} with {}, which is there already", round_,
                         arrival.transfer->from, rank_of(arrival.place), block_of(arrival.place),
                         spelled(arrival.value));
    });
  own = arrival.value;
}

void Replay::combine(std::vector<Arrival>& arrivals, Findings& findings) {
  if (arrivals.size() > 1)
    std::ranges::stable_sort(arrivals, {}, [](const Arrival& a) { return a.transfer->from; });
  const std::size_t place = arrivals[0].place;
  const Rank rank = rank_of(place);
  const bool alone = arrivals.size() == 1;
  Value& own = state_.places[place];
  if (alone && own == absent)
    findings.add([&] {
      return fmt::format(
          "round {}: node {} combines into block {} of node {}, which is empty: a move is a replace", round_,
          arrivals[0].transfer->from, block_of(place), rank);
    });
  for (const Arrival& arrival : arrivals) {
    if (arrival.transfer->effect == Effect::replace)
      findings.add([&] {
        return fmt::format("round {}: node {} replaces block {} of node {} while others change it too",
                           round_, arrival.transfer->from, block_of(place), rank);
      });
    else if (!alone)
      check_side(arrival, arrival.transfer->from < rank, findings);
    else if (own != absent)
      check_side(arrival, values_.lowest(arrival.value) < values_.lowest(own), findings);
  }
  operands_.clear();
  for (const Effect side : {Effect::combine_before, Effect::replace, Effect::combine_after}) {
    for (const Arrival& arrival : arrivals)
      if (arrival.transfer->effect == side) operands_.push_back(arrival.value);
    if (side == Effect::combine_before && own != absent) operands_.push_back(own);
  }
  at(combined_, rank) += static_cast<long>(operands_.size()) - 1;
  own = values_.combined(operands_);
  check_operands(place, findings);
}

void Replay::check_side(const Arrival& arrival, bool before, Findings& findings) const {
  if (!arrival.leads || (arrival.transfer->effect == Effect::combine_before) == before) return;
  findings.add([&] {
    return fmt::format("round {}: what node {} brings belongs {} block {} of node {}", round_,
                       arrival.transfer->from, before ? "before" : "after", block_of(arrival.place),
                       rank_of(arrival.place));
  });
}

void Replay::check_operands(std::size_t place, Findings& findings) const {
  const auto one_block = [&](Value operand) { return operand.block == operands_[0].block; };
  if (values_.counts_once(state_.places[place]) && std::ranges::all_of(operands_, one_block)) return;
  for (std::size_t i = 0; i < operands_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (operands_[i].block != operands_[j].block)
        findings.add([&] {
          return fmt::format(
              "round {}: contributions to block {} and to block {} are combined in block {} of node {}",
              round_, operands_[j].block, operands_[i].block, block_of(place), rank_of(place));
        });
      if (values_.overlap(operands_[i], operands_[j]))
        findings.add([&] {
          return fmt::format("round {}: block {} of node {} counts a contribution twice: {} and {}", round_,
                             block_of(place), rank_of(place), spelled(operands_[j]), spelled(operands_[i]));
        });
    }
}

std::string Replay::spelled(Value value) const {
  return fmt::format("the contributions of {}", fmt::join(values_.sequence(value), " "));
}

// Calls check(rank, block, value) for everything that a node takes away.
template <class Check>
void Replay::each_output(const Check& check) const {
  for (Rank rank = 0; rank < contract_.nodes(); ++rank)
    each_block(at(contract_.shares, rank).output,
               [&](int block) { check(rank, block, state_.places[place(rank, block)]); });
}

// Returns the ranks whose contributions this output must contain, ascending.
std::span<const Rank> Replay::wanted(Rank rank, int block) const {
  const std::vector<Rank>& bring = at(bring_, contract_.original(block));
  const Interval origins = at(contract_.shares, rank).origins;
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
    First& other = at(first, block);
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
