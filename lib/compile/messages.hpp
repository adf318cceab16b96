#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/rank.hpp>

#include "base/at.hpp"
#include "schedule/block_sizes.hpp"
#include "schedule/patterns.hpp"

namespace vnode {

/// Holds what all nodes know of the team; they choose how messages travel by it alone, and so alike.
struct Profile {
  std::size_t max_inline = 0;     ///< payload that a channel carries in lines
  std::size_t max_published = 0;  ///< payload that a board carries in a slot
  std::size_t min_shared = 0;     ///< payload from which both ends copy; SIZE_MAX: never
  bool canonical = false;     ///< n-ary combines are trees, lowest bit first, instead of from left to right
  bool rounded_once = false;  ///< n-ary combines are rounded once
  bool shared_cores =
      false;  ///< nodes share cores: who meets is counted, so that each has as few turns as possible
  /// The process that each node is in, by rank in the group; null if all are in one process.
  std::shared_ptr<const std::vector<int>> processes{};

  bool is_remote(Rank from, Rank to) const {
    return processes != nullptr && at(*processes, from) != at(*processes, to);
  }
};

/// Holds the messages of a schedule, round by round, and how they travel, on which both ends of a message
/// must agree.
///
/// In a schedule whose nodes are alike it is enough to look at one node: what one of them does in a round,
/// the others do too, so a node sees in its own messages what its peers see in theirs. If blocks differ by an
/// element, all are taken to be as long as the longest, so that all nodes decide alike. Nodes of several
/// processes are not alike: messages between these go over wires, which know neither boards nor the memory of
/// another node.
class Messages {
 public:
  enum class Way {
    as_it_is,
    meeting,   ///< it and the next round are a meeting: see meeting_place()
    returned,  ///< its results go back in the next round: see vnode::returned()
  };
  struct Of {
    Way way = Way::as_it_is;
    Rank owner = 0;  ///< if meeting: the node to which all signal
    RoundOfMessages messages;
  };

  /// Finds the messages. If `alike` names a node, all nodes are alike, and `schedule` has the transfers of
  /// this node alone, `contract` its share. Takes O(n log n) for n transfers. Throws std::bad_alloc, and
  /// UsageError for a schedule of more than most_rounds.
  Messages(const Schedule& schedule, const Contract& contract, const BlockSizes& sizes,
           const Profile& profile, std::optional<Rank> alike);

  const std::vector<Of>& rounds() const { return rounds_; }
  /// Returns the bytes of the message's blocks, each counted once.
  std::size_t bytes(const Message& message) const;

 private:
  bool crosses(std::size_t round) const;
  bool returns(std::size_t round) const;
  bool is_wanted(Rank rank, Blocks blocks) const;
  /// Returns the length that decides how a message of these blocks travels.
  std::size_t length(Blocks blocks) const;
  void choose_begun(std::vector<Message>& messages);
  void choose_wires(std::vector<Message>& messages) const;
  void choose_carriages(std::vector<Message>& messages, bool last) const;
  void publish_together(std::vector<Message>& messages) const;
  void count_shared(std::vector<Message>& messages) const;
  void number(std::vector<Message>& messages) const;

  const Schedule& schedule_;
  const Contract& contract_;
  const BlockSizes& sizes_;
  const Profile& profile_;
  std::optional<Rank> alike_;
  std::vector<bool> heard_;  // by rank: has received a message in an earlier round
  std::vector<Of> rounds_;
};

/// A schedule that is run has at most so many rounds: messages bear the round's number in 16 bits.
inline constexpr int most_rounds = 65535;

}  // namespace vnode
