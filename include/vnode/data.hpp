#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include <vnode/call.hpp>
#include <vnode/element.hpp>
#include <vnode/layouts.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Says whether a call reads or writes its data, and whether it may still do so after it has returned.
enum class Use {
  read,           ///< reads before the call returns
  written,        ///< writes before the call returns
  read_later,     ///< may read after the call has returned
  written_later,  ///< may write after the call has returned
};

/// Describes the element type of data that were refused, so that the compiler reports one error only.
struct Refused {};

/// Names the reason why data cannot be passed to a call.
enum class Fault {
  none,            ///< the data are fine
  pointer,         ///< a pointer has no length
  not_contiguous,  ///< the elements are not contiguous: a list, or bits
  bytes,           ///< the elements may not be copied byte by byte
  constant,        ///< the call writes the data, and they are const
  temporary,       ///< the data end before the call is complete
};

/// Returns what is wrong with `Data`, as a forwarding reference deduces it, for this use.
template <Use use, class Data>
consteval Fault fault_of() {
  using Bare = std::remove_cvref_t<Data>;
  constexpr bool writes = use == Use::written || use == Use::written_later;
  constexpr bool later = use == Use::read_later || use == Use::written_later;
  if constexpr (std::is_pointer_v<Bare>) {
    return Fault::pointer;
  } else if constexpr (is_laid<Bare>) {
    return writes && std::is_const_v<typename Bare::element_type> ? Fault::constant : Fault::none;
  } else if constexpr (std::ranges::range<Data&>) {
    if constexpr (!std::ranges::contiguous_range<Data&> || !std::ranges::sized_range<Data&>)
      return Fault::not_contiguous;
    else if constexpr (!is_element<std::ranges::range_value_t<Data&>>)
      return Fault::bytes;
    else if constexpr (writes && !WritableRange<Data&>)
      return Fault::constant;
    else
      return later && !std::ranges::borrowed_range<Data> ? Fault::temporary : Fault::none;
  } else if constexpr (!is_element<Bare>) {
    return Fault::bytes;
  } else if constexpr (writes && std::is_const_v<std::remove_reference_t<Data>>) {
    return Fault::constant;
  } else {
    return (later || writes) && !std::is_lvalue_reference_v<Data> ? Fault::temporary : Fault::none;
  }
}

/// Returns the elements of data for a call: those of a range, those of it that a layout picks (Laid), or a
/// value as a range of one. Data that are refused do not compile; the compiler prints the reason.
template <Use use, class Data>
auto elements_of(std::remove_reference_t<Data>& data) {
  constexpr Fault fault = fault_of<use, Data>();
  static_assert(fault != Fault::pointer, "vnode: a pointer has no length: pass std::span(pointer, count)");
  static_assert(fault != Fault::not_contiguous,
                "vnode: data are contiguous, as those of std::vector, std::array and std::span are; those of "
                "std::list and std::vector<bool> are not");
  static_assert(fault != Fault::bytes,
                "vnode: an element is trivially copyable, or a std::pair of such: its bytes are copied");
  static_assert(fault != Fault::constant, "vnode: these data are written, and are const");
  static_assert(
      fault != Fault::temporary,
      "vnode: this temporary ends too early: pass a variable, or a std::span of what lives until the "
      "call is complete");
  if constexpr (fault != Fault::none)
    return std::span<Refused>();
  else if constexpr (is_laid<std::remove_cvref_t<Data>>)
    return std::remove_cvref_t<Data>(data);
  else if constexpr (std::ranges::range<Data&>)
    return std::span(std::ranges::data(data), std::ranges::size(data));
  else
    return std::span(std::addressof(data), 1);
}

/// Returns part `rank` of `nodes` equal parts of `data`.
template <class T>
std::span<T> equal_part(std::span<T> data, Rank rank, int nodes) {
  const std::size_t count = data.size() / static_cast<std::size_t>(std::max(nodes, 1));
  return {data.data() + static_cast<std::size_t>(std::max(rank, 0)) * count, count};
}

/// Returns part `rank` of `nodes` equal parts of what is laid.
template <class T>
Laid<T> equal_part(const Laid<T>& data, Rank rank, int nodes) {
  const std::size_t count = data.size() / static_cast<std::size_t>(std::max(nodes, 1));
  return data.subspan(static_cast<std::size_t>(std::max(rank, 0)) * count, count);
}

/// Returns the part of `rank`, as far as it lies within the data, a span or Laid; the call checks later
/// whether all of it does.
template <class Elements>
Elements part_of(const Elements& data, Rank rank, const Partition& parts) {
  const auto mine = static_cast<std::size_t>(rank);
  std::size_t first = 0, count = mine < parts.counts.size() ? parts.counts[mine] : 0;
  if (mine < parts.displacements.size())
    first = parts.displacements[mine];
  else
    for (std::size_t i = 0; i < mine && i < parts.counts.size(); ++i) first += parts.counts[i];
  first = std::min(first, data.size());
  return data.subspan(first, std::min(count, data.size() - first));
}

/// The type of the elements of data that a call uses so.
template <Use use, class Data>
using ElementOf =
    typename decltype(elements_of<use, Data>(std::declval<std::remove_reference_t<Data>&>()))::value_type;

/// Returns the elements of data without their type. A Laid is looked at where the caller has it, so that its
/// layout lives as long as the call.
template <Use use, class Data>
Buffer buffer_for(std::remove_reference_t<Data>& data) {
  if constexpr (is_laid<std::remove_cvref_t<Data>> && fault_of<use, Data>() == Fault::none)
    return buffer_of(data);
  else
    return buffer_of(elements_of<use, Data>(data));
}

/// Returns a call with these ranges of elements of types T and U, which must be one.
template <class T, class U>
Arguments call_with(Collective collective, const Buffer& in, const Buffer& out) {
  static_assert(std::same_as<T, U> || std::same_as<T, Refused> || std::same_as<U, Refused>,
                "vnode: in and out hold elements of one type");
  Arguments call;
  call.collective = collective;
  call.in = in;
  call.out = out;
  call.type = &element_type<T>;
  return call;
}

/// Is a type that may be an output or an operator, but not the root or the options that come after them.
template <class T>
concept BeforeOptions = !std::convertible_to<T, Rank> && !std::same_as<std::remove_cvref_t<T>, CallOptions>;

}  // namespace vnode
#pragma GCC visibility pop
