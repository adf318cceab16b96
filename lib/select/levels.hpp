#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/select.hpp>

namespace vnode {

/// How much of an algorithm's time belongs to rounds whose farthest message is between nodes that are apart
/// at as many levels of the hierarchy.
struct ShareOfLevel {
  double rounds = 0;  ///< of all rounds
  double words = 0;   ///< of the largest messages of all rounds
  /// What the busiest links of domains carry in one direction in these rounds, where links are shared: in
  /// messages, by the number of all rounds, and in words, by the largest messages of all rounds.
  double link_messages = 0, link_words = 0;
  /// The same of all links together, and the words inside domains in these rounds.
  double all_messages = 0, all_words = 0, inside_words = 0;
};

/// Keeps the shares of algorithms by the levels at which nodes are apart, one more than the hierarchy has.
/// They are read off a schedule, which is not kept, and do not depend on the size of a message.
class SharesOfLevels {
 public:
  /// Returns the shares. Of a pipelined algorithm with many segments they follow from those with fewer, since
  /// each more of them takes as many rounds more. `linked`: nodes that are apart at so many levels or more
  /// are in domains that have one link each, with 0 every node has one; none: domains have no links.
  /// O(transfers) when it is new. Valid until the next call.
  const std::vector<ShareOfLevel>& of(const Algorithm& algorithm, Parameters parameters,
                                      std::optional<int> linked);
  /// How many are kept.
  std::size_t size() const { return known_.size(); }

 private:
  static constexpr std::size_t capacity = 2048;

  struct Key {
    const Algorithm* algorithm;
    Parameters parameters;
    std::optional<int> linked;
    bool operator==(const Key& other) const;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  /// Returns rounds, blocks and messages instead of shares of them.
  const std::vector<ShareOfLevel>& counts(const Algorithm& algorithm, Parameters parameters,
                                          std::optional<int> linked);

  std::unordered_map<Key, std::vector<ShareOfLevel>, Hash> known_;  // counts
  std::vector<ShareOfLevel> shares_;                                // what has been asked for last
};

/// choose() for somebody who chooses often.
Candidate choose(const Demand& demand, const Topology& topology, const CostModel& costs,
                 SharesOfLevels& shares);

}  // namespace vnode
