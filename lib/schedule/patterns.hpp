#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/model/cost.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/rank.hpp>

namespace vnode {

/// Tells how a message travels.
enum class Carriage : std::uint8_t {
  lines,   ///< in the channel's lines
  pull,    ///< the receiver reads the sender's memory
  shared,  ///< the receiver pulls the first part, the sender pushes the rest
};

/// Holds the transfers of a round that are one message: those with equal from, to and what.
struct Message {
  Rank from = 0, to = 0;
  Blocks what;
  std::span<const Transfer* const> transfers;
  bool gathered = false;   ///< an operand of an n-ary combine, for one of its transfers at least
  bool published = false;  ///< goes over the sender's board
  bool remote = false;     ///< goes to another process
  bool begun = false;      ///< says only that its sender has begun the call, which the sender's history tells
  // These depend on its bytes (compile/messages.hpp):
  Carriage carriage = Carriage::lines;
  bool packed = false;       ///< is one of several in a publication, one after the other
  std::uint16_t beside = 0;  ///< if shared: how many other messages of the receiver in the round are, too
  std::uint32_t number = 0;  ///< counts the messages of the same two nodes in the round

  /// Tells whether it comes from another process, or by the channel though it is gathered.
  bool lands() const { return remote || (gathered && !published); }
};

/// Holds a round's messages, in the order of their first transfers.
struct RoundOfMessages {
  std::vector<Message> list;
  std::vector<const Transfer*> transfers;  ///< the messages' `transfers` point into it
};
/// Finds a round's messages. The operands of an n-ary combine go over their senders' boards, and what one
/// node sends to several goes over its board: one line for all instead of one for each. Takes O(n log n) for
/// n transfers.
RoundOfMessages messages_of(const Schedule& schedule, const Round& round);
/// Finds the messages among the transfers of node `alike` alone, if there is one, in a schedule whose nodes
/// are alike: what it sends is gathered if what it receives is.
RoundOfMessages messages_of(const Schedule& schedule, const Round& round, std::optional<Rank> alike);

// These functions find rounds of a schedule that can be run in less time than they seem to take.

/// Returns the node to which all others send in `round`, and which sends to all in the next; nothing if there
/// is none, or if there are so few others that counting them does not pay.
std::optional<Rank> meeting_place(const Schedule& schedule, std::size_t round);

/// Describes what the node that returns most of its results sends: so many messages, of so many blocks; and
/// whether each of its results goes on from another one, as in a scan by slices.
struct Returned {
  int messages = 0, blocks = 0;
  bool goes_on = false;
};
/// Returns whether all that happens in the round after `round` is that results of what `round` combines go
/// back to those from whom it came, and no node sends more messages then than another receives; nothing if
/// not. Then it costs no node more to write results where they go than to fetch them. What they are written
/// over has been read then, also in place. In a reduce_scatter nothing goes back: its blocks lie elsewhere in
/// the output than in the input.
std::optional<Returned> returned(const Schedule& schedule, const Contract& contract, std::size_t round);

/// Returns what a schedule costs if both ends of a message do half of the work each, provided that it is the
/// sender's only message of the round, it is no operand of an n-ary combine, and it has `least` m or more.
/// This is step_synchronous_cost(), but received and combined are those of the node that is then busiest, as
/// a receiver or as a sender.
Cost cost_with_help(const Schedule& schedule, int message_blocks, double least);

}  // namespace vnode
