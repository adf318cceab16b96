#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/select.hpp>
#include <vnode/node.hpp>
#include <vnode/placed_buffer.hpp>
#include <vnode/team.hpp>

#include "timing/contest.hpp"

namespace vnode {

/// Holds what one node brings to a collective of m bytes and takes from it. Operations that only move data
/// have bytes; those that combine have doubles, which they add.
class CollectiveData {
 public:
  /// Makes memory for node `rank`. Throws UsageError if the operation combines and m is no multiple of a
  /// double's size.
  CollectiveData(const Demand& demand, Rank rank);
  /// Makes the same in the team's buffers: a piece of every message for each port of the node, on that port's
  /// bank. Is called on the node's own thread, which touches the pages.
  CollectiveData(const Demand& demand, Rank rank, const Team& team);

  /// Plans the call on these data.
  Persistent plan(Node& me, const CallOptions& options);
  /// Writes what the node brings anew, as a program does that has computed it.
  void rewrite(int value);

  /// Returns the pages of the team's buffers: where they lie, and what was refused.
  std::vector<const Pages*> pages() const;

  /// Returns the bytes of all nodes' data.
  static double total_bytes(const Demand& demand);
  /// Throws UsageError if they need more than half of the machine's memory.
  static void check_memory(const Demand& demand, const Machine& machine);

 private:
  /// Holds a vector, or a buffer of a team's.
  template <class T>
  class Memory {
   public:
    void make(std::size_t count, Rank rank, const Team* team, int pieces);
    std::span<T> all() { return placed_.empty() ? std::span<T>(usual_) : std::span<T>(placed_); }
    const Pages& pages() const { return placed_.pages(); }

   private:
    std::vector<T> usual_;
    PlacedBuffer<T> placed_;
  };
  CollectiveData(const Demand& demand, Rank rank, const Team* team);

  Demand demand_;
  Memory<std::byte> in_, out_;  // broadcast: in `out_` only
  Memory<double> numbers_in_, numbers_out_;
};

/// Holds calls of a collective for measure() to time. They are planned anew for every lap, all on the same
/// data of the nodes.
class PlannedCalls {
 public:
  /// Prepares the calls; with `buffers`, messages lie in the buffers of that team.
  explicit PlannedCalls(const Demand& demand, const Team* buffers = nullptr);
  PlannedCalls(const PlannedCalls&) = delete;
  PlannedCalls& operator=(const PlannedCalls&) = delete;
  /// Adds the call by an algorithm, cut into so many segments; hierarchical algorithms go over `hierarchy`,
  /// which outlives the calls.
  void add(const Algorithm& algorithm, int segments, const Hierarchy& hierarchy);

  Question& question() { return question_; }
  /// Returns the data of a node that has made a call.
  const CollectiveData& data(Rank rank) const { return *data_[static_cast<std::size_t>(rank)]; }

 private:
  const Demand demand_;
  const Team* const buffers_;
  std::vector<std::unique_ptr<CollectiveData>> data_;  // by rank; each makes its own, on its own thread
  Question question_;
};

/// Says how long calls took, from the first node's entry to the last one's exit.
struct CallTimes {
  std::vector<double> seconds;  ///< of those that count: of all, if every one was late
  std::size_t calls = 0;        ///< all of them
  std::size_t late = 0;         ///< those that some node entered late
};
CallTimes call_times(const Series& series);

}  // namespace vnode
