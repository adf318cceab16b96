#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include <vnode/call.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The collective operations. Group has them in their blocking form, Group::nonblocking() in the form that
/// returns a Request, Group::persistent() in the form that returns a Persistent to be started many times.
///
/// Data are contiguous ranges of trivially copyable elements; counts are in elements and may be zero. m is
/// what one node brings to one message, p the number of nodes. All nodes of a group call the same collectives
/// in the same order, with equal counts, roots, operators and options. `in` and `out` do not overlap, but
/// where a form with one range `data` exists they may be what that form makes of it. Ranges stay what they
/// are until the call is complete.
///
/// Throws UsageError for arguments that make no sense, Mismatch when the nodes' calls turn out not to match,
/// Aborted when another node has failed, and TimeLimitExceeded (TeamOptions::time_limit).
template <class Derived, class Result>
class Operations {
 public:
  /// One-to-all broadcast: `data` of `root` to `data` of all. Equal sizes everywhere.
  template <WritableRange Range>
  Result broadcast(Range&& data, Rank root = 0, CallOptions options = {}) {
    Arguments call = of(Collective::broadcast, data, data, options);
    call.root = root;
    return perform(call);
  }

  /// All-to-one reduction: out[i] on `root` = in[i] of node 0 op in[i] of node 1 op ... op in[i] of node p-1,
  /// in rank order unless the operator is commutative (vnode::is_commutative). `out` of the others is not
  /// touched and may be empty. The operator's parts may run on several threads, each with the copy that its
  /// node passed.
  template <ContiguousRange In, WritableRange Out, class Operator>
  Result reduce(const In& in, Out&& out, Operator op, Rank root = 0, CallOptions options = {}) {
    Arguments call = of(Collective::reduce, in, out, options);
    call.root = root;
    return combine<In>(std::move(call), std::move(op));
  }
  /// In place: `data` of `root` receives the result, `data` of the others is only read.
  template <WritableRange Range, class Operator>
  Result reduce(Range&& data, Operator op, Rank root = 0, CallOptions options = {}) {
    return reduce(data, data, std::move(op), root, options);
  }

  /// All-to-all broadcast: out[r m .. r m + m-1] = `in` of node r, on all nodes.
  template <ContiguousRange In, WritableRange Out>
  Result all_gather(const In& in, Out&& out, CallOptions options = {}) {
    return perform(of(Collective::all_gather, in, out, options));
  }
  /// In place: `data` has p m elements, and node r's own are at r m.
  template <WritableRange Range>
  Result all_gather(Range&& data, CallOptions options = {}) {
    return all_gather(part(data, data_rank()), data, options);
  }
  /// With another count on every rank: part r of `out` = `in` of node r. Counts are equal everywhere;
  /// displacements may differ.
  template <ContiguousRange In, WritableRange Out>
  Result all_gather_v(const In& in, Out&& out, Partition out_parts, CallOptions options = {}) {
    Arguments call = of(Collective::all_gather, in, out, options);
    call.varying = true;
    call.out_parts = out_parts;
    return perform(call);
  }
  /// In place: node r's own are in part r of `data`.
  template <WritableRange Range>
  Result all_gather_v(Range&& data, Partition parts, CallOptions options = {}) {
    return all_gather_v(part(data, data_rank(), parts), data, parts, options);
  }

  /// All-to-all reduction: out[i] on node r = in[r m + i] of node 0 op ... op in[r m + i] of node p-1.
  template <ContiguousRange In, WritableRange Out, class Operator>
  Result reduce_scatter(const In& in, Out&& out, Operator op, CallOptions options = {}) {
    return combine<In>(of(Collective::reduce_scatter, in, out, options), std::move(op));
  }
  /// In place: the first m of the p m elements of `data` receive the result; the others are lost.
  template <WritableRange Range, class Operator>
  Result reduce_scatter(Range&& data, Operator op, CallOptions options = {}) {
    return reduce_scatter(data, part(data, 0), std::move(op), options);
  }
  /// With another count on every rank: node r receives counts[r] elements. Counts are equal everywhere.
  template <ContiguousRange In, WritableRange Out, class Operator>
  Result reduce_scatter_v(const In& in, Out&& out, std::span<const std::size_t> counts, Operator op,
                          CallOptions options = {}) {
    Arguments call = of(Collective::reduce_scatter, in, out, options);
    call.varying = true;
    call.in_parts = {counts, {}};
    return combine<In>(std::move(call), std::move(op));
  }
  /// In place: the first counts[r] elements of `data` receive the result; the others are lost.
  template <WritableRange Range, class Operator>
  Result reduce_scatter_v(Range&& data, std::span<const std::size_t> counts, Operator op,
                          CallOptions options = {}) {
    const auto mine = static_cast<std::size_t>(data_rank());
    const std::size_t count = mine < counts.size() ? counts[mine] : 0;
    return reduce_scatter_v(data,
                            std::span(std::ranges::data(data), std::min(count, std::ranges::size(data))),
                            counts, std::move(op), options);
  }

