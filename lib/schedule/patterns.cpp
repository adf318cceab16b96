#include "schedule/patterns.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "schedule/each_block.hpp"
#include "schedule/sorted_groups.hpp"

namespace vnode {
namespace {

RoundOfMessages grouped(const Round& round) {
  std::vector<Grouped> order;
  order.reserve(round.size());
  for (const Transfer& t : round)
    order.push_back({number_of(t.from, t.to), number_of(t.what), static_cast<std::uint32_t>(order.size())});
  RoundOfMessages made;
  made.transfers.reserve(round.size());
  std::vector<std::uint32_t> begins(round.size()), sizes(round.size());  // of messages, at their first
  each_group(order, [&](std::span<const Grouped> group) {
    begins[group.front().index] = static_cast<std::uint32_t>(made.transfers.size());
    sizes[group.front().index] = static_cast<std::uint32_t>(group.size());
    for (const Grouped& one : group) made.transfers.push_back(&round[one.index]);
  });
  made.list.reserve(round.size());
  for (std::size_t i = 0; i < round.size(); ++i)
    if (sizes[i] > 0)
      made.list.push_back({round[i].from, round[i].to, round[i].what,
                           std::span(made.transfers).subspan(begins[i], sizes[i])});
  return made;
}

void choose_boards(const Schedule& schedule, std::vector<Message>& messages, std::optional<Rank> alike) {
  std::vector<Grouped> combined, shown;
  shown.reserve(messages.size());
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    for (const Transfer* t : messages[i].transfers)
      if (t->effect != Effect::replace || schedule.count(t->what) == 0)
        combined.push_back({number_of(t->to), number_of(t->into), i});
    shown.push_back({number_of(messages[i].from), number_of(messages[i].what), i});
  }
  bool any = false;
  each_group(combined, [&](std::span<const Grouped> sources) {
    if (sources.size() < 2) return;
    any = true;
    for (const Grouped& source : sources) messages[source.index].gathered = true;
  });
  if (alike && any)
    for (Message& message : messages) message.gathered = true;
  each_group(shown, [&](std::span<const Grouped> readers) {
    if (readers.size() > 1 || messages[readers.front().index].gathered)
      for (const Grouped& reader : readers) messages[reader.index].published = true;
  });
  if (!alike) return;
  const bool published = std::ranges::any_of(
      messages, [&](const Message& message) { return message.from == *alike && message.published; });
  for (Message& message : messages) message.published = published;
}

/// Returns whether all that `there` brings is combined, one message from each node at another, and what
/// `back` brings goes to nodes that the same blocks have come from.
bool come_back(const Round& there, const Round& back) {
  std::vector<Grouped> came;
  came.reserve(there.size());
  for (const Transfer& t : there) {
    if (t.effect == Effect::replace) return false;
    came.push_back({number_of(t.from, t.to), number_of(t.what), 0});
  }
  std::ranges::sort(came);
  return std::ranges::adjacent_find(came, {}, &Grouped::first) == came.end() &&
         std::ranges::all_of(back, [&](const Transfer& t) {
           return std::ranges::binary_search(came, Grouped{number_of(t.to, t.from), number_of(t.what), 0});
         });
}

/// Returns whether nobody reads what results are written over, but the node that writes them: a node sends
/// what a block stands for to whom it gets the block from alone, and does not combine it; and what it does
/// combine, into one block, it does not send.
bool are_apart(const Schedule& schedule, const Contract& contract, const Round& there, const Round& back) {
  std::vector<Grouped> sent, combined;  // by node and what the block stands for: to whom, into which
  const auto original = [&](int block) { return static_cast<std::uint64_t>(contract.original(block)); };
  for (const Transfer& t : there)
    each_block(schedule, t, [&](int what, int into) {
      sent.push_back({number_of(t.from), original(what), static_cast<std::uint32_t>(t.to)});
      combined.push_back({number_of(t.to), original(into), static_cast<std::uint32_t>(into)});
    });
  std::ranges::sort(sent);
  std::ranges::sort(combined);
  const auto place = [](const Grouped& one) { return std::pair(one.first, one.second); };
  const auto of = [&](const std::vector<Grouped>& list, Rank rank, int block) {
    const std::pair wanted(number_of(rank), original(block));
    return std::span(std::ranges::lower_bound(list, wanted, {}, place),
                     std::ranges::upper_bound(list, wanted, {}, place));
  };
  const auto into_two = [&](const Grouped& a, const Grouped& b) {
    return place(a) == place(b) && a.index != b.index;
  };
  if (std::ranges::adjacent_find(combined, into_two) != combined.end()) return false;
  bool apart = true;
  for (const Transfer& t : there)
    each_block(schedule.intervals(t.into), [&](int block) { apart &= of(sent, t.to, block).empty(); });
  for (const Transfer& t : back)
    each_block(schedule.intervals(t.what), [&](int block) {
      apart &= of(combined, t.to, block).empty();
      for (const Grouped& reader : of(sent, t.to, block))
        apart &= reader.index == static_cast<std::uint32_t>(t.from);
    });
  return apart;
}

/// Returns whether the schedule begins as a scan by slices: all that stands for the same data is combined by
/// one node, into blocks of all contributions up to one rank's, and each goes back to that rank. Then what it
/// is written over has been read.
bool are_prefixes(const Schedule& schedule, const Contract& contract) {
  if (contract.originals == 0) return false;
  constexpr Rank nobody = -1;
  const auto blocks = static_cast<std::size_t>(contract.blocks);
  std::vector<Rank> combiner(blocks, nobody), taker(blocks, nobody);
  std::vector<int> terms(blocks);
  for (Rank rank = 0; rank < contract.nodes(); ++rank)
    each_block(at(contract.shares, rank).output, [&](int block) { at(taker, block) = rank; });
  bool all = true;
  for (const Transfer& t : schedule.rounds()[0])
    each_block(schedule, t, [&](int what, int into) {
      Rank& by = at(combiner, contract.original(into));
      if (by == nobody) by = t.to;
      all &= by == t.to && contract.original(what) == contract.original(into) && t.from <= at(taker, into);
      ++at(terms, into);
    });
  for (Rank rank = 0; rank < contract.nodes(); ++rank)
    each_block(at(contract.shares, rank).input, [&](int block) {
      if (at(terms, block) > 0 && at(combiner, contract.original(block)) == rank) ++at(terms, block);
    });
  for (std::size_t block = 0; block < blocks; ++block)
    all &= terms[block] == 0 || terms[block] == taker[block] + 1;
  for (const Transfer& t : schedule.rounds()[1])
    each_block(schedule.intervals(t.what), [&](int block) {
      all &= t.from == at(combiner, contract.original(block)) && t.to == at(taker, block) &&
             at(terms, block) > 0;
    });
  return all;
}

}

