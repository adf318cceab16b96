#pragma once

#include <cstdint>
#include <vector>

#include <vnode/lab/schedule.hpp>
#include <vnode/rank.hpp>

namespace vnode {

/// The transfers of a round that are one message: equal from, to and what.
struct Message {
  Rank from = 0, to = 0;
  Blocks what;
  std::vector<const Transfer*> transfers;
  bool gathered = false;       ///< an operand of an n-ary combine, for one of its transfers at least
  bool published = false;      ///< goes over the sender's board
  std::uint32_t movement = 0;  ///< in the plan
};

/// A round's messages, in the order of their first transfers. An n-ary combine goes over its sources' boards,
/// and what one node sends to several goes over its own: one line for all instead of one for each.
std::vector<Message> messages_of(const Schedule& schedule, const Round& round);

}
