#include "record/journal.hpp"

#include <fmt/format.h>

#include <vnode/message_info.hpp>

#include "base/counted.hpp"

namespace vnode {

std::string CallRecord::text() const {
  std::string text(kind->collective);
  if (kind->counts)
    text += fmt::format(" of {}", kind->element);
  else if (!kind->element.empty())
    text += fmt::format(" of {} x {}", count, kind->element);
  else if (count != 0)
    text += " of " + counted(count, "element");
  if (!kind->op.empty()) text += fmt::format(" with {}", kind->op);
  if (kind->root >= 0) text += fmt::format(", root {}", kind->root);
  if (!kind->variant.empty()) text += fmt::format(", {}", kind->variant);
  if (!kind->algorithm.empty()) text += fmt::format(", by {}", kind->algorithm);
  return text;
}

std::string tag_text(std::uint32_t tag) {
  return tag == static_cast<std::uint32_t>(any_tag) ? "any tag" : fmt::format("tag {}", tag);
}

std::optional<NotedCall> Journal::find(std::uint16_t context, std::uint32_t call) const {
  const Entry& entry = is_message_context(context) ? message_ : entries_[slot(context, call)];
  if (entry.id.load(std::memory_order_acquire) != id(context, call)) return {};  // pairs with (c)
  const NotedCall record{{entry.kind.load(std::memory_order_acquire),            // (b), pairs with (a)
                          entry.count.load(std::memory_order_acquire)},          // (b), pairs with (a)
                         entry.past.load(std::memory_order_acquire)};            // (b), pairs with (a)
  if (entry.id.load(std::memory_order_relaxed) != id(context, call)) return {};
  return record;
}

Rank Journal::waits_for() const {
  const std::uint64_t named = waits_in_.load(std::memory_order_acquire);   // pairs with (c)
  const std::uint64_t waiting = waiting_.load(std::memory_order_acquire);  // (b), pairs with (a)
  if (named == 0 || waits_in_.load(std::memory_order_relaxed) != named) return -1;
  return static_cast<Rank>(static_cast<std::uint32_t>(waiting));
}

std::optional<CurrentCall> Journal::current() const {
  const std::uint64_t newest = newest_.load(std::memory_order_relaxed);
  if (newest == 0) return {};
  CurrentCall current{static_cast<std::uint16_t>((newest - 1) >> 32), static_cast<std::uint32_t>(newest - 1)};
  current.record = find(current.context, current.call);
  if (waits_in_.load(std::memory_order_acquire) != newest) return current;  // pairs with (c)
  const std::uint64_t waiting = waiting_.load(std::memory_order_acquire);   // (b), pairs with (a)
  if (waits_in_.load(std::memory_order_relaxed) != newest) return current;
  current.wait = {static_cast<int>(waiting >> 32), static_cast<Rank>(static_cast<std::uint32_t>(waiting))};
  return current;
}

std::string text_of(const std::optional<CurrentCall>& current) {
  if (!current) return "is in no vnode call";
  // Only the newest message is known, but the node may wait for a request that is older.
  const bool older = !current->record && current->is_message() && current->wait;
  if (!current->record && !older) return "is between two calls";
  const std::string record = older ? "a wait for a message" : current->record->text();
  std::string text = current->is_message() ? fmt::format("is in {} with {}", record, tag_text(current->call))
                                           : fmt::format("is in call {} ({})", current->call, record);
  if (!current->wait) return text;
  const auto [round, peer] = *current->wait;
  if (!current->is_message()) text += fmt::format(", round {}", round);
  const char* const others = current->is_message() ? "any node" : "several nodes";
  return text + ", and waits for " + (peer >= 0 ? fmt::format("node {}", peer) : others);
}

}
