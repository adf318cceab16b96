#include "verify/replay.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

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
    each_block(contract.shares[static_cast<std::size_t>(rank)].input, [&](int block) {
      const int original = contract.original(block);
      state_.places[place(rank, block)] = values_.own(rank, original);
      std::vector<Rank>& bring = bring_[static_cast<std::size_t>(original)];
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
    int& latest = latest_[arrivals_[static_cast<std::size_t>(i)].place];
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

// Of equal copies the last is sent: one way to write it.
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
  const Arrival& last = arrivals_[static_cast<std::size_t>(latest)];
  if (last.earlier < 0 && last.transfer->effect == Effect::replace) return replace(last, findings);
  together_.clear();
  for (int i = latest; i >= 0; i = together_.back().earlier)
    together_.push_back(arrivals_[static_cast<std::size_t>(i)]);
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
  combined_[static_cast<std::size_t>(rank)] += static_cast<long>(operands_.size()) - 1;
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

}  // namespace vnode
