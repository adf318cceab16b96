#include "runtime/journal.hpp"

#include <fmt/format.h>

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

std::optional<NotedCall> Journal::find(std::uint16_t context, std::uint32_t call) const {
  const Entry& entry = Context::is_messages(context) ? message_ : entries_[slot(context, call)];
  if (entry.id.load(std::memory_order_acquire) != id(context, call)) return {};  // pairs with (c)
  const NotedCall record{{entry.kind.load(std::memory_order_acquire),            // (b), pairs with (a)
                          entry.count.load(std::memory_order_acquire)},          // (b), pairs with (a)
                         entry.past.load(std::memory_order_acquire)};            // (b), pairs with (a)
  if (entry.id.load(std::memory_order_relaxed) != id(context, call)) return {};
  return record;
}

std::string Journal::status() const {
  const std::uint64_t newest = newest_.load(std::memory_order_relaxed);
  if (newest == 0) return "is in no vnode call";
  const auto call = static_cast<std::uint32_t>(newest - 1);
  const auto record = find(static_cast<std::uint16_t>((newest - 1) >> 32), call);
  if (!record) return "is between two calls";
  const bool message = Context::is_messages(static_cast<std::uint16_t>((newest - 1) >> 32));
  std::string text = message ? fmt::format("is in {} with tag {}", record->text(), call)
                             : fmt::format("is in call {} ({})", call, record->text());
  if (waits_in_.load(std::memory_order_acquire) != newest) return text;    // pairs with (c)
  const std::uint64_t waiting = waiting_.load(std::memory_order_acquire);  // (b), pairs with (a)
  if (waits_in_.load(std::memory_order_relaxed) != newest) return text;
  const auto peer = static_cast<Rank>(static_cast<std::uint32_t>(waiting));
  if (!message) text += fmt::format(", round {}", waiting >> 32);
  return text + ", and waits for " + (peer >= 0 ? fmt::format("node {}", peer) : "several nodes");
}

}
