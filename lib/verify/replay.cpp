#include "verify/replay.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace vnode {

Replay::Replay(const Schedule& schedule, const Contract& contract, std::vector<std::string>& findings)
    : schedule_(schedule), contract_(contract), findings_(findings), values_(schedule.nodes()) {
  places_.assign(static_cast<std::size_t>(schedule.nodes()),
                 std::vector<Value>(static_cast<std::size_t>(schedule.blocks()), absent));
  for (Rank rank = 0; rank < schedule.nodes(); ++rank)
    for (const Interval& input : contract.shares[static_cast<std::size_t>(rank)].input)
      for (int block = input.first; block < input.last; ++block)
        place(rank, block) = values_.own(rank, contract.original(block));
  for (const Round& round : schedule.rounds()) {
    ++round_;
    play(round);
  }
}

template <class... Arguments>
void Replay::report(const char* format, const Arguments&... arguments) {
  findings_.push_back(fmt::format("round {}: ", round_) + fmt::format(fmt::runtime(format), arguments...));
}

Value& Replay::place(Rank rank, int block) {
  return places_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(block)];
}

void Replay::play(const Round& round) {
  std::map<std::pair<Rank, int>, std::vector<Arrival>> arrivals;
  for (const Transfer& transfer : round) {
    const std::vector<Value> values = sent(transfer);
    auto value = values.begin();
    for (const Interval& into : schedule_.intervals(transfer.into))
      for (int block = into.first; block < into.last; ++block, ++value)
        if (*value != absent)
          arrivals[{transfer.to, block}].push_back({&transfer, *value, value == values.begin()});
  }
  for (auto& [where, list] : arrivals) arrive(where.first, where.second, list);
}

std::vector<Value> Replay::sent(const Transfer& transfer) {
  std::vector<Value> values;
  for (const Interval& what : schedule_.intervals(transfer.what))
    for (int block = what.first; block < what.last; ++block) {
      values.push_back(place(transfer.from, block));
      if (values.back() == absent)
        report("node {} sends block {} to node {}, but does not hold it", transfer.from, block, transfer.to);
      else
        check_sends_copy(transfer.from, block);
    }
  return values;
}

// Of equal copies the last is sent: one way to write it.
void Replay::check_sends_copy(Rank rank, int block) {
  if (contract_.originals == 0) return;
  for (int copy = block + contract_.originals; copy < schedule_.blocks(); copy += contract_.originals)
    if (place(rank, copy) != absent &&
        values_.sequence(place(rank, copy)) == values_.sequence(place(rank, block)))
      report("node {} sends block {}, of which block {} is a copy: the copy is sent", rank, block, copy);
}

void Replay::arrive(Rank rank, int block, std::vector<Arrival>& arrivals) {
  Value& own = place(rank, block);
  if (arrivals.size() == 1 && arrivals[0].transfer->effect == Effect::replace)
    own = replaced(rank, block, arrivals[0], own);
  else
    own = combined(rank, block, arrivals, own);
}

Value Replay::replaced(Rank rank, int block, const Arrival& arrival, Value own) {
  if (own != absent && values_.within(arrival.value, own))
    report("node {} brings node {} block {} with {}, which is there already", arrival.transfer->from, rank,
           block, spelled(arrival.value));
  return arrival.value;
}

Value Replay::combined(Rank rank, int block, std::vector<Arrival>& arrivals, Value own) {
  std::ranges::stable_sort(arrivals, {}, [](const Arrival& arrival) { return arrival.transfer->from; });
  const bool alone = arrivals.size() == 1;
  if (alone && own == absent)
    report("node {} combines into block {} of node {}, which is empty: a move is a replace",
           arrivals[0].transfer->from, block, rank);
  std::vector<Value> operands;
  for (const Arrival& arrival : arrivals) {
    if (arrival.transfer->effect == Effect::replace)
      report("node {} replaces block {} of node {} while others change it too", arrival.transfer->from, block,
             rank);
    else if (!alone)
      check_side(rank, block, arrival, arrival.transfer->from < rank);
    else if (own != absent)
      check_side(rank, block, arrival, values_.lowest(arrival.value) < values_.lowest(own));
  }
  for (const Effect side : {Effect::combine_before, Effect::replace, Effect::combine_after}) {
    for (const Arrival& arrival : arrivals)
      if (arrival.transfer->effect == side) operands.push_back(arrival.value);
    if (side == Effect::combine_before && own != absent) operands.push_back(own);
  }
  for (std::size_t i = 0; i < operands.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (operands[i].block != operands[j].block)
        report("contributions to block {} and to block {} are combined in block {} of node {}",
               operands[j].block, operands[i].block, block, rank);
      if (values_.overlap(operands[i], operands[j]))
        report("block {} of node {} counts a contribution twice: {} and {}", block, rank,
               spelled(operands[j]), spelled(operands[i]));
    }
  return values_.combined(operands);
}

void Replay::check_side(Rank rank, int block, const Arrival& arrival, bool before) {
  if (!arrival.leads || (arrival.transfer->effect == Effect::combine_before) == before) return;
  report("what node {} brings belongs {} block {} of node {}", arrival.transfer->from,
         before ? "before" : "after", block, rank);
}

std::string Replay::spelled(Value value) const {
  return fmt::format("the contributions of {}", fmt::join(values_.sequence(value), " "));
}

void Replay::check_outputs() {
  for (Rank rank = 0; rank < schedule_.nodes(); ++rank)
    for (const Interval& output : contract_.shares[static_cast<std::size_t>(rank)].output)
      for (int block = output.first; block < output.last; ++block) check_output(rank, block);
}

void Replay::check_output(Rank rank, int block) {
  const int original = contract_.original(block);
  const auto holds = [&](const Interval& input) {
    for (int copy = original; copy < schedule_.blocks(); copy += contract_.originals) {
      if (input.first <= copy && copy < input.last) return true;
      if (contract_.originals == 0) break;
    }
    return false;
  };
  const auto brings = [&](Rank origin) {
    return std::ranges::any_of(contract_.shares[static_cast<std::size_t>(origin)].input,
                               [&](const Interval& input) { return holds(input); });
  };
  const Interval origins = contract_.shares[static_cast<std::size_t>(rank)].origins;
  std::vector<Rank> wanted;
  for (Rank origin = origins.first; origin < origins.last; ++origin)
    if (brings(origin)) wanted.push_back(origin);
  const Value value = place(rank, block);
  std::vector<Rank> held = value == absent ? std::vector<Rank>{} : values_.sequence(value);
  std::ranges::sort(held);
  if (held == wanted && !held.empty() && value.block != original)
    findings_.push_back(fmt::format("at the end block {} of node {} holds contributions to block {}", block,
                                    rank, value.block));
  if (held != wanted)
    findings_.push_back(
        fmt::format("at the end block {} of node {} must hold the contributions of {}, but holds {}", block,
                    rank, fmt::join(wanted, " "), held.empty() ? "nothing" : spelled(value)));
}

void Replay::check_order() {
  for (Rank rank = 0; rank < schedule_.nodes(); ++rank)
    for (const Interval& output : contract_.shares[static_cast<std::size_t>(rank)].output)
      for (int block = output.first; block < output.last; ++block) {
        const Value value = place(rank, block);
        if (value != absent && !std::ranges::is_sorted(values_.sequence(value)))
          findings_.push_back(fmt::format("block {} of node {} is combined as {}, not in rank order", block,
                                          rank, fmt::join(values_.sequence(value), " ")));
      }
}

}  // namespace vnode
