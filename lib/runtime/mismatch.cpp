#include "runtime/mismatch.hpp"

#include <fmt/format.h>

namespace vnode {
namespace {

std::string call_text(Fabric& fabric, Rank rank, std::uint16_t context, std::uint32_t call) {
  const auto record = fabric.presence(rank).journal.find(context, call);
  return record ? record->text() : "no longer known";
}

}

std::string mismatch_text(Fabric& fabric, Rank me, Rank peer, std::uint16_t context, std::uint32_t call) {
  if (Context::is_messages(context))
    return fmt::format(
        "what node {} sends to node {} with tag {} is of another type than what is received there", peer, me,
        call);
  const std::string own = call_text(fabric, me, context, call),
                    other = call_text(fabric, peer, context, call);
  return fmt::format("the nodes' calls do not match: call {} of node {} is {}, of node {} it is {}{}", call,
                     me, own, peer, other, own == other ? ", with another schedule or other options" : "");
}

std::string missed_text(Fabric& fabric, const Context& group) {
  const auto reached = [&](Rank member) {
    return group.station(member).reached.load(std::memory_order_relaxed);
  };
  Rank least = 0, most = 0;
  for (Rank member = 1; member < group.size(); ++member) {
    if (static_cast<std::int32_t>(reached(member) - reached(least)) < 0) least = member;
    if (static_cast<std::int32_t>(reached(member) - reached(most)) > 0) most = member;
  }
  if (reached(least) == reached(most)) return {};
  const Rank without = group.node(least), with = group.node(most);
  const std::uint32_t call = reached(least) + 1;
  return fmt::format("node {} has left the run without call {} ({}), which node {} has made", without, call,
                     call_text(fabric, with, group.id(), call), with);
}

std::string why_hopeless(Fabric& fabric, Rank me, const Context* group, std::uint16_t context,
                         std::uint32_t call, Rank peer) {
  const auto left = [&](Rank rank) {
    return fabric.presence(rank).left.load(std::memory_order_acquire) != 0;
  };
  if (group == nullptr) {
    if (peer < 0 || !left(peer)) return {};
    return fmt::format("node {} waits for node {} in send or recv with tag {}, but node {} has left the run",
                       me, peer, call, peer);
  }
  const auto own = fabric.presence(me).journal.find(context, call);
  if (!own) return {};
  for (Rank member = 0; member < group->size(); ++member) {
    const Rank rank = group->node(member);
    const bool gone = left(rank);
    const std::uint32_t reached = group->station(member).reached.load(std::memory_order_relaxed);
    const auto other = fabric.presence(rank).journal.find(context, call);
    if (other && other->signature() != own->signature())
      return mismatch_text(fabric, me, rank, context, call);
    if (gone && static_cast<std::int32_t>(reached - call) < 0)
      return fmt::format("node {} waits in call {} ({}), but node {} has left the run without it", me, call,
                         own->text(), rank);
  }
  return {};
}

std::string status_of_all(Fabric& fabric) {
  std::string text;
  for (Rank rank = 0; rank < fabric.nodes(); ++rank) {
    const Presence& presence = fabric.presence(rank);
    const bool left = presence.left.load(std::memory_order_relaxed) != 0;
    text += fmt::format("  node {} {}\n", rank, left ? "has left the run" : presence.journal.status());
  }
  return text;
}

}
