#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <vnode/lab/cost.hpp>
#include <vnode/lab/schedule.hpp>
#include <vnode/rank.hpp>

namespace vnode {

/// How a message travels.
enum class Carriage : std::uint8_t {
  lines,   ///< in the channel's lines
  pull,    ///< the receiver reads the sender's memory
  shared,  ///< the receiver pulls the first part, the sender pushes the rest
};

/// The transfers of a round that are one message: equal from, to and what.
struct Message {
  Rank from = 0, to = 0;
  Blocks what;
  std::span<const Transfer* const> transfers;
  bool gathered = false;   ///< an operand of an n-ary combine, for one of its transfers at least
  bool published = false;  ///< goes over the sender's board
  bool remote = false;     ///< goes to another process
  // What its bytes make of it (runtime/messages.hpp):
  Carriage carriage = Carriage::lines;
  std::uint16_t beside = 0;  ///< if shared: as many of the receiver's other messages of the round are, too
  std::uint32_t number = 0;  ///< among those of the same two nodes in the round
};

/// A round's messages, in the order of their first transfers.
struct RoundOfMessages {
  std::vector<Message> list;
  std::vector<const Transfer*> transfers;  ///< what the messages' transfers are in
};
/// An n-ary combine goes over its sources' boards, and what one node sends to several goes over its own: one
/// line for all instead of one for each. O(n log n) for n transfers.
RoundOfMessages messages_of(const Schedule& schedule, const Round& round);
/// The same of the transfers of node `alike` alone, in a schedule whose nodes are alike: what it sends is
/// gathered if what it receives is.
RoundOfMessages messages_of(const Schedule& schedule, const Round& round, std::optional<Rank> alike);

// What a schedule's rounds have that can be run in less time than they seem to take.

/// The node to which all others signal in `round`, and which signals to all in the next; if there is one, and
/// there are enough others to make counting them pay.
std::optional<Rank> meeting_place(const Schedule& schedule, std::size_t round);

/// Whether all that is combined in `round` goes back, in the next, to those from whom it came, and nothing
/// else happens, and no node sends more then than another receives. So it costs no node more to write results
/// where they go than to fetch them.
bool returns_to_sources(const Schedule& schedule, std::size_t round);

/// What a schedule costs where both ends of a message do half of the work each, if it is the sender's only
/// one of the round, no n-ary combine takes it in, and it has `least` m or more: step_synchronous_cost, but
/// received and combined are those of the node that is busiest then, as a receiver or as a sender.
Cost cost_with_help(const Schedule& schedule, int message_blocks, double least);

}  // namespace vnode
