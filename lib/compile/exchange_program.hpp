#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <vnode/model/compose.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/rank.hpp>

#include "base/layout_form.hpp"

namespace vnode {

/// Describes elements of one node's memory in the order in which they travel: as a form picks them, from its
/// element number `first` on, or without a form one after the other.
struct LaidMemory {
  std::byte* data = nullptr;
  const LayoutForm* form = nullptr;
  std::size_t first = 0;

  /// Returns the elements that come after the first `elements`.
  LaidMemory after(std::size_t elements) const { return {data, form, first + elements}; }
  friend bool operator==(const LaidMemory&, const LaidMemory&) = default;
};

/// Describes what one node does in a call that combines nothing and in which only the two ends of a message
/// know how long it is: a neighbourhood exchange, or a collective with a count for each rank.
struct ExchangeProgram {
  /// Describes elements of a message that lie one after the other, or that one layout picks.
  struct Piece {
    LaidMemory memory;
    std::size_t count = 0;
  };
  struct Message {
    Rank peer = 0;                        ///< in the context
    std::uint16_t mark = 0;               ///< tells messages of the same two nodes apart
    std::uint32_t first = 0, number = 0;  ///< its pieces
    std::size_t count = 0;                ///< elements
  };
  struct OwnMessage {
    LaidMemory from, to;
    std::size_t count = 0;
  };
  /// Ends a round: the messages before these indices are those of the round and of earlier ones.
  struct Round {
    std::size_t out = 0, in = 0;
  };
  std::vector<Message> out, in;  ///< by round
  std::vector<Round> rounds;     ///< at least one
  std::vector<Piece> pieces;
  std::vector<OwnMessage> own;  ///< messages to itself
  std::size_t element_bytes = 1;
  std::size_t most_eager = 0;  ///< bytes up to which a message is eager

  std::span<const Piece> pieces_of(const Message& message) const {
    return std::span(pieces).subspan(message.first, message.number);
  }
};

/// Describes where a node's own blocks lie, in a call with a count for each rank.
struct VaryingLayout {
  std::unordered_map<int, ExchangeProgram::Piece> input, output;
};

/// Makes what one node does in such a call. The schedule is one in which nodes handle only blocks that they
/// bring or take away, without combining: so both ends of a message know how long it is, and nobody else
/// needs to. `parts`: the projection of the schedule on this rank.
ExchangeProgram varying_program(const Schedule& schedule, const std::vector<Part>& parts, Rank rank,
                                const VaryingLayout& layout, std::size_t element_bytes);

}  // namespace vnode
