#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/select.hpp>
#include <vnode/node.hpp>
#include <vnode/placed_buffer.hpp>
#include <vnode/team.hpp>

namespace vnode {

/// What one node brings to a collective of m bytes and takes from it. Bytes are moved; what is combined are
/// doubles, and their operator is addition.
class CollectiveData {
 public:
  /// Memory for node `rank`. UsageError if the operation combines and m is no multiple of a double's size.
  CollectiveData(const Demand& demand, Rank rank);
  /// The same in the team's buffers: a piece of every message for each port of the node, on that port's bank.
  /// On the node's own thread, which touches them.
  CollectiveData(const Demand& demand, Rank rank, const Team& team);

  /// The call on these data, planned.
  Persistent plan(Node& me, const CallOptions& options);
  /// Writes what the node brings anew, as a program does that has computed it.
  void rewrite(int value);

  /// The team's buffers: where pages lie, and what was refused.
  std::vector<const Pages*> pages() const;

  /// The bytes of all nodes' data.
  static double total_bytes(const Demand& demand);
  /// UsageError if they need more than half of the machine's memory.
  static void check_memory(const Demand& demand, const Machine& machine);

 private:
  /// A vector, or a buffer of a team's.
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

}  // namespace vnode
