#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/select.hpp>

namespace vnode {

/// Describes how much of an algorithm's time is spent in rounds whose farthest message is between nodes that
/// are apart at a given number of levels of the hierarchy.
struct ShareOfLevel {
  double rounds = 0;  ///< share of all rounds
  double words = 0;   ///< share of the largest messages of all rounds
  double sent = 0;    ///< messages, relative to the number of all rounds
  /// The load of the busiest links of domains in one direction in these rounds, if links are shared: in
  /// messages, relative to the number of all rounds, and in words, relative to the largest messages of all
  /// rounds.
  double link_messages = 0, link_words = 0;
  /// The load of all links together, and the words sent inside domains in these rounds.
  double all_messages = 0, all_words = 0, inside_words = 0;
};

/// Caches the shares of algorithms by the number of levels at which nodes are apart, which is from 0 to the
/// number of levels of the hierarchy. They are computed from a schedule, which is not kept, and do not depend
/// on the size of a message.
class SharesOfLevels {
 public:
  /// Returns the shares. For a pipelined algorithm with many segments they are extrapolated from those with
  /// fewer, since each segment more takes as many rounds more. Nodes that are apart at `linked` levels or
  /// more are in domains that have one link each; with 0 every node has one, and without a value domains have
  /// no links. Takes O(transfers) when it is new. Valid until the next call.
  const std::vector<ShareOfLevel>& of(const Algorithm& algorithm, Parameters parameters,
                                      std::optional<int> linked);
  /// Returns how many algorithms' shares are in the cache.
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
  /// Returns the numbers of rounds, blocks and messages instead of shares.
  const std::vector<ShareOfLevel>& counts(const Algorithm& algorithm, Parameters parameters,
                                          std::optional<int> linked);

  std::unordered_map<Key, std::vector<ShareOfLevel>, Hash> known_;  // counts
  std::vector<ShareOfLevel> shares_;                                // result of the last of()
};

/// Assesses an algorithm in the cheapest form, and with the cheapest algorithm among domains, as far as the
/// hierarchy does not say which.
Candidate assessed(const Algorithm& algorithm, const Demand& demand, const CostModel& costs,
                   SharesOfLevels& shares);

/// Chooses an algorithm as choose() does, with cached shares for callers that choose often.
Candidate choose(const Demand& demand, const Topology& topology, const CostModel& costs,
                 SharesOfLevels& shares);

}  // namespace vnode
