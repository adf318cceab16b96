#pragma once

#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <vnode/call.hpp>
#include <vnode/data.hpp>
#include <vnode/layouts.hpp>
#include <vnode/neighbours.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Tells whether a type is a part of an exchange with memory of its own: a std::span, or what a layout picks
/// of one (Laid).
template <class T>
inline constexpr bool is_piece = is_laid<T>;
template <class T, std::size_t Extent>
inline constexpr bool is_piece<std::span<T, Extent>> = true;

/// Is a range of such parts, one for each neighbour or rank.
template <class Range>
concept Pieces = std::ranges::forward_range<Range> && is_piece<std::ranges::range_value_t<Range>>;

/// Offers the exchanges of neighbours. Group has the blocking form, Group::nonblocking() and
/// Group::persistent() the others. All nodes of the group call it, in the order of its collective calls; a
/// node without neighbours calls it too. What a node sends to a neighbour is as long as what that expects;
/// otherwise the call throws Mismatch. All messages are under way at the same time, and none waits for
/// another, so no order of neighbours can deadlock.
///
/// Parts of the output must not overlap each other or the input; parts of the input may overlap each other,
/// as the corners of a halo do.
template <class Derived, class Result>
class Exchanges {
  static constexpr bool later = !std::is_void_v<Result>;
  static constexpr Use read = later ? Use::read_later : Use::read;
  static constexpr Use written = later ? Use::written_later : Use::written;

 public:
  /// Exchange with all neighbours in the group's topology: part i of `in` goes to neighbour i, and part i of
  /// `out` comes from it, in the order that vnode::Neighbours says. All parts are equally long, also those of
  /// neighbours that do not exist: of these nothing is read, and nothing is written to them.
  ///
  ///     // on a ring: to the lower neighbour, to the higher one; from the lower one, from the higher one
  ///     std::array<double, 2> mine{first, last}, theirs{};
  ///     me.exchange(mine, theirs);
  template <class In, class Out>
  requires(!Pieces<std::remove_cvref_t<In>>) Result exchange(In&& in, Out&& out) {
    return perform(whole<In, Out>(in, out));
  }
  /// Exchanges with the neighbours that are given: part i of `in` goes to neighbours.targets()[i], part i of
  /// `out` comes from neighbours.sources()[i].
  template <class In, class Out>
  requires(!Pieces<std::remove_cvref_t<In>>) Result
      exchange(In&& in, Out&& out, const Neighbours& neighbours) {
    return perform(whole<In, Out>(in, out, &neighbours));
  }
  /// Exchanges parts that each have a place of their own, and a layout if they are Laid: ranges of as many
  /// pieces as there are neighbours. Of neighbours that do not exist the pieces are neither read nor written.
  /// Buffers for each port on a NUMA node of its own are passed so.
  ///
  ///     const std::array<vnode::Laid<const double>, 2> out{laid(u, second_row), laid(u, last_but_one)};
  ///     const std::array<vnode::Laid<double>, 2> in{laid(u, first_row), laid(u, last_row)};
  ///     me.exchange(out, in);
  template <Pieces In, Pieces Out>
  Result exchange(const In& in, const Out& out) {
    return with_pieces(in, out, true);
  }
  /// Does so with the neighbours that are given.
  template <Pieces In, Pieces Out>
  Result exchange(const In& in, const Out& out, const Neighbours& neighbours) {
    return with_pieces(in, out, true, &neighbours);
  }
  /// Exchanges parts of different lengths: a partition has a part for every neighbour.
  template <class In, class Out>
  Result exchange_v(In&& in, const Partition& in_parts, Out&& out, const Partition& out_parts) {
    return perform(divided<In, Out>(in, in_parts, out, out_parts));
  }
  /// Does so with the neighbours that are given.
  template <class In, class Out>
  Result exchange_v(In&& in, const Partition& in_parts, Out&& out, const Partition& out_parts,
                    const Neighbours& neighbours) {
    return perform(divided<In, Out>(in, in_parts, out, out_parts, &neighbours));
  }

  /// All-to-all personalized with a place and a layout for each rank: piece d of `in` of node s goes to piece
  /// s of `out` of node d.
  template <Pieces In, Pieces Out>
  Result all_to_all_w(const In& in, const Out& out) {
    return with_pieces(in, out, false);
  }

 private:
  Result perform(const Arguments& call) { return static_cast<Derived&>(*this).perform(call); }

  template <class In, class Out>
  static Arguments whole(std::remove_reference_t<In>& in, std::remove_reference_t<Out>& out,
                         const Neighbours* neighbours = nullptr) {
    Arguments call = call_with<ElementOf<read, In>, ElementOf<written, Out>>(
        Collective::all_to_all, buffer_for<read, In>(in), buffer_for<written, Out>(out));
    call.exchange = true;
    call.neighbours = neighbours;
    return call;
  }
  template <class In, class Out>
  static Arguments divided(std::remove_reference_t<In>& in, const Partition& in_parts,
                           std::remove_reference_t<Out>& out, const Partition& out_parts,
                           const Neighbours* neighbours = nullptr) {
    Arguments call = whole<In, Out>(in, out, neighbours);
    call.parts = Arguments::Parts::given;
    call.in.parts = &in_parts;
    call.out.parts = &out_parts;
    return call;
  }
  template <class Range>
  static std::vector<Buffer> pieces(const Range& range) {
    std::vector<Buffer> list;
    if constexpr (std::ranges::sized_range<const Range&>) list.reserve(std::ranges::size(range));
    for (const auto& one : range) {
      if constexpr (is_laid<std::remove_cvref_t<decltype(one)>>)
        list.push_back(buffer_of(one));
      else
        list.push_back(buffer_of(std::span<typename std::ranges::range_value_t<Range>::element_type>(one)));
    }
    return list;
  }
  template <class In, class Out>
  Result with_pieces(const In& in, const Out& out, bool exchange, const Neighbours* neighbours = nullptr) {
    using From = typename std::ranges::range_value_t<In>::element_type;
    using To = typename std::ranges::range_value_t<Out>::element_type;
    static_assert(!std::is_const_v<To>, "vnode: these data are written, and are const");
    static_assert(is_element<std::remove_const_t<From>>,
                  "vnode: an element is trivially copyable, or a std::pair of such: its bytes are copied");
    const std::vector<Buffer> from = pieces(in), to = pieces(out);
    Arguments call = call_with<std::remove_const_t<From>, To>(Collective::all_to_all,
                                                              {.count = from.size(), .pieces = from.data()},
                                                              {.count = to.size(), .pieces = to.data()});
    call.parts = Arguments::Parts::pieces;
    call.exchange = exchange;
    call.neighbours = neighbours;
    return perform(call);
  }
};

}  // namespace vnode
#pragma GCC visibility pop
