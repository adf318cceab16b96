#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/model/schedule.hpp>

namespace vnode {

/// Names blocks in pictures: by their numbers or, where every node has a block for every node, as the
/// textbook does, {source,destination}.
class BlockNames {
 public:
  /// `contract` is what the schedule is to achieve; null: not known.
  BlockNames(const Schedule& schedule, const Contract* contract);

  /// Returns "0-3,6", or "{0-1,2} {0-1,6-7}" for sources 0 and 1 and destinations 2, 6 and 7; the list is cut
  /// where it is longer than that.
  std::string text(std::span<const Interval> blocks, std::size_t longest) const;

  /// Tells whether blocks have a source and a destination.
  bool pairs() const { return nodes_ > 0; }

 private:
  int nodes_ = 0;  // of pairs
};

/// Returns for each round what every node holds before it, and last what it holds in the end: the blocks that
/// it sends, combines or must have later on, or whose contributions these blocks are the sum of, in short.
/// Throws UsageError if schedule and contract differ in nodes or blocks. O(rounds x nodes x blocks).
std::vector<std::vector<std::string>> holdings(const Schedule& schedule, const Contract& contract);

}  // namespace vnode