  /// out[i] = in[i] of node 0 op ... op in[i] of node p-1, with the same bits on all nodes; but which of
  /// several NaNs a sum or product keeps, with its sign and payload, is the compiler's choice, and may
  /// differ.
  template <ContiguousRange In, WritableRange Out, class Operator>
  Result all_reduce(const In& in, Out&& out, Operator op, CallOptions options = {}) {
    return combine<In>(of(Collective::all_reduce, in, out, options), std::move(op));
  }
  /// In place.
  template <WritableRange Range, class Operator>
  Result all_reduce(Range&& data, Operator op, CallOptions options = {}) {
    return all_reduce(data, data, std::move(op), options);
  }

  /// Prefix sums: out[i] on node r = in[i] of node 0 op ... op in[i] of node r, in rank order.
  template <ContiguousRange In, WritableRange Out, class Operator>
  Result scan(const In& in, Out&& out, Operator op, CallOptions options = {}) {
    return combine<In>(of(Collective::scan, in, out, options), std::move(op));
  }
  /// In place.
  template <WritableRange Range, class Operator>
  Result scan(Range&& data, Operator op, CallOptions options = {}) {
    return scan(data, data, std::move(op), options);
  }
  /// The same without the own contribution: up to node r-1. `out` of node 0 is not touched.
  template <ContiguousRange In, WritableRange Out, class Operator>
  Result exclusive_scan(const In& in, Out&& out, Operator op, CallOptions options = {}) {
    return combine<In>(of(Collective::exclusive_scan, in, out, options), std::move(op));
  }
  /// In place.
  template <WritableRange Range, class Operator>
  Result exclusive_scan(Range&& data, Operator op, CallOptions options = {}) {
    return exclusive_scan(data, data, std::move(op), options);
  }

  /// One-to-all personalized: `out` of node r = in[r m .. r m + m-1] of `root`. `in` of the others is not
  /// looked at and may be empty.
  template <ContiguousRange In, WritableRange Out>
  Result scatter(const In& in, Out&& out, Rank root = 0, CallOptions options = {}) {
    Arguments call = of(Collective::scatter, in, out, options);
    call.root = root;
    return perform(call);
  }
  /// In place: `data` of `root` has p m elements, of which its own part stays where it is; `data` of the
  /// others receives m.
  template <WritableRange Range>
  Result scatter(Range&& data, Rank root = 0, CallOptions options = {}) {
    if (data_rank() == root) return scatter(data, part(data, root), root, options);
    return scatter(std::span(std::ranges::data(data), 0), data, root, options);
  }
  /// With another count on every rank: `out` of node r = part r of `in` of `root`. `in_parts` matter on the
  /// root only.
  template <ContiguousRange In, WritableRange Out>
  Result scatter_v(const In& in, Partition in_parts, Out&& out, Rank root = 0, CallOptions options = {}) {
    Arguments call = of(Collective::scatter, in, out, options);
    call.varying = true;
    call.root = root;
    call.in_parts = in_parts;
    return perform(call);
  }
  /// In place: the root's own part stays where it is.
  template <WritableRange Range>
  Result scatter_v(Range&& data, Partition parts, Rank root = 0, CallOptions options = {}) {
    if (data_rank() == root) return scatter_v(data, parts, part(data, root, parts), root, options);
    return scatter_v(std::span(std::ranges::data(data), 0), parts, data, root, options);
  }

  /// out[r m .. r m + m-1] on `root` = `in` of node r. `out` of the others is not touched and may be empty.
  template <ContiguousRange In, WritableRange Out>
  Result gather(const In& in, Out&& out, Rank root = 0, CallOptions options = {}) {
    Arguments call = of(Collective::gather, in, out, options);
    call.root = root;
    return perform(call);
  }
  /// In place: `data` of `root` has p m elements, its own at root m; `data` of the others has m.
  template <WritableRange Range>
  Result gather(Range&& data, Rank root = 0, CallOptions options = {}) {
    if (data_rank() == root) return gather(part(data, root), data, root, options);
    return gather(data, std::span(std::ranges::data(data), 0), root, options);
  }
  /// With another count on every rank: part r of `out` of `root` = `in` of node r. `out_parts` matter on the
  /// root only.
  template <ContiguousRange In, WritableRange Out>
  Result gather_v(const In& in, Out&& out, Partition out_parts, Rank root = 0, CallOptions options = {}) {
    Arguments call = of(Collective::gather, in, out, options);
    call.varying = true;
    call.root = root;
    call.out_parts = out_parts;
    return perform(call);
  }
  /// In place: the root's own are in its part of `data`.
  template <WritableRange Range>
  Result gather_v(Range&& data, Partition parts, Rank root = 0, CallOptions options = {}) {
    if (data_rank() == root) return gather_v(part(data, root, parts), data, parts, root, options);
    return gather_v(data, std::span(std::ranges::data(data), 0), parts, root, options);
  }

