#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <vnode/call.hpp>
#include <vnode/data.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Offers the collective operations. Group has them in their blocking form, Group::nonblocking() in the form
/// that returns a Request, Group::persistent() in the form that returns a Persistent, to be started often.
///
/// Data are contiguous ranges of trivially copyable elements; counts are in elements and may be zero. A
/// single value stands for a range of one: `me.all_gather(x, all)`. Wherever a range may be, so may those of
/// its elements that a layout picks, in its order: `me.broadcast(laid(matrix, column))`. p is the number of
/// nodes, m the number of elements that one node contributes to one message. All nodes of a group call the
/// same collectives in the same order, with equal counts, roots, operators and options. `in` and `out` must
/// be disjoint or, where a form with one range `data` exists, lie as that form has them. Data must live until
/// the call is complete, and until then only the call touches them; temporaries that would end earlier do not
/// compile.
///
/// The root, by default 0, comes before the options; either may be omitted.
///
/// The operations throw UsageError for invalid arguments, Mismatch when calls turn out not to match, Aborted
/// when another node has failed, and TimeLimitExceeded (TeamOptions::time_limit). After a UsageError nothing
/// has been sent: all nodes may catch it and go on, unless a call is in flight, which it ends, with the run.
template <class Derived, class Result>
class Operations {
  static constexpr bool later = !std::is_void_v<Result>;
  static constexpr Use read = later ? Use::read_later : Use::read;
  static constexpr Use written = later ? Use::written_later : Use::written;
  /// Says whether a value is passed to an operation that returns its result: see ValueOperations.
  template <class Data>
  static constexpr bool returned = !later && Value<std::remove_cvref_t<Data>>;

 public:
  /// One-to-all broadcast: copies `data` of `root`, a range or a variable, to `data` of all. All nodes pass
  /// equal sizes.
  template <class Data>
  Result broadcast(Data&& data, Rank root = 0, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    Arguments call = of<decltype(all)&, decltype(all)&>(Collective::broadcast, all, all, options);
    call.root = root;
    return derived().perform(call);
  }
  /// Takes node 0 as the root.
  template <class Data>
  Result broadcast(Data&& data, CallOptions options) {
    return broadcast(std::forward<Data>(data), 0, options);
  }

  /// All-to-one reduction: out[i] on `root` = in[i] of node 0 op in[i] of node 1 op ... op in[i] of node p-1,
  /// in rank order unless the operator is commutative (vnode::is_commutative). `out` of the other nodes is
  /// not touched and may be empty. Several threads may each combine a part, with the copy of the operator
  /// that their node passed.
  template <class In, class Out, BeforeOptions Operator>
  Result reduce(In&& in, Out&& out, Operator op, Rank root = 0, CallOptions options = {}) {
    Arguments call = of<In, Out>(Collective::reduce, in, out, options);
    call.root = root;
    return combine<In>(std::move(call), std::move(op));
  }
  /// Takes node 0 as the root.
  template <class In, class Out, BeforeOptions Operator>
  Result reduce(In&& in, Out&& out, Operator op, CallOptions options) {
    return reduce(std::forward<In>(in), std::forward<Out>(out), std::move(op), 0, options);
  }
  /// Reduces in place: `data` of `root` receives the result, `data` of the others is only read.
  template <class Data, BeforeOptions Operator>
  requires(!returned<Data>) Result reduce(Data&& data, Operator op, Rank root = 0, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    return reduce(all, all, std::move(op), root, options);
  }
  /// Takes node 0 as the root.
  template <class Data, BeforeOptions Operator>
  requires(!returned<Data>) Result reduce(Data&& data, Operator op, CallOptions options) {
    return reduce(std::forward<Data>(data), std::move(op), 0, options);
  }

