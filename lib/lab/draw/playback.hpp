#pragma once

#include <map>
#include <string>
#include <vector>

#include <vnode/lab/contract.hpp>
#include <vnode/lab/schedule.hpp>

namespace vnode {

/// Whose contributions a block has, counted.
using Contributions = std::map<Rank, int>;
/// "0-3,5", and "0-3,5×2" where one is counted twice.
std::string to_text(const Contributions& contributions);

/// A block of a node that a round changed.
struct Change {
  Rank node = 0;
  int block = 0;
  Contributions now = {};
};

/// What every node holds before the first round, and what each round changes. A signal carries what its
/// sender knows: as one block, in which nobody counts twice.
struct Playback {
  int blocks = 0;  ///< of the schedule; 1 where it has only signals
  std::vector<Change> start = {};
  std::vector<std::vector<Change>> rounds = {};
};

/// Without a contract a node brings a block if the first that happens to it there is that it is sent or
/// combined into. Blocks that are sent before they are there do not arrive. UsageError if schedule and
/// contract differ in nodes or blocks.
Playback playback(const Schedule& schedule, const Contract* contract);

}  // namespace vnode
