#include "runtime/patterns.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace vnode {
namespace {

using Key = std::tuple<Rank, std::uint32_t, std::uint32_t>;

Key key(Rank rank, Blocks blocks) { return {rank, blocks.first, blocks.count}; }

void choose_boards(const Schedule& schedule, std::vector<Message>& messages) {
  std::map<Key, std::vector<Message*>> combined, shown;
  for (Message& message : messages) {
    for (const Transfer* transfer : message.transfers)
      if (transfer->effect != Effect::replace || schedule.count(transfer->what) == 0)
        combined[key(transfer->to, transfer->into)].push_back(&message);
    shown[key(message.from, message.what)].push_back(&message);
  }
  for (auto& [place, sources] : combined)
    if (sources.size() > 1)
      for (Message* message : sources) message->gathered = true;
  for (auto& [source, readers] : shown)
    if (readers.size() > 1 || readers.front()->gathered)
      for (Message* message : readers) message->published = true;
}

}

std::vector<Message> messages_of(const Schedule& schedule, const Round& round) {
  std::vector<Message> messages;
  std::map<std::tuple<Rank, Key>, std::size_t> known;
  for (const Transfer& transfer : round) {
    const auto [at, fresh] =
        known.try_emplace({transfer.to, key(transfer.from, transfer.what)}, messages.size());
    if (fresh) messages.push_back({transfer.from, transfer.to, transfer.what, {}});
    messages[at->second].transfers.push_back(&transfer);
  }
  choose_boards(schedule, messages);
  return messages;
}

std::optional<Rank> meeting_place(const Schedule& schedule, std::size_t round) {
  const std::vector<Round>& rounds = schedule.rounds();
  const auto nodes = static_cast<std::size_t>(schedule.nodes());
  const std::size_t others = nodes - 1;
  if (schedule.blocks() != 0 || others < 2 || round + 1 >= rounds.size()) return {};
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

bool returns_to_sources(const Schedule& schedule, std::size_t round) {
  const std::vector<Round>& rounds = schedule.rounds();
  if (round + 1 >= rounds.size() || rounds[round].empty()) return false;
  const Round &there = rounds[round], &back = rounds[round + 1];
  if (there.size() != back.size()) return false;
  std::map<std::pair<Rank, Rank>, const Transfer*> came;
  for (const Transfer& t : there)
    if (t.effect == Effect::replace || !(t.what == t.into) || !came.try_emplace({t.from, t.to}, &t).second)
      return false;
  std::vector<int> sent(static_cast<std::size_t>(schedule.nodes())), received(sent.size());
  for (const Transfer& t : back) {
    ++sent[static_cast<std::size_t>(t.from)];
    ++received[static_cast<std::size_t>(t.to)];
    const auto source = came.find({t.to, t.from});
    if (t.effect != Effect::replace || !(t.what == t.into) || source == came.end() ||
        !(t.what == source->second->what))
      return false;
  }
  return std::ranges::max(sent) <= std::ranges::max(received);
}

Cost cost_with_help(const Schedule& schedule, int message_blocks, double least) {
  const auto nodes = static_cast<std::size_t>(schedule.nodes());
  Cost sum = step_synchronous_cost(schedule, message_blocks);
  sum.received = sum.combined = 0;
  for (const Round& round : schedule.rounds()) {
    const std::vector<Message> messages = messages_of(schedule, round);
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