  /// All-to-all broadcast: out[r m .. r m + m-1] = `in` of node r, on all nodes.
  template <class In, BeforeOptions Out>
  Result all_gather(In&& in, Out&& out, CallOptions options = {}) {
    return derived().perform(of<In, Out>(Collective::all_gather, in, out, options));
  }
  /// Gathers in place: `data` has p m elements, and node r contributes those from r m on.
  template <class Data>
  requires(!returned<Data>) Result all_gather(Data&& data, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    return all_gather(part(all, own_rank()), all, options);
  }
  /// Gathers a different count from every rank: part r of `out` = `in` of node r. All nodes pass equal
  /// counts; displacements may differ.
  template <class In, class Out>
  Result all_gather_v(In&& in, Out&& out, const Partition& out_parts, CallOptions options = {}) {
    Arguments call = of<In, Out>(Collective::all_gather, in, out, options);
    call.parts = Arguments::Parts::given;
    call.out.parts = &out_parts;
    return derived().perform(call);
  }
  /// Gathers in place: node r contributes part r of `data`.
  template <class Data>
  Result all_gather_v(Data&& data, const Partition& parts, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    return all_gather_v(part_of(all, own_rank(), parts), all, parts, options);
  }

  /// All-to-all reduction: out[i] on node r = in[r m + i] of node 0 op ... op in[r m + i] of node p-1.
  template <class In, class Out, BeforeOptions Operator>
  Result reduce_scatter(In&& in, Out&& out, Operator op, CallOptions options = {}) {
    return combine<In>(of<In, Out>(Collective::reduce_scatter, in, out, options), std::move(op));
  }
  /// Reduces in place: the first m of the p m elements of `data` receive the result; the others are lost.
  template <class Data, BeforeOptions Operator>
  Result reduce_scatter(Data&& data, Operator op, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    return reduce_scatter(all, part(all, 0), std::move(op), options);
  }
  /// Scatters a different count to every rank: node r receives counts[r] elements. All nodes pass equal
  /// counts, and the parts lie one after the other.
  template <class In, class Out, BeforeOptions Operator>
  Result reduce_scatter_v(In&& in, Out&& out, const Partition& counts, Operator op,
                          CallOptions options = {}) {
    Arguments call = of<In, Out>(Collective::reduce_scatter, in, out, options);
    call.parts = Arguments::Parts::given;
    call.in.parts = &counts;
    return combine<In>(std::move(call), std::move(op));
  }
  /// Reduces in place: the first counts[r] elements of `data` receive the result; the others are lost.
  template <class Data, BeforeOptions Operator>
  Result reduce_scatter_v(Data&& data, const Partition& counts, Operator op, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    const auto mine = static_cast<std::size_t>(own_rank());
    const std::size_t count = mine < counts.counts.size() ? counts.counts[mine] : 0;
    return reduce_scatter_v(all, all.first(std::min(count, all.size())), counts, std::move(op), options);
  }

  /// Reduction to all: out[i] = in[i] of node 0 op ... op in[i] of node p-1, with the same bits on all nodes.
  /// Only NaNs are excepted: which of several a sum or product keeps, with its sign and payload, is the
  /// compiler's choice and may differ.
  template <class In, class Out, BeforeOptions Operator>
  Result all_reduce(In&& in, Out&& out, Operator op, CallOptions options = {}) {
    return combine<In>(of<In, Out>(Collective::all_reduce, in, out, options), std::move(op));
  }
  /// Reduces in place: `data` of all nodes receives the result.
  template <class Data, BeforeOptions Operator>
  requires(!returned<Data>) Result all_reduce(Data&& data, Operator op, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    return all_reduce(all, all, std::move(op), options);
  }

  /// Prefix sums: out[i] on node r = in[i] of node 0 op ... op in[i] of node r, in rank order.
  template <class In, class Out, BeforeOptions Operator>
  Result scan(In&& in, Out&& out, Operator op, CallOptions options = {}) {
    return combine<In>(of<In, Out>(Collective::scan, in, out, options), std::move(op));
  }
  /// Scans in place.
  template <class Data, BeforeOptions Operator>
  requires(!returned<Data>) Result scan(Data&& data, Operator op, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    return scan(all, all, std::move(op), options);
  }
  /// Exclusive prefix sums: out[i] on node r = in[i] of node 0 op ... op in[i] of node r-1, in rank order.
  /// `out` of node 0 is not touched.
  template <class In, class Out, BeforeOptions Operator>
  Result exclusive_scan(In&& in, Out&& out, Operator op, CallOptions options = {}) {
    return combine<In>(of<In, Out>(Collective::exclusive_scan, in, out, options), std::move(op));
  }
  /// Scans in place.
  template <class Data, BeforeOptions Operator>
  requires(!returned<Data>) Result exclusive_scan(Data&& data, Operator op, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    return exclusive_scan(all, all, std::move(op), options);
  }

