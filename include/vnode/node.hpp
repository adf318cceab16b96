#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include <vnode/operator.hpp>
#include <vnode/rank.hpp>
#include <vnode/topology.hpp>

namespace [[gnu::visibility("default")]] vnode {

/// What one call may ask for beyond its arguments. Equal on all nodes.
struct CallOptions {
  /// An algorithm of this collective by name ("broadcast_binomial"); empty: the cheapest by the cost functions.
  std::string_view algorithm{};
};

/// One virtual node, as the body of Team::run sees it. Used by its own thread only.
/// Data are contiguous ranges of trivially copyable elements. Collectives are called by all nodes in one order.
class Node {
 public:
  Rank rank() const { return rank_; }
  int size() const;
  const Topology& topology() const;

  /// One-to-all broadcast: `data` of `root` to `data` of all. Equal sizes everywhere.
  template <ContiguousRange Range>
  void broadcast(Range&& data, Rank root = 0, CallOptions options = {});

  /// All-to-one reduction: out[i] on `root` = in[i] of node 0 op ... op in[i] of node p-1. `out` of the others is not
  /// touched and may be empty. `in` and `out` are the same range or disjoint.
  template <ContiguousRange In, ContiguousRange Out, class Operator>
  void reduce(const In& in, Out&& out, Operator op, Rank root = 0, CallOptions options = {});
  /// In place: `data` of `root` receives the result, `data` of the others is only read.
  template <ContiguousRange Range, class Operator>
  void reduce(Range&& data, Operator op, Rank root = 0, CallOptions options = {});

  /// Returns when every node has called it.
  void barrier(CallOptions options = {});

  /// Returns when `data` may be reused. Messages of one tag between two nodes arrive in the order sent.
  template <ContiguousRange Range>
  void send(const Range& data, Rank to, int tag = 0);
  /// Returns the number of elements received; a message longer than `data` throws Mismatch.
  template <ContiguousRange Range>
  std::size_t recv(Range&& data, Rank from, int tag = 0);
  /// Both at once, with no deadlock in any pattern.
  template <ContiguousRange Out, ContiguousRange In>
  std::size_t sendrecv(const Out& out, Rank to, In&& in, Rank from, int tag = 0);

 private:
  Rank rank_ = 0;
};

}  // namespace vnode
