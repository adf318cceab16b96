#include "schedule/patterns.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/at.hpp"
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

std::optional<Returned> returned(const Schedule& schedule, std::size_t round) {
  const std::vector<Round>& rounds = schedule.rounds();
  if (round + 1 >= rounds.size() || rounds[round + 1].empty()) return std::nullopt;
  const Round &there = rounds[round], &back = rounds[round + 1];
  std::vector<Grouped> came, made_of;  // messages; if they go into others' blocks, who brought what for each
  const bool copied = std::ranges::any_of(there, [](const Transfer& t) { return !(t.what == t.into); });
  came.reserve(there.size());
  for (const Transfer& t : there) {
    if (t.effect == Effect::replace && t.what == t.into) return std::nullopt;
    came.push_back({number_of(t.from, t.to), number_of(t.what), 0});
    if (copied) made_of.push_back({number_of(t.to), number_of(t.into), static_cast<std::uint32_t>(t.from)});
  }
  std::ranges::sort(came);
  if (copied) came.erase(std::unique(came.begin(), came.end()), came.end());
  if (std::ranges::adjacent_find(came, {}, &Grouped::first) != came.end()) return std::nullopt;
  std::ranges::sort(made_of);
  const auto came_from = [&](const Transfer& t) {
    if (!copied)
      return std::ranges::binary_search(came, Grouped{number_of(t.to, t.from), number_of(t.what), 0});
    const Grouped last{number_of(t.from), number_of(t.what), static_cast<std::uint32_t>(t.to)};
    const auto found = std::ranges::lower_bound(made_of, last);
    return found != made_of.end() && *found == last &&
           (found + 1 == made_of.end() || found[1].first != last.first || found[1].second != last.second);
  };
  const auto nodes = static_cast<std::size_t>(schedule.nodes());
  std::vector<int> sent(nodes), received(nodes), blocks(nodes);
  for (const Transfer& t : back) {
    ++at(sent, t.from);
    ++at(received, t.to);
    at(blocks, t.from) += schedule.count(t.what);
    if (t.effect != Effect::replace || !(t.what == t.into) || !came_from(t)) return std::nullopt;
  }
  const Returned busiest{std::ranges::max(sent), std::ranges::max(blocks)};
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
