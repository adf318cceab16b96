#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <utility>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Tells whether a T may be copied byte by byte. This holds for trivially copyable types, and for a std::pair
/// of two of them, which the standard library calls otherwise because of its assignment.
template <class T>
inline constexpr bool is_element = std::is_trivially_copyable_v<T>;
template <class First, class Second>
inline constexpr bool is_element<std::pair<First, Second>> = is_element<First>&& is_element<Second>;

/// Is a range of contiguous elements: an array, std::vector, std::array, std::span.
template <class Range>
concept ContiguousRange = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
    is_element<std::ranges::range_value_t<Range>>;

/// Is a ContiguousRange that may be written.
template <class Range>
concept WritableRange = ContiguousRange<Range> &&
    !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;

/// Is a single element, which calls take for a range of one. A pointer is none: it does not tell how many
/// elements it points to.
template <class T>
concept Value =
    is_element<T> && !std::is_pointer_v<T> && !std::is_null_pointer_v<T> && !std::ranges::range<T>;

/// Returns the name of T as the compiler spells it: the same in all parts of a program.
template <class T>
constexpr std::string_view type_name() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.find("T = ") + 4;
  return text.substr(begin, text.find_first_of(";]", begin) - begin);
}

/// Returns the FNV-1a hash of `text`.
constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return hash;
}

/// Describes an element type to the runtime.
struct ElementType {
  std::string_view name;      ///< the type's type_name
  std::uint64_t hash = 0;     ///< hash_of(name)
  std::size_t bytes = 1;      ///< the type's sizeof
  std::size_t alignment = 1;  ///< the type's alignof
};

/// Is the ElementType of T. Every binary that uses it has its own.
template <class T>
[[gnu::visibility("hidden")]] inline constexpr ElementType element_type{
    type_name<T>(), hash_of(type_name<T>()), sizeof(T), alignof(T)};

}  // namespace vnode
#pragma GCC visibility pop
