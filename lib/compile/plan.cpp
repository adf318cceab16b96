#include "compile/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/held_by.hpp"
#include "compile/planner.hpp"
#include "schedule/each_block.hpp"

namespace vnode {

std::vector<Position> positions(const Contract& contract, const BlockSizes& sizes,
                                const std::vector<Interval>& share) {
  std::vector<Position> list;
  std::size_t offset = 0;
  for (const Interval& interval : share)
    for (int block = interval.first; block < interval.last; ++block) {
      const int original = contract.original(block);
      if (original != block)
        if (const auto known = std::ranges::find(
                list, original, [&](const Position& one) { return contract.original(one.block); });
            known != list.end()) {
          list.push_back({block, known->offset});
          continue;
        }
      list.push_back({block, offset});
      offset += sizes.bytes(block);
    }
  return list;
}

namespace {

/// Returns, out of a peer's `ends`, the other end of `own`, an end of node `rank`: it has the same round and
/// number. If nodes send to all others, its place follows from the rank.
template <class End>
const End& other_end(const std::vector<End>& ends, Rank rank, const MessageEnd& own) {
  const auto is_it = [&](const End& end) {
    return end.peer == rank && end.number == own.number && end.round == own.round;
  };
  const auto begin = std::ranges::lower_bound(ends, own.round, {}, &End::round);
  for (const std::ptrdiff_t guess : {std::ptrdiff_t{rank}, std::ptrdiff_t{rank} - 1})
    if (guess >= 0 && guess < ends.end() - begin && is_it(begin[guess])) return begin[guess];
  return *std::find_if(begin, ends.end(), is_it);
}

}

std::size_t held_by(const Contract& contract) {
  std::size_t bytes = held_by(contract.shares);
  for (const Share& share : contract.shares) bytes += held_by(share.input) + held_by(share.output);
  return bytes;
}

std::size_t Program::bytes() const {
  return sizeof *this + held_by(steps) + held_by(outgoing) + held_by(incoming) + held_by(sources) +
         held_by(pieces) + held_by(copies) + held_by(gathers) + held_by(gathered) + held_by(combines) +
         held_by(operands) + held_by(forwards) + held_by(readers);
}

void Program::shrink_to_fit() {
  const auto fit = [](auto&... lists) { (lists.shrink_to_fit(), ...); };
  fit(steps, outgoing, incoming, sources, pieces, copies, gathers, gathered, combines, operands, forwards,
      readers);
}

/// Holds a whole schedule, and which of its messages are each node's.
struct Plan::Whole {
  Whole(Planned made, const Lengths& lengths, const Profile& profile)
      : planned(std::move(made)),
        sizes(lengths.of(planned.contract)),
        messages(planned.schedule, planned.contract, sizes, profile, std::nullopt),
        own(static_cast<std::size_t>(planned.schedule.nodes())) {
    std::uint16_t round = 0;
    for (const Messages::Of& of_round : messages.rounds()) {
      for (const Message& message : of_round.messages.list)
        for (const Rank rank : {message.from, message.to})
          own[static_cast<std::size_t>(rank)].push_back({round, &message});
      ++round;
    }
  }

  std::size_t bytes() const {
    std::size_t sum = sizeof *this + planned.schedule.held_bytes() + held_by(planned.contract) +
                      held_by(messages.rounds()) + held_by(own);
    for (const Messages::Of& of_round : messages.rounds())
      sum += held_by(of_round.messages.list) + held_by(of_round.messages.transfers);
    for (const std::vector<OwnMessage>& of_node : own) sum += held_by(of_node);
    return sum;
  }