  /// All-to-all personalized: out[s m .. s m + m-1] on node d = in[d m .. d m + m-1] of node s.
  template <ContiguousRange In, WritableRange Out>
  Result all_to_all(const In& in, Out&& out, CallOptions options = {}) {
    return perform(of(Collective::all_to_all, in, out, options));
  }
  /// In place.
  template <WritableRange Range>
  Result all_to_all(Range&& data, CallOptions options = {}) {
    return all_to_all(data, data, options);
  }
  /// With another count for every pair: part s of `out` on node d = part d of `in` of node s.
  template <ContiguousRange In, WritableRange Out>
  Result all_to_all_v(const In& in, Partition in_parts, Out&& out, Partition out_parts,
                      CallOptions options = {}) {
    Arguments call = of(Collective::all_to_all, in, out, options);
    call.varying = true;
    call.in_parts = in_parts;
    call.out_parts = out_parts;
    return perform(call);
  }
  /// In place: what is sent to a node is as long as what comes from it, and lies in the same part.
  template <WritableRange Range>
  Result all_to_all_v(Range&& data, Partition parts, CallOptions options = {}) {
    return all_to_all_v(data, parts, data, parts, options);
  }

  /// Circular shift: `out` of node (r + shift) mod p = `in` of node r. `shift` may be negative.
  template <ContiguousRange In, WritableRange Out>
  Result circular_shift(const In& in, Out&& out, int shift, CallOptions options = {}) {
    Arguments call = of(Collective::circular_shift, in, out, options);
    call.shift = shift;
    return perform(call);
  }
  /// In place.
  template <WritableRange Range>
  Result circular_shift(Range&& data, int shift, CallOptions options = {}) {
    return circular_shift(data, data, shift, options);
  }

  /// Complete when every node has called it.
  Result barrier(CallOptions options = {}) {
    Arguments call;
    call.options = options;
    return perform(call);
  }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
  Result perform(const Arguments& call) { return derived().perform(call); }
  Rank data_rank() { return derived().rank(); }

  template <class In, class Out>
  static Arguments of(Collective collective, const In& in, Out& out, const CallOptions& options) {
    using T = std::ranges::range_value_t<In>;
    static_assert(std::is_same_v<T, std::ranges::range_value_t<Out>>, "in and out hold elements of one type");
    Arguments call;
    call.collective = collective;
    call.in = std::ranges::data(in);
    call.out = const_cast<std::remove_const_t<T>*>(std::ranges::data(out));
    call.in_count = std::ranges::size(in);
    call.out_count = std::ranges::size(out);
    call.type = element_type<T>;
    call.options = options;
    return call;
  }

  template <class In, class Operator>
  Result combine(Arguments&& call, Operator op) {
    using T = std::ranges::range_value_t<In>;
    if constexpr (std::is_void_v<Result>) {
      call.reduction = reduction_of<T>(op);
    } else {
      auto kept = std::make_shared<Operator>(std::move(op));
      call.reduction = reduction_of<T>(*kept);
      call.keeps = std::move(kept);
    }
    return perform(call);
  }

  /// The r-th of p equal parts.
  template <class Range>
  auto part(Range& data, Rank rank) {
    const std::size_t count =
        std::ranges::size(data) / static_cast<std::size_t>(std::max(derived().size(), 1));
    return std::span(std::ranges::data(data) + static_cast<std::size_t>(std::max(rank, 0)) * count, count);
  }
  /// The part of `rank`, as far as the range has it; whether it has is checked later.
  template <class Range>
  auto part(Range& data, Rank rank, const Partition& parts) {
    const auto mine = static_cast<std::size_t>(rank);
    const std::size_t all = std::ranges::size(data);
    std::size_t first = 0, count = mine < parts.counts.size() ? parts.counts[mine] : 0;
    if (mine < parts.displacements.size())
      first = parts.displacements[mine];
    else
      for (std::size_t i = 0; i < mine && i < parts.counts.size(); ++i) first += parts.counts[i];
    first = std::min(first, all);
    return std::span(std::ranges::data(data) + first, std::min(count, all - first));
  }
};

}  // namespace vnode
#pragma GCC visibility pop
