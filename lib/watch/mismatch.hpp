#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <vnode/rank.hpp>

#include "transport/fabric.hpp"
#include "watch/wait_monitor.hpp"

namespace vnode {

/// Names the calls of two nodes that should be one call and are not.
std::string mismatch_text(Fabric& fabric, Rank me, Rank peer, std::uint16_t context, std::uint32_t call);

/// Names two calls in which members `a` and `b` of a group differ, or says that they do although their
/// journals no longer know in which; empty if no difference is known. If `quiet`, no node makes calls
/// meanwhile.
std::string difference_text(Fabric& fabric, const Context& group, Rank a, Rank b, bool quiet);

/// Returns a sentence about calls in which the members of a group differ, or nothing. Is called when no node
/// makes calls any more.
std::string difference_text(Fabric& fabric, const Context& group);
/// Returns such a sentence about a call that some members have made and others have not.
std::string missed_text(Fabric& fabric, const Context& group);

/// Names a message that `to` has left the run without receiving.
std::string unreceived_text(Fabric& fabric, Rank to, Rank from, const Head& head);

/// Says why what the node waits for can never be completed, as far as the journals tell: the node and another
/// member have made different calls, this one or an earlier one, or a node has left the run without making
/// it. Returns an empty text if it may still be completed, as far as the members that are looked at and the
/// awaited peer tell.
std::string why_hopeless(Fabric& fabric, Rank me, const Awaited& awaited, Members looked_at = {});

/// Says why no message from any source will come to the node, which waits for one: all other nodes of the
/// group have left the run. Returns an empty text if one may still come.
std::string why_nobody_sends(Fabric& fabric, Rank me, const Awaited& awaited);

/// Returns a text such as ", in the group of nodes 0,2", or nothing for all nodes and for a group that has
/// ended. `context` is the group's or its messages'.
std::string group_text(const Fabric& fabric, std::uint16_t context);
/// Says where a node is: its call and its group, its round, and whom it waits for.
std::string call_text(const Fabric& fabric, const std::optional<CurrentCall>& current);
/// Returns a new line that says where the node is, or that it has left the run.
std::string status_text(Fabric& fabric, Rank rank);
/// Returns such lines for all nodes.
std::string status_of_all(Fabric& fabric);

/// Makes the comparison of `checked` mode before a call: every node shows its signature and reads those of
/// all other nodes of its process. Signatures of nodes in other processes come with their messages.
///
/// Two words per member take turns: a member that shows call c + 2 has seen all members at c + 1, so nobody
/// still reads c.
class Agreement {
 public:
  /// Takes the call; `me` is the node's rank in the context, and `written` the memory that the call writes on
  /// each node, or null.
  Agreement(Fabric& fabric, const Context& context, Rank me, std::uint32_t call, std::uint32_t signature,
            const std::byte* written)
      : fabric_(fabric), context_(context), me_(me), call_(call), signature_(signature), written_(written) {}
  /// Returns whether all are known to agree. Throws Mismatch, which names the first node that does not, and
  /// UsageError where two nodes write to the same memory.
  bool advance();
  const std::atomic<std::uint64_t>* watch() const {
    return shown_ ? &context_.member_state(next_).shown[call_ % 2] : nullptr;
  }
  Awaited awaited() const {
    const auto progress = static_cast<std::uint64_t>(shown_ ? next_ + 1 : 0);
    return {&context_, context_.id(), call_, 0, context_.node(next_), signature_, progress};
  }

 private:
  Fabric& fabric_;
  const Context& context_;
  Rank me_;
  std::uint32_t call_, signature_;
  const std::byte* written_;
  bool shown_ = false;
  Rank next_ = 0;
};

}  // namespace vnode
