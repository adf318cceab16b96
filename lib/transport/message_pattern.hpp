#pragma once

#include <cstdint>

#include <vnode/rank.hpp>

#include "channel/line.hpp"

namespace vnode {

/// Describes the messages outside of collectives that a receive or probe may get: those of one node or of
/// any, with one tag or with any, in one group.
struct MessagePattern {
  /// Stands for any tag. Tags have 31 bits, so no message has this one.
  static constexpr std::uint32_t any_tag = 0x80000000;
  /// Stands for any source. Nodes are numbered from 0, so none has this number.
  static constexpr Rank any_source = -1;

  Rank from = any_source;  ///< a node of the team
  std::uint32_t tag = any_tag;
  std::uint16_t context = 0;     ///< that of a group's messages
  std::uint16_t generation = 0;  ///< of the group

  bool fits(Rank sender, const Head& head) const {
    return head.context == context && head.round == generation && (tag == any_tag || tag == head.call) &&
           (from == any_source || from == sender) && head.kind != Kind::destination;
  }
  /// Returns whether it names both a source and a tag.
  bool exact() const { return from != any_source && tag != any_tag; }
};

}  // namespace vnode