  /// One-to-all personalized: `out` of node r = in[r m .. r m + m-1] of `root`. `in` of the other nodes is
  /// not read and may be empty.
  template <class In, BeforeOptions Out>
  Result scatter(In&& in, Out&& out, Rank root = 0, CallOptions options = {}) {
    Arguments call = of<In, Out>(Collective::scatter, in, out, options);
    call.root = root;
    return derived().perform(call);
  }
  /// Takes node 0 as the root.
  template <class In, BeforeOptions Out>
  Result scatter(In&& in, Out&& out, CallOptions options) {
    return scatter(std::forward<In>(in), std::forward<Out>(out), 0, options);
  }
  /// Scatters in place: `data` of `root` has p m elements, of which its own part stays where it is; `data` of
  /// the others receives m.
  template <class Data>
  Result scatter(Data&& data, Rank root = 0, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    if (own_rank() == root) return scatter(all, part(all, root), root, options);
    return scatter(all.first(0), all, root, options);
  }
  /// Takes node 0 as the root.
  template <class Data>
  Result scatter(Data&& data, CallOptions options) {
    return scatter(std::forward<Data>(data), 0, options);
  }
  /// Scatters a different count to every rank: `out` of node r = part r of `in` of `root`. Only the root's
  /// `in_parts` are read.
  template <class In, BeforeOptions Out>
  Result scatter_v(In&& in, const Partition& in_parts, Out&& out, Rank root = 0, CallOptions options = {}) {
    Arguments call = of<In, Out>(Collective::scatter, in, out, options);
    call.parts = Arguments::Parts::given;
    call.root = root;
    call.in.parts = &in_parts;
    return derived().perform(call);
  }
  /// Takes node 0 as the root.
  template <class In, BeforeOptions Out>
  Result scatter_v(In&& in, const Partition& in_parts, Out&& out, CallOptions options) {
    return scatter_v(std::forward<In>(in), in_parts, std::forward<Out>(out), 0, options);
  }
  /// Scatters in place: the root's own part stays where it is.
  template <class Data>
  Result scatter_v(Data&& data, const Partition& parts, Rank root = 0, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    if (own_rank() == root) return scatter_v(all, parts, part_of(all, root, parts), root, options);
    return scatter_v(all.first(0), parts, all, root, options);
  }
  /// Takes node 0 as the root.
  template <class Data>
  Result scatter_v(Data&& data, const Partition& parts, CallOptions options) {
    return scatter_v(std::forward<Data>(data), parts, 0, options);
  }

  /// All-to-one personalized: out[r m .. r m + m-1] on `root` = `in` of node r. `out` of the other nodes is
  /// not touched and may be empty.
  template <class In, BeforeOptions Out>
  Result gather(In&& in, Out&& out, Rank root = 0, CallOptions options = {}) {
    Arguments call = of<In, Out>(Collective::gather, in, out, options);
    call.root = root;
    return derived().perform(call);
  }
  /// Takes node 0 as the root.
  template <class In, BeforeOptions Out>
  Result gather(In&& in, Out&& out, CallOptions options) {
    return gather(std::forward<In>(in), std::forward<Out>(out), 0, options);
  }
  /// Gathers in place: `data` of `root` has p m elements, its own at root m; `data` of the others has m.
  template <class Data>
  requires(!returned<Data>) Result gather(Data&& data, Rank root = 0, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    if (own_rank() == root) return gather(part(all, root), all, root, options);
    return gather(all, all.first(0), root, options);
  }
  /// Takes node 0 as the root.
  template <class Data>
  requires(!returned<Data>) Result gather(Data&& data, CallOptions options) {
    return gather(std::forward<Data>(data), 0, options);
  }
  /// Gathers a different count from every rank: part r of `out` of `root` = `in` of node r. Only the root's
  /// `out_parts` are read.
  template <class In, class Out>
  Result gather_v(In&& in, Out&& out, const Partition& out_parts, Rank root = 0, CallOptions options = {}) {
    Arguments call = of<In, Out>(Collective::gather, in, out, options);
    call.parts = Arguments::Parts::given;
    call.root = root;
    call.out.parts = &out_parts;
    return derived().perform(call);
  }
  /// Takes node 0 as the root.
  template <class In, class Out>
  Result gather_v(In&& in, Out&& out, const Partition& out_parts, CallOptions options) {
    return gather_v(std::forward<In>(in), std::forward<Out>(out), out_parts, 0, options);
  }
  /// Gathers in place: the root contributes its part of `data`.
  template <class Data>
  Result gather_v(Data&& data, const Partition& parts, Rank root = 0, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    if (own_rank() == root) return gather_v(part_of(all, root, parts), all, parts, root, options);
    return gather_v(all, all.first(0), parts, root, options);
  }
  /// Takes node 0 as the root.
  template <class Data>
  Result gather_v(Data&& data, const Partition& parts, CallOptions options) {
    return gather_v(std::forward<Data>(data), parts, 0, options);
  }

