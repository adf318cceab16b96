#include "watch/deadlock_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "base/at.hpp"
#include "watch/mismatch.hpp"

namespace vnode {
namespace {

/// Lists messages outside of collectives that a node has not received.
class Unreceived {
 public:
  /// Takes the context whose messages are named as such; those of others are said to be in another group.
  explicit Unreceived(std::uint16_t context) : context_(context) {}

  void operator()(Rank from, const Head& head) {
    if (!is_message_context(head.context) || head.kind == Kind::destination) return;
    std::string text = fmt::format("; node {} has sent it tag {}{}", from, static_cast<int>(head.call),
                                   head.context == context_ ? "" : " in another group");
    if (std::ranges::find(list_, text) == list_.end()) list_.push_back(std::move(text));
  }
  std::string text() {
    constexpr std::size_t most = 4;
    std::ranges::sort(list_);
    const bool more = list_.size() > most;
    list_.resize(std::min(list_.size(), most));
    return fmt::format("{}{}", fmt::join(list_, ""), more ? "; and more has been sent" : "");
  }

 private:
  std::uint16_t context_;
  std::vector<std::string> list_;
};

}  // namespace

std::string unreceived_text(Endpoint& endpoint, const Awaited& awaited) {
  if (!is_message_context(awaited.context)) return {};
  Unreceived unreceived(awaited.context);
  endpoint.each_arrived(unreceived);
  return unreceived.text();
}

std::string left_behind_text(Fabric& fabric, Rank left) {
  Unreceived unreceived(message_context);
  Head head;
  for (const ChannelRecord* made = fabric.newest_to(left); made != nullptr; made = made->earlier)
    if (made->channel->front(head)) unreceived(made->from, head);
  return unreceived.text();
}

std::string circle_text(Fabric& fabric) {
  // Each node's journal is read only once: a node that waits may be writing it anew, and then nothing can be
  // read.
  std::vector<Rank> next;
  for (Rank rank = 0; rank < fabric.nodes(); ++rank) {
    SharedNodeState& shared = fabric.shared(rank);
    next.push_back(shared.left.load(std::memory_order_relaxed) != 0 ? -1 : shared.journal.waits_for());
  }
  std::vector<int> seen(next.size());
  for (Rank first = 0; first < fabric.nodes(); ++first) {
    Rank rank = first;
    for (; rank >= 0 && at(seen, rank) == 0; rank = at(next, rank)) at(seen, rank) = first + 1;
    if (rank < 0 || at(seen, rank) != first + 1) continue;
    std::string text = fmt::format("; node {} waits for node {}", rank, at(next, rank));
    constexpr int most = 8;
    int named = 0;
    for (Rank on = at(next, rank); on != rank; on = at(next, on), ++named) {
      if (named == most) return text + ", and so on in a circle";
      text += fmt::format(", which waits for node {}", at(next, on));
    }
    return text;
  }
  return {};
}

std::string deadlock_text(Fabric& fabric) {
  std::string text = fmt::format("deadlock: all nodes wait, and nothing is on its way to any of them{}:",
                                 circle_text(fabric));
  for (Rank rank = 0; rank < fabric.nodes(); ++rank) {
    const bool left = fabric.shared(rank).left.load(std::memory_order_relaxed) != 0;
    text += status_text(fabric, rank);
    text += left && fabric.is_here(rank) ? left_behind_text(fabric, rank) : fabric.detector().remark(rank);
  }
  return text;
}

}  // namespace vnode