  Planned planned;
  BlockSizes sizes;
  Messages messages;
  std::vector<std::vector<OwnMessage>> own;  // by rank
};

Plan::Plan(int nodes, bool alike, Build build, const Lengths& lengths, Aliasing aliasing,
           const Profile& profile, Direct direct)
    : nodes_(nodes),
      alike_(alike),
      build_(std::move(build)),
      direct_(std::move(direct)),
      lengths_(lengths),
      aliasing_(aliasing),
      profile_(profile),
      programs_(std::make_unique<std::atomic<const Program*>[]>(static_cast<std::size_t>(nodes))),
      bytes_(sizeof *this + static_cast<std::size_t>(nodes) * sizeof programs_[0]) {}

Plan::~Plan() {
  for (int rank = 0; rank < nodes_; ++rank)
    // Relaxed: nobody uses the plan any more.
    delete programs_[static_cast<std::size_t>(rank)].load(std::memory_order_relaxed);
}

std::shared_ptr<const Plan::Whole> Plan::whole() const {
  const std::lock_guard lock(mutex_);
  if (whole_ != nullptr) return whole_;
  auto made = std::make_shared<const Whole>(build_(std::nullopt), lengths_, profile_);
  if (made_ < nodes_) {  // else another thread has been quicker
    whole_ = made;
    bytes_.fetch_add(made->bytes(), std::memory_order_relaxed);
  }
  return made;
}

const Program& Plan::make(Rank rank) const {
  std::unique_ptr<const Program> made;
  if (direct_) {
    made = std::make_unique<const Program>(direct_(rank));
  } else if (alike_) {
    const Planned own = build_(rank);
    const BlockSizes sizes = lengths_.of(own.contract);
    const Messages messages(own.schedule, own.contract, sizes, profile_, rank);
    std::vector<OwnMessage> all;
    std::uint16_t round = 0;
    for (const Messages::Of& of_round : messages.rounds()) {
      for (const Message& message : of_round.messages.list) all.push_back({round, &message});
      ++round;
    }
    made = std::make_unique<const Program>(
        make_program(own.schedule, own.contract, sizes, aliasing_, messages, all, rank));
  } else {
    const std::shared_ptr<const Whole> all = whole();
    made = std::make_unique<const Program>(make_program(all->planned.schedule, all->planned.contract,
                                                        all->sizes, aliasing_, all->messages,
                                                        all->own[static_cast<std::size_t>(rank)], rank));
  }
  std::atomic<const Program*>& slot = programs_[static_cast<std::size_t>(rank)];
  const Program* there = nullptr;
  // (a) publishes the program, or, as in program(), shows another thread's.
  if (!slot.compare_exchange_strong(there, made.get(), std::memory_order_acq_rel, std::memory_order_acquire))
    return *there;
  const Program& kept = *made.release();
  bytes_.fetch_add(kept.bytes(), std::memory_order_relaxed);
  std::shared_ptr<const Whole> let_go;  // ends after the lock
  const std::lock_guard lock(mutex_);
  if (++made_ == nodes_ && whole_ != nullptr) {
    bytes_.fetch_sub(whole_->bytes(), std::memory_order_relaxed);
    let_go.swap(whole_);
  }
  return kept;
}

void Plan::look_up(Rank rank, const Incoming& message) const {
  message.theirs = &other_end(program(message.peer).outgoing, rank, message);
}

void Plan::look_up(Rank rank, const Outgoing& message) const {
  message.theirs = &other_end(program(message.peer).incoming, rank, message);
}

namespace {

/// Returns a sentence about the first block that goes where another size may be; or nothing.
std::string other_size(const Schedule& schedule, const Contract& contract, bool varying) {
  const auto part = [&](int block) {
    const int original = contract.original(block);
    return varying || contract.message_blocks == 0 ? original : original % contract.message_blocks;
  };
  std::string text;
  for (int round = 0; round < std::ssize(schedule.rounds()); ++round)
    for (const Transfer& t : schedule.rounds()[static_cast<std::size_t>(round)])
      if (t.what != t.into)
        each_block(schedule, t, [&](int what, int into) {
          if (text.empty() && part(what) != part(into)) text = of_other_size(round, t, what, into);
        });
  return text;
}

/// Returns the first block that is in two of the intervals, or -1.
int in_two(std::vector<Interval>& intervals) {
  std::ranges::sort(intervals, {}, &Interval::first);
  int end = 0;
  for (const Interval& interval : intervals) {
    if (interval.first < end) return interval.first;
    end = interval.last;
  }
  return -1;
}

/// Returns a sentence about the first place that is in two lists of a round, or twice in one; or nothing.
std::string cut(const Schedule& schedule) {
  for (int round = 0; round < std::ssize(schedule.rounds()); ++round) {
    std::map<Rank, std::set<std::pair<std::uint32_t, std::uint32_t>>> lists;  // by node: what it takes in
    for (const Transfer& t : schedule.rounds()[static_cast<std::size_t>(round)])
      lists[t.to].emplace(t.into.first, t.into.count);
    for (const auto& [node, of_node] : lists) {
      std::vector<Interval> intervals;
      for (const auto& [first, count] : of_node)
        std::ranges::copy(schedule.intervals({first, count}), std::back_inserter(intervals));
      if (const int block = in_two(intervals); block >= 0) return cut_otherwise(round, node, block);
    }
  }
  return {};
}

}

std::vector<std::string> why_no_plan(const Schedule& schedule, const Contract& contract, bool varying) {
  std::vector<std::string> all;
  for (std::string text : {other_size(schedule, contract, varying), cut(schedule)})
    if (!text.empty()) all.push_back(std::move(text));
  return all;
}

std::string of_other_size(int round, const Transfer& transfer, int what, int into) {
  return fmt::format(
      "round {}: node {} sends block {} into block {} of node {}, which may be of another size", round + 1,
      transfer.from, what, into, transfer.to);
}

std::string cut_otherwise(int round, Rank node, int block) {
  return fmt::format(
      "round {}: what goes into block {} of node {} at the same time must come in equal lists of blocks",
      round + 1, block, node);
}

}  // namespace vnode
