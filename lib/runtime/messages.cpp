#include "runtime/messages.hpp"

#include <cstddef>
#include <map>
#include <tuple>

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

}