  /// All-to-all personalized: out[s m .. s m + m-1] on node d = in[d m .. d m + m-1] of node s.
  template <class In, BeforeOptions Out>
  Result all_to_all(In&& in, Out&& out, CallOptions options = {}) {
    return derived().perform(of<In, Out>(Collective::all_to_all, in, out, options));
  }
  /// Exchanges in place.
  template <class Data>
  Result all_to_all(Data&& data, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    return all_to_all(all, all, options);
  }
  /// Exchanges a different count between every pair: part s of `out` on node d = part d of `in` of node s.
  template <class In, class Out>
  Result all_to_all_v(In&& in, const Partition& in_parts, Out&& out, const Partition& out_parts,
                      CallOptions options = {}) {
    Arguments call = of<In, Out>(Collective::all_to_all, in, out, options);
    call.parts = Arguments::Parts::given;
    call.in.parts = &in_parts;
    call.out.parts = &out_parts;
    return derived().perform(call);
  }
  /// Exchanges in place: what a node sends to another one is as long as what it receives from it, and lies in
  /// the same part.
  template <class Data>
  Result all_to_all_v(Data&& data, const Partition& parts, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    return all_to_all_v(all, parts, all, parts, options);
  }

  /// Circular shift: `out` of node (r + shift) mod p = `in` of node r. `shift` may be negative.
  template <class In, class Out>
  Result circular_shift(In&& in, Out&& out, int shift, CallOptions options = {}) {
    Arguments call = of<In, Out>(Collective::circular_shift, in, out, options);
    call.shift = shift;
    return derived().perform(call);
  }
  /// Shifts in place.
  template <class Data>
  requires(!returned<Data>) Result circular_shift(Data&& data, int shift, CallOptions options = {}) {
    const auto all = elements_of<written, Data>(data);
    return circular_shift(all, all, shift, options);
  }

  /// Barrier: is complete when every node has called it.
  Result barrier(CallOptions options = {}) {
    Arguments call;
    call.options = pointed_at(options);
    return derived().perform(call);
  }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
  Rank own_rank() { return derived().rank(); }
  /// The compiler knows this where the caller names no options.
  static const CallOptions* pointed_at(const CallOptions& options) {
    return options == CallOptions{} ? nullptr : &options;
  }

  template <class In, class Out>
  static Arguments of(Collective collective, std::remove_reference_t<In>& in,
                      std::remove_reference_t<Out>& out, const CallOptions& options) {
    Arguments call = call_with<ElementOf<read, In>, ElementOf<written, Out>>(
        collective, buffer_for<read, In>(in), buffer_for<written, Out>(out));
    call.options = pointed_at(options);
    return call;
  }

  template <class In, class Operator>
  Result combine(Arguments&& call, Operator op) {
    using T = ElementOf<read, In>;
    if constexpr (!std::same_as<T, Refused>) {
      static_assert(Combines<Operator, T>, "vnode: an operator takes two elements, and makes one of them");
      static_assert(
          !narrows<Operator, T>,
          "vnode: what this operator takes cannot hold every element, or it returns a fraction of whole "
          "numbers: write std::plus<> instead of std::plus<int>, or convert within it");
      if constexpr (Combines<Operator, T> && !narrows<Operator, T>) {
        call.op = &operator_type<T, Operator>;
        call.op_state = std::addressof(op);
      }
    }
    return derived().perform(call);
  }

  template <class Elements>
  Elements part(const Elements& data, Rank rank) {
    return equal_part(data, rank, derived().size());
  }
};

}  // namespace vnode
#pragma GCC visibility pop
