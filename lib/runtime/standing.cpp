#include "runtime/standing.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "runtime/mismatch.hpp"

namespace vnode {
namespace {

/// Messages outside of collectives that a node has not received.
class Unreceived {
 public:
  /// `context`: of those that are not called another group's.
  explicit Unreceived(std::uint16_t context) : context_(context) {}

  void operator()(Rank from, const Head& head) {
    if (!Context::is_messages(head.context) || head.kind == Kind::destination) return;
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

/// What has arrived, and the node waits for none of it.
std::string unreceived_text(Endpoint& endpoint, const Awaited& awaited) {
  if (!Context::is_messages(awaited.context)) return {};
  Unreceived unreceived(awaited.context);
  endpoint.each_arrived(unreceived);
  return unreceived.text();
}

/// What lies in channels to a node that has left: its thread looks at them no more.
std::string left_behind_text(Fabric& fabric, Rank left) {
  Unreceived unreceived(Context::messages);
  Head head;
  for (const Made* made = fabric.newest_to(left); made != nullptr; made = made->earlier)
    if (made->channel->front(head)) unreceived(made->from, head);
  return unreceived.text();
}

std::string deadlock_text(Fabric& fabric) {
  std::string text = fmt::format("deadlock: all nodes wait, and nothing is on its way to any of them{}:",
                                 circle_text(fabric));
  for (Rank rank = 0; rank < fabric.nodes(); ++rank) {
    const bool left = fabric.presence(rank).left.load(std::memory_order_relaxed) != 0;
    text += status_text(fabric, rank);
    text += left ? left_behind_text(fabric, rank) : fabric.standstill().remark(rank);
  }
  return text;
}

}  // namespace

std::string circle_text(Fabric& fabric) {
  // Each node is asked once: one that waits may write its journal anew meanwhile, with nothing to be read.
  std::vector<Rank> next;
  for (Rank rank = 0; rank < fabric.nodes(); ++rank) {
    Presence& presence = fabric.presence(rank);
    next.push_back(presence.left.load(std::memory_order_relaxed) != 0 ? -1 : presence.journal.waits_for());
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

void Standing::begin(const Awaited& awaited) {
  done_ = done(awaited);
  counted_ = true;
  if (standstill_.begin()) endpoint_.fabric().wake_all();
}

/// It is counted again when it has waited long once more: where messages make their way slowly, nobody is
/// woken for each of them.
void Standing::end() {
  standstill_.end();
  counted_ = false;
  confirmed_.reset();
  begin_ = Clock::now();
}

void Standing::confirm(Standstill::Epoch epoch, const Awaited& awaited) {
  Fabric& fabric = endpoint_.fabric();
  // Who aborts the run has done so before its node was counted as one that has left, so it is seen.
  if (fabric.aborted()) return;
  fabric.presence(endpoint_.rank()).journal.wait(awaited.context, awaited.call, awaited.round, awaited.peer);
  standstill_.remark(endpoint_.rank(), unreceived_text(endpoint_, awaited));
  confirmed_ = epoch;
  if (standstill_.confirm(epoch) != Standstill::Answer::certain) return;
  if (std::string differ = difference_text(fabric, fabric.world()); !differ.empty()) throw Mismatch(differ);
  standstill_.pronounce(deadlock_text(fabric));
  throw Deadlock(*standstill_.verdict());
}

}  // namespace vnode
