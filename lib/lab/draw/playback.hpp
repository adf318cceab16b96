#pragma once

#include <map>
#include <string>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/model/schedule.hpp>

namespace vnode {

/// Counts the contributions that a block has, by rank.
using Contributions = std::map<Rank, int>;
/// Returns "0-3,5", or "0-3,5×2" where 5 is counted twice.
std::string to_text(const Contributions& contributions);

/// Describes a block of a node that a round changed.
struct Change {
  Rank node = 0;
  int block = 0;
  Contributions now = {};
};

/// Says what every node holds before the first round, and what each round changes. A signal carries what its
/// sender knows, as one block in which no rank counts twice.
struct Playback {
  int blocks = 0;  ///< of the schedule; 1 where it has only signals
  std::vector<Change> start = {};
  std::vector<std::vector<Change>> rounds = {};
};

/// Plays a schedule back. Without a contract a node brings a block if the first that happens to the block
/// there is that it is sent or combined into. Blocks that are sent before they are there do not arrive.
/// Throws UsageError if schedule and contract differ in nodes or blocks.
Playback playback(const Schedule& schedule, const Contract* contract);

}  // namespace vnode
