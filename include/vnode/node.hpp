#pragma once

#include <cstddef>
#include <functional>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <utility>

#include <vnode/element.hpp>
#include <vnode/operator.hpp>
#include <vnode/rank.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class [[gnu::visibility("hidden")]] Member;

/// What one call may ask for beyond its arguments. Equal on all nodes.
struct CallOptions {
  /// An algorithm of this collective by name ("broadcast_binomial"); empty: the cheapest by the cost
  /// functions.
  std::string_view algorithm{};
};

/// One virtual node, as the body of Team::run sees it. Used by its own thread only.
///
/// Data are contiguous ranges of trivially copyable elements; counts are in elements and may be zero. All
/// nodes call the same collectives in the same order, with equal counts, roots and operators; send and recv
/// may come in between. Every call throws UsageError for arguments out of range, Mismatch when the nodes'
/// calls turn out not to match, Aborted when another node has failed, and TimeLimitExceeded
/// (TeamOptions::time_limit). No exception leaves a call while another node may still touch the data that
/// were passed to it.
class Node {
 public:
  /// Its own rank.
  Rank rank() const { return rank_; }
  /// p.
  int size() const;
  /// The team's.
  const Topology& topology() const;
  /// The name of the algorithm that this node's newest collective call ran; empty before the first.
  std::string_view last_algorithm() const;

  /// One-to-all broadcast: `data` of `root` to `data` of all. Equal sizes everywhere.
  template <WritableRange Range>
  void broadcast(Range&& data, Rank root = 0, CallOptions options = {}) {
    using T = std::ranges::range_value_t<Range>;
    broadcast_elements(std::ranges::data(data), std::ranges::size(data), element_type<T>, root, options);
  }

  /// All-to-one reduction: out[i] on `root` = in[i] of node 0 op in[i] of node 1 op ... op in[i] of node p-1,
  /// in rank order unless the operator is commutative (vnode::is_commutative). `out` of the others is not
  /// touched and may be empty. `in` and `out` are the same range or do not overlap. The operator's parts may
  /// run on several threads, each with the copy that its node passed.
  template <ContiguousRange In, WritableRange Out, class Operator>
  void reduce(const In& in, Out&& out, Operator op, Rank root = 0, CallOptions options = {}) {
    using T = std::ranges::range_value_t<In>;
    static_assert(std::is_same_v<T, std::ranges::range_value_t<Out>>, "in and out hold elements of one type");
    const Reduction reduction = reduction_of<T>(op);
    reduce_elements(std::ranges::data(in), std::ranges::data(out), std::ranges::size(in),
                    std::ranges::size(out), element_type<T>, reduction, root, options);
  }
  /// In place: `data` of `root` receives the result, `data` of the others is only read.
  template <WritableRange Range, class Operator>
  void reduce(Range&& data, Operator op, Rank root = 0, CallOptions options = {}) {
    reduce(data, data, std::move(op), root, options);
  }

  /// Returns when every node has called it.
  void barrier(CallOptions options = {});

  /// Returns when `data` may be reused. Messages of one tag (0 to 2^31-1) between two nodes arrive in the
  /// order sent.
  template <ContiguousRange Range>
  void send(const Range& data, Rank to, int tag = 0) {
    using T = std::ranges::range_value_t<Range>;
    send_elements(std::ranges::data(data), std::ranges::size(data), element_type<T>, to, tag);
  }
  /// Returns the number of elements received; a message longer than `data` throws Mismatch.
  template <WritableRange Range>
  std::size_t recv(Range&& data, Rank from, int tag = 0) {
    using T = std::ranges::range_value_t<Range>;
    return receive_elements(std::ranges::data(data), std::ranges::size(data), element_type<T>, from, tag);
  }
  /// Both at once, so that no pattern of exchanges can deadlock. Returns the number of elements received.
  template <ContiguousRange Out, WritableRange In>
  std::size_t sendrecv(const Out& out, Rank to, In&& in, Rank from, int tag = 0) {
    using T = std::ranges::range_value_t<Out>;
    static_assert(std::is_same_v<T, std::ranges::range_value_t<In>>, "out and in hold elements of one type");
    return exchange_elements(std::ranges::data(out), std::ranges::size(out), to, std::ranges::data(in),
                             std::ranges::size(in), from, element_type<T>, tag);
  }

 private:
  friend class Team;
  Node(Rank rank, Member& member) : rank_(rank), member_(&member) {}

  void broadcast_elements(void* data, std::size_t count, const ElementType& type, Rank root,
                          const CallOptions& options);
  void reduce_elements(const void* in, void* out, std::size_t count, std::size_t out_count,
                       const ElementType& type, const Reduction& reduction, Rank root,
                       const CallOptions& options);
  void send_elements(const void* data, std::size_t count, const ElementType& type, Rank to, int tag);
  std::size_t receive_elements(void* data, std::size_t count, const ElementType& type, Rank from, int tag);
  std::size_t exchange_elements(const void* out, std::size_t out_count, Rank to, void* in,
                                std::size_t in_count, Rank from, const ElementType& type, int tag);

  Rank rank_;
  Member* member_;
};

}  // namespace vnode
#pragma GCC visibility pop
