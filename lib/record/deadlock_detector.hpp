#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <vnode/rank.hpp>

#include "base/at.hpp"
#include "base/pause.hpp"

namespace vnode {

/// Finds out whether all nodes of a run wait and none will ever go on: then a deadlock is certain.
///
/// Only the other nodes of its team write what a node waits for, and nodes that wait
/// write only in response to what they find when they look. Nodes whose wait is long are counted, and so are
/// those that have come to the end of their part of the run. When all are counted, an epoch stands for this
/// state until the next change. Then each node that waits looks once more, at everything, and confirms if it
/// has found nothing and done nothing for others since it was counted.
///
/// Invariant: the number of confirmations is that of nodes that have confirmed in this epoch. When all that
/// wait have confirmed, none will ever go on. To prove this, let a node write for another after it was
/// counted, and let this be a first such write, one that no other has led to. The node has not written before
/// it confirmed, so it has found something later that it had not found when it confirmed. What others had
/// written before they were counted it would have found then: (a) passes it on to (b), and the look comes
/// after (b). So another node had written since it was counted, and the write was not a first one. (c) orders
/// the look before the confirmation. No time is in this: a node that does not run, however long, does not
/// confirm.
///
/// All changes are read-modify-writes of one word, so the latest one has seen all before.
class DeadlockDetector {
 public:
  /// Serves `nodes` nodes of this process, which belong to a team of `all`.
  DeadlockDetector(int nodes, int all) : nodes_(static_cast<std::uint64_t>(nodes)), remarks_(number(all)) {}

  using Epoch = std::uint32_t;

  /// Counts a node that waits. Returns whether all nodes are counted now.
  bool begin() { return counted(count(one_counted)) == nodes_; }
  /// Counts a node no longer: it waits no more, or has done something for others meanwhile.
  void end() { count(std::uint64_t{0} - one_counted); }
  /// Begins another epoch, in which the nodes that have confirmed must do so again.
  Epoch renew() { return epoch(count(0)); }
  bool is_in(Epoch of) const { return epoch(word_.load(std::memory_order_relaxed)) == of; }
  /// Counts a node that has come to the end of its part of the run, for good. Returns whether all nodes are
  /// counted now: then one of those that wait must look.
  bool leave() {
    left_.fetch_add(1, std::memory_order_release);  // (e) its last wait has ended; seen by all who see (a)
    return begin();
  }

  struct Question {
    Epoch epoch;
    int confirmed;  ///< how many nodes have confirmed
  };
  /// Asks a node that has last confirmed in the epoch `confirmed`: returns the present epoch if all nodes are
  /// counted in it and the node has not yet confirmed in it, else nothing.
  std::optional<Question> asks(std::optional<Epoch> confirmed) const {
    const std::uint64_t word = word_.load(std::memory_order_acquire);  // (b) pairs with (a)
    if (counted(word) != nodes_ || epoch(word) == confirmed) return {};
    return Question{epoch(word), static_cast<int>(DeadlockDetector::confirmed(word))};
  }

  struct Answer {
    enum State : std::uint8_t {
      changed,  ///< the epoch is over
      noted,    ///< others have not confirmed yet
      certain   ///< the node was the last to confirm
    } state;
    int confirmed;  ///< how many nodes have confirmed, with this one
  };
  /// Confirms that the node has looked in vain since asks() has returned `epoch`, and has done nothing for
  /// others since begin().
  Answer confirm(Epoch epoch);

  /// Notes what a node knows of why it waits, or nothing. Is called before its confirm().
  void remark(Rank rank, std::string text) { at(remarks_, rank) = std::move(text); }
  /// Returns what a node has noted before its confirmation. Is called by the last node to confirm.
  const std::string& remark(Rank rank) const { return at(remarks_, rank); }

  /// Sets the text that all nodes throw. Is called once, by the last node to confirm.
  void pronounce(std::string verdict) {
    verdict_ = std::move(verdict);
    pronounced_.store(true, std::memory_order_release);  // (d)
  }
  /// Returns what was pronounced, or null.
  const std::string* verdict() const {
    return pronounced_.load(std::memory_order_acquire) ? &verdict_ : nullptr;  // pairs with (d)
  }

  /// Forgets, between runs, all that were counted.
  void reset();

 private:
  static constexpr std::uint64_t one_confirmed = 1, one_counted = std::uint64_t{1} << 16,
                                 one_epoch = std::uint64_t{1} << 32;
  static std::size_t number(int nodes) { return static_cast<std::size_t>(nodes); }
  static std::uint64_t confirmed(std::uint64_t word) { return word & 0xffff; }
  static std::uint64_t counted(std::uint64_t word) { return word >> 16 & 0xffff; }
  static Epoch epoch(std::uint64_t word) { return static_cast<Epoch>(word >> 32); }
  std::uint64_t count(std::uint64_t change);

  std::uint64_t nodes_;  // 32768 at most
  std::vector<std::string> remarks_;
  std::string verdict_;
  std::atomic<bool> pronounced_{false};
  /// The epoch, the number of nodes counted, and the number that have confirmed, in 32, 16 and 16 bits.
  alignas(cache_line) std::atomic<std::uint64_t> word_{0};
  std::atomic<std::uint64_t> left_{0};  // how many of those that are counted have left
};

}  // namespace vnode
