#include "watch/mismatch.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include <vnode/error.hpp>

#include "watch/cluster_deadlock_detector.hpp"

namespace vnode {
namespace {

std::string text_of(const std::optional<NotedCall>& call) { return call ? call->text() : "no longer known"; }

std::string text_of(Fabric& fabric, std::uint32_t signature) {
  const auto call = fabric.planned(signature);
  return call ? call->record.text() : "no longer known";
}

/// Returns the first count in which two calls of a collective differ, each with a count for each rank;
/// nothing if that is not known.
std::string count_difference(Fabric& fabric, Rank me, const NotedCall& own, Rank peer,
                             const NotedCall& other) {
  if (!own.kind->counts || !other.kind->counts || own.kind->collective != other.kind->collective) return {};
  const auto mine = fabric.planned(own.signature()), theirs = fabric.planned(other.signature());
  if (mine && theirs)
    for (std::size_t rank = 0; rank < std::min(mine->counts.size(), theirs->counts.size()); ++rank)
      if (mine->counts[rank] != theirs->counts[rank])
        return fmt::format(": the count of rank {} is {} on node {} and {} on node {}", rank,
                           mine->counts[rank], me, theirs->counts[rank], peer);
  return {};
}

/// Returns in what two calls differ, if their texts do not tell. Other counts may be why they have other
/// algorithms.
std::string hidden_difference(Fabric& fabric, Rank me, const NotedCall& own, Rank peer,
                              const NotedCall& other) {
  std::string counts = count_difference(fabric, me, own, peer, other);
  if (!counts.empty() || own.text() != other.text()) return counts;
  return own.kind->counts && own.kind->hash == other.kind->hash ? ", with other counts"
                                                                : ", with another schedule or other options";
}

/// Returns whether a node has left the run and `me`, a node of this process, has got all that it sent to it.
bool has_left(Fabric& fabric, Rank me, Rank node) {
  // Acquire: pairs with Team::State::end_node(), or for another process's node with a deadlock's certainty.
  if (fabric.shared(node).left.load(std::memory_order_acquire) != 0) return true;
  return !fabric.is_here(node) && fabric.cluster_detector()->remote(me).has_left(node);
}

History history(const Context& group, Rank member) {
  // Acquire: pairs with (a) in Member::begin(). What it says is never taken back.
  return History::of(group.member_state(member).history.load(std::memory_order_acquire));
}

/// Returns whether two members' calls differ up to the last that both have made, as far as journals tell.
bool differ(Fabric& fabric, const Context& group, Rank a, Rank b) {
  const History mine = history(group, a), theirs = history(group, b);
  if (mine.call == theirs.call) return mine.hash != theirs.hash;
  const bool behind = static_cast<std::int32_t>(mine.call - theirs.call) < 0;
  const History& less = behind ? mine : theirs;
  const Journal& longer = fabric.shared(group.node(behind ? b : a)).journal;
  const auto then = longer.find(group.id(), less.call);
  return then && then->past != less.hash;
}

/// Returns the first call that both journals know and do not agree on.
std::optional<std::uint32_t> first_difference(const Journal& a, const Journal& b, std::uint16_t context,
                                              std::uint32_t newest) {
  for (std::uint32_t back = Journal::length; back-- > 0;) {
    const auto one = a.find(context, newest - back), other = b.find(context, newest - back);
    if (one && other && one->signature() != other->signature()) return newest - back;
  }
  return {};
}

/// Names what a node has shown on its board and not all have read, perhaps because another node has made a
/// different call.
std::string shown_text(Fabric& fabric, const Context& group, Rank member) {
  const std::optional<Head> shown = group.member_state(member).board.unread(ReadWords(group, member));
  if (!shown) return {};
  return fmt::format("; call {} of node {} is {}, and not all have read what it shows", shown->call,
                     group.node(member), text_of(fabric, shown->signature));
}

/// Returns whether it is known what a member has called in the group. Of nodes in other processes only their
/// calls with all nodes are known.
bool is_known(const Fabric& fabric, const Context& group, Rank member) {
  return group.id() == fabric.world().id() || fabric.is_here(group.node(member));
}

/// Returns the first member whose calls are known.
Rank first_known(const Fabric& fabric, const Context& group) {
  Rank first = 0;
  while (!is_known(fabric, group, first)) ++first;
  return first;
}

}  // namespace

std::string mismatch_text(Fabric& fabric, Rank me, Rank peer, std::uint16_t context, std::uint32_t call) {
  if (is_message_context(context))
    return fmt::format(
        "what node {} sends to node {} with tag {} is of another type than what is received there", peer, me,
        call);
  const auto own = fabric.shared(me).journal.find(context, call),
             other = fabric.shared(peer).journal.find(context, call);
  return fmt::format("the nodes' calls do not match: call {} of node {} is {}, of node {} it is {}{}", call,
                     me, text_of(own), peer, text_of(other),
                     own && other ? hidden_difference(fabric, me, *own, peer, *other) : "");
}

std::string difference_text(Fabric& fabric, const Context& group, Rank a, Rank b, bool quiet) {
  if (!differ(fabric, group, a, b)) return {};
  const Rank me = group.node(a), peer = group.node(b);
  const auto call = first_difference(fabric.shared(me).journal, fabric.shared(peer).journal, group.id(),
                                     history(group, a).call);
  if (call) return mismatch_text(fabric, me, peer, group.id(), *call);
  std::string text = fmt::format(
      "the nodes' calls do not match: node {} and node {} have made different ones, before the last {} "
      "calls of each{}",
      me, peer, Journal::length, shown_text(fabric, group, a));
  for (Rank member = 0; quiet && member < group.size(); ++member)
    if (member != a) text += shown_text(fabric, group, member);
  return text;
}

std::string difference_text(Fabric& fabric, const Context& group) {
  const Rank first = first_known(fabric, group);
  for (Rank member = first + 1; member < group.size(); ++member)
    if (const std::string text = difference_text(fabric, group, first, member, true); !text.empty())
      return text;
  return {};
}

std::string missed_text(Fabric& fabric, const Context& group) {
  const Rank first = first_known(fabric, group);
  Rank least = first, most = first;
  const auto calls = [&](Rank member) { return history(group, member).call; };
  for (Rank member = first + 1; member < group.size(); ++member) {
    if (!is_known(fabric, group, member)) continue;
    if (static_cast<std::int32_t>(calls(member) - calls(least)) < 0) least = member;
    if (static_cast<std::int32_t>(calls(member) - calls(most)) > 0) most = member;
  }
  if (calls(least) == calls(most)) return {};
  const std::uint32_t missed = calls(least) + 1;
  return fmt::format(
      "node {} has left the run without call {} ({}), which node {} has made", group.node(least), missed,
      text_of(fabric.shared(group.node(most)).journal.find(group.id(), missed)), group.node(most));
}

std::string unreceived_text(Fabric& fabric, Rank to, Rank from, const Head& head) {
  const auto record = fabric.shared(from).journal.find(head.context, head.call);
  const bool message = is_message_context(head.context);
  return fmt::format("node {} left the run without receiving what node {} sent it {} {}{}{}", to, from,
                     message ? "with tag" : "in call", head.call,
                     record ? fmt::format(" ({})", record->text()) : "", group_text(fabric, head.context));
}

std::string why_nobody_sends(Fabric& fabric, Rank me, const Awaited& awaited) {
  const Context& group = *awaited.senders;
  for (const Rank node : group.nodes())
    if (node != me && !has_left(fabric, me, node)) return {};
  return fmt::format(
      "node {} waits in {} for a message from any source with {}, but {}", me, awaited.message,
      tag_text(awaited.call),
      group.size() == 1 ? "is alone in its group" : "all other nodes of the group have left the run");
}

std::string why_hopeless(Fabric& fabric, Rank me, const Awaited& awaited, Members looked_at) {
  const Context* const group = awaited.group;
  const std::uint32_t call = awaited.call, signature = awaited.signature;
  const Rank peer = awaited.peer;
  const auto left = [&](Rank rank) { return has_left(fabric, me, rank); };
  if (group == nullptr) {
    if (peer < 0 || !left(peer)) return {};
    return fmt::format("node {} waits for node {} in {} with {}, but node {} has left the run", me, peer,
                       awaited.message, tag_text(call), peer);
  }
  const auto rank_of = [&](Rank node) {
    return static_cast<Rank>(std::ranges::find(group->nodes(), node) - group->nodes().begin());
  };
  const Rank own_rank = rank_of(me);
  std::string text;
  const auto differs = [&](Rank member) {
    text = difference_text(fabric, *group, own_rank, member, false);
    return !text.empty();
  };
  if (looked_at.any(group->size(), differs)) return text;
  // If many calls are in flight, journals know only the newest; this call can be compared nevertheless.
  const std::uint64_t own = std::uint64_t{call} << 32 | signature;
  group->member_state(own_rank).awaited.store(own, std::memory_order_relaxed);
  const auto awaits_another = [&](Rank member) {
    // Relaxed: what the word says of this call is true for as long as the group lives.
    const std::uint64_t other = group->member_state(member).awaited.load(std::memory_order_relaxed);
    if (other >> 32 != call || other == own || static_cast<std::uint32_t>(other) == 0) return false;
    text = fmt::format("the nodes' calls do not match: call {} of node {} is {}, of node {} it is {}", call,
                       me, text_of(fabric, signature), group->node(member),
                       text_of(fabric, static_cast<std::uint32_t>(other)));
    return true;
  };
  const auto is_gone = [&](Rank member) {
    const Rank rank = group->node(member);
    // Of nodes in other processes only their calls with all nodes are known.
    const bool gone = left(rank) && (fabric.is_here(rank) || group->id() == fabric.world().id());
    if (!gone || static_cast<std::int32_t>(history(*group, member).call - call) >= 0) return false;
    text = fmt::format("node {} waits in call {} ({}), but node {} has left the run without it", me, call,
                       text_of(fabric.shared(me).journal.find(awaited.context, call)), rank);
    return true;
  };
  if (looked_at.any(group->size(), awaits_another) || looked_at.any(group->size(), is_gone)) return text;
  if (peer >= 0 && (differs(rank_of(peer)) || is_gone(rank_of(peer)))) return text;
  return {};
}

std::string group_text(const Fabric& fabric, std::uint16_t context) {
  if ((context & ~message_context) == fabric.world().id()) return {};
  const std::vector<Rank> nodes = fabric.nodes_of(context);
  return nodes.empty() ? "" : fmt::format(", in the group of nodes {}", fmt::join(nodes, ","));
}

std::string call_text(const Fabric& fabric, const std::optional<CurrentCall>& current) {
  return text_of(current) + (current ? group_text(fabric, current->context) : "");
}

std::string status_text(Fabric& fabric, Rank rank) {
  const SharedNodeState& shared = fabric.shared(rank);
  const bool left = shared.left.load(std::memory_order_relaxed) != 0;
  const Processes* const processes = fabric.processes();
  const std::string where =
      processes != nullptr ? fmt::format(" ({})", processes->text(processes->of(rank))) : std::string();
  const std::string status = left                   ? "has left the run"
                             : fabric.is_here(rank) ? call_text(fabric, shared.journal.current())
                                                    : fabric.noted_status(rank);
  return fmt::format("\n  node {}{} {}", rank, where, status);
}

std::string status_of_all(Fabric& fabric) {
  std::string text;
  for (Rank rank = 0; rank < fabric.nodes(); ++rank) text += status_text(fabric, rank);
  return text;
}

bool Agreement::advance() {
  MemberState& own = context_.member_state(me_);
  if (!shown_) {
    if (own.agreed != call_ - 1) return false;
    // Relaxed: the store below publishes it.
    own.written[call_ % 2].store(written_, std::memory_order_relaxed);
    own.shown[call_ % 2].store(std::uint64_t{call_} << 32 | signature_, std::memory_order_release);  // (a)
    fabric_.ring_all(context_);
    shown_ = true;
  }
  for (; next_ < context_.size(); ++next_) {
    if (!fabric_.is_here(context_.node(next_))) continue;
    const std::uint64_t shown =
        context_.member_state(next_).shown[call_ % 2].load(std::memory_order_acquire);  // pairs with (a)
    if (static_cast<std::uint32_t>(shown >> 32) != call_) return false;
    if (static_cast<std::uint32_t>(shown) != signature_)
      throw Mismatch(mismatch_text(fabric_, context_.node(me_), context_.node(next_), context_.id(), call_));
    if (next_ != me_ && written_ != nullptr &&
        context_.member_state(next_).written[call_ % 2].load(std::memory_order_relaxed) == written_)
      throw UsageError(fmt::format(
          "nodes {} and {} write to the same memory in call {} ({}): each needs memory of its own",
          context_.node(std::min(me_, next_)), context_.node(std::max(me_, next_)), call_,
          text_of(fabric_.shared(context_.node(me_)).journal.find(context_.id(), call_))));
  }
  own.agreed = call_;
  return true;
}

}  // namespace vnode