RoundOfMessages messages_of(const Schedule& schedule, const Round& round) {
  return messages_of(schedule, round, std::nullopt);
}

RoundOfMessages messages_of(const Schedule& schedule, const Round& round, std::optional<Rank> alike) {
  RoundOfMessages made = grouped(round);
  choose_boards(schedule, made.list, alike);
  return made;
}

std::optional<Rank> meeting_place(const Schedule& schedule, std::size_t round) {
  const std::vector<Round>& rounds = schedule.rounds();
  const auto nodes = static_cast<std::size_t>(schedule.nodes());
  const std::size_t others = nodes - 1;
  if (others < 2 || round + 1 >= rounds.size()) return {};
  const Round &in = rounds[round], &out = rounds[round + 1];
  if (in.size() != others || out.size() != others) return {};
  const Rank owner = in.front().to;
  std::vector<bool> came(nodes), went(nodes);
  for (const Transfer& t : in) came[static_cast<std::size_t>(t.from)] = t.to == owner;
  for (const Transfer& t : out) went[static_cast<std::size_t>(t.to)] = t.from == owner;
  came[static_cast<std::size_t>(owner)] = went[static_cast<std::size_t>(owner)] = true;
  const bool all = std::ranges::count(came, true) == std::ssize(came) && came == went;
  return all ? std::optional(owner) : std::nullopt;
}

std::optional<Returned> returned(const Schedule& schedule, const Contract& contract, std::size_t round) {
  const std::vector<Round>& rounds = schedule.rounds();
  if (round + 1 >= rounds.size() || rounds[round + 1].empty()) return std::nullopt;
  if (contract.originals == 0 && contract.message_blocks != contract.blocks) return std::nullopt;
  const Round &there = rounds[round], &back = rounds[round + 1];
  const auto own_place = [](const Transfer& t) { return t.what == t.into; };
  const bool goes_on = !std::ranges::all_of(there, own_place);
  if (!std::ranges::all_of(back, own_place) ||
      std::ranges::any_of(back, [](const Transfer& t) { return t.effect != Effect::replace; }))
    return std::nullopt;
  if (goes_on ? round > 0 || !are_prefixes(schedule, contract)
              : !come_back(there, back) || !are_apart(schedule, contract, there, back))
    return std::nullopt;
  const auto nodes = static_cast<std::size_t>(schedule.nodes());
  std::vector<int> sent(nodes), received(nodes), blocks(nodes);
  for (const Transfer& t : back) {
    ++at(sent, t.from);
    ++at(received, t.to);
    at(blocks, t.from) += schedule.count(t.what);
  }
  const Returned busiest{std::ranges::max(sent), std::ranges::max(blocks), goes_on};
  return busiest.messages <= std::ranges::max(received) ? std::optional(busiest) : std::nullopt;
}

Cost cost_with_help(const Schedule& schedule, int message_blocks, double least) {
  const auto nodes = static_cast<std::size_t>(schedule.nodes());
  Cost sum = step_synchronous_cost(schedule, message_blocks);
  sum.received = sum.combined = 0;
  for (const Round& round : schedule.rounds()) {
    const auto [messages, transfers] = messages_of(schedule, round);
    std::vector<int> sent(nodes), taken(nodes);
    for (const Message& message : messages) {
      ++sent[static_cast<std::size_t>(message.from)];
      ++taken[static_cast<std::size_t>(message.to)];
    }
    std::vector<double> received(nodes), combined(nodes);
    for (const Message& message : messages) {
      const auto from = static_cast<std::size_t>(message.from), to = static_cast<std::size_t>(message.to);
      const double words = double(schedule.count(message.what)) / message_blocks;
      double operands = 0;
      for (const Transfer* t : message.transfers)
        if (t->effect != Effect::replace) operands += double(schedule.count(t->into)) / message_blocks;
      const bool helped = !message.published && sent[from] == 1 && taken[from] == 0 && words >= least;
      const double part = helped ? 0.5 : 1;
      received[to] += part * words;
      combined[to] += part * operands;
      received[from] += (1 - part) * words;
      combined[from] += (1 - part) * operands;
    }
    sum.received += std::ranges::max(received);
    sum.combined += std::ranges::max(combined);
  }
  return sum;
}

}  // namespace vnode
