#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <vnode/element.hpp>

#pragma GCC visibility push(default)
namespace vnode {

struct [[gnu::visibility("hidden")]] LayoutForm;
struct Partition;

/// Says where the elements of a message lie in a range: in blocks at regular or irregular distances, in the
/// order in which they are sent. It counts in elements of the range that it is laid on, and knows nothing of
/// their type. Copies are cheap: they share what they say.
///
///     using namespace vnode;
///     const Layout column = layouts::vector(rows, 1, columns);             // of a matrix in row-major order
///     const Layout tile = layouts::subarray({rows, columns}, {8, 8}, {1, 1});
///     me.send(laid(matrix, column), 1);
class Layout {
 public:
  /// Makes the layout of no elements.
  Layout();
  /// Returns the number of elements that it picks; one that is picked twice counts twice.
  std::size_t count() const;
  /// Returns the least offset of an element that it picks; 0 if it picks none.
  std::ptrdiff_t first() const;
  /// Returns one more than the greatest offset of an element that it picks; 0 if it picks none.
  std::ptrdiff_t last() const;
  /// Returns where its next repetition begins: last() - first(), but for subarrays and what resized() says.
  std::ptrdiff_t extent() const;
  /// Returns whether it picks an element twice. Such a layout may be sent, but not received into. Layouts
  /// that are not regular are looked through once.
  bool overlaps() const;
  /// Returns whether the elements lie one after the other, in order.
  bool contiguous() const;
  /// Returns the number of blocks of consecutive elements.
  std::size_t blocks() const;

  /// Returns the same elements with another extent, so that repetitions lie as close or as far as is wanted.
  Layout resized(std::ptrdiff_t extent) const;
  /// Returns the same elements so much further on.
  Layout shifted(std::ptrdiff_t offset) const;
  /// Returns the layout `count` times, each extent() after the one before.
  Layout repeated(std::size_t count) const;
  /// Returns what it picks, for people: "64 x 1 every 1024".
  std::string text() const;

  /// Returns what the library reads.
  const LayoutForm& form() const { return *form_; }
  /// Returns whether both pick the same elements because one is a copy of the other.
  bool same(const Layout& other) const { return form_ == other.form_; }

 private:
  friend LayoutForm;
  explicit Layout(std::shared_ptr<const LayoutForm> form) : form_(std::move(form)) {}
  std::shared_ptr<const LayoutForm> form_;
};

/// Layouts by name. Everywhere `of`, one element unless it is given, is what blocks consist of, and distances
/// are in extents of it. Negative distances are allowed, as long as everything lies in the range in the end.
/// They throw UsageError for numbers that make no sense or more elements than memory can hold.
namespace layouts {

/// Returns the layout of one element.
Layout element();
/// Returns `count` of them, one after the other.
Layout contiguous(std::size_t count, const Layout& of = element());
/// Returns `count` blocks of `block` each, whose begins are `stride` apart: a column is
/// `vector(rows, 1, columns)`, three columns beside each other are `vector(rows, 3, columns)`.
Layout vector(std::size_t count, std::size_t block, std::ptrdiff_t stride, const Layout& of = element());
/// Returns one block for each of the displacements, lengths[i] long.
Layout indexed(std::span<const std::size_t> lengths, std::span<const std::ptrdiff_t> displacements,
               const Layout& of = element());
/// Returns one block for each of the displacements, all `block` long.
Layout indexed(std::size_t block, std::span<const std::ptrdiff_t> displacements,
               const Layout& of = element());
/// Returns the part of an array in row-major order that begins at index `starts` and has extents `sizes`. All
/// are listed slowest dimension first. Its extent is that of the whole array.
Layout subarray(std::span<const std::size_t> array, std::span<const std::size_t> sizes,
                std::span<const std::size_t> starts, const Layout& of = element());

/// Describes a layout at a place.
struct Displaced {
  std::ptrdiff_t displacement = 0;  ///< where it begins, in elements
  Layout layout;                    ///< what it picks there
};
/// Returns layouts one after the other, each at its displacement.
Layout structure(std::span<const Displaced> members);

/// Does the same for lists in braces.
inline Layout indexed(std::initializer_list<std::size_t> lengths,
                      std::initializer_list<std::ptrdiff_t> displacements, const Layout& of = element()) {
  return indexed(std::span(lengths.begin(), lengths.size()),
                 std::span(displacements.begin(), displacements.size()), of);
}
/// Does the same for a list in braces.
inline Layout indexed(std::size_t block, std::initializer_list<std::ptrdiff_t> displacements,
                      const Layout& of = element()) {
  return indexed(block, std::span(displacements.begin(), displacements.size()), of);
}
/// Does the same for lists in braces.
inline Layout subarray(std::initializer_list<std::size_t> array, std::initializer_list<std::size_t> sizes,
                       std::initializer_list<std::size_t> starts, const Layout& of = element()) {
  return subarray(std::span(array.begin(), array.size()), std::span(sizes.begin(), sizes.size()),
                  std::span(starts.begin(), starts.size()), of);
}
/// Does the same for a list in braces.
inline Layout structure(std::initializer_list<Displaced> members) {
  return structure(std::span(members.begin(), members.size()));
}

}  // namespace layouts

/// Throws UsageError unless all that the layout picks lies in a range of `size` elements, and memory could
/// hold the message that it makes of them.
void check_within(const Layout& layout, std::size_t size, std::size_t element_bytes);

/// Represents elements of a range as a layout picks them, in its order: what a call takes in place of the
/// range. It does not own the elements.
template <class T>
class Laid {
 public:
  using element_type = T;                     ///< the type of elements, const if they are
  using value_type = std::remove_const_t<T>;  ///< the same without const

  /// Lays `layout` on a range of `size` elements. Throws UsageError if it reaches beyond, or picks elements
  /// so often that memory could not hold them all.
  Laid(T* data, std::size_t size, Layout layout) : data_(data), layout_(std::move(layout)) {
    check_within(layout_, size, sizeof(T));
    count_ = layout_.count();
  }
  /// Takes what may be written for what is read.
  template <class U>
  requires(std::same_as<const U, T> && !std::same_as<U, T>)  //
      Laid(const Laid<U>& other)
      : data_(other.data()), layout_(other.layout()), begin_(other.begin_index()), count_(other.size()) {}

  /// Returns the first element of the range, whether the layout picks it or not.
  T* data() const { return data_; }
  /// Returns the number of elements that are picked.
  std::size_t size() const { return count_; }
  /// Returns the layout.
  const Layout& layout() const { return layout_; }
  /// Returns which of the layout's elements is the first: that of subspan().
  std::size_t begin_index() const { return begin_; }
  /// Returns some of the elements, in the layout's order.
  Laid subspan(std::size_t first, std::size_t count) const {
    Laid part = *this;
    part.begin_ += first;
    part.count_ = count;
    return part;
  }
  /// Returns the first ones.
  Laid first(std::size_t count) const { return subspan(0, count); }

 private:
  T* data_;
  Layout layout_;
  std::size_t begin_ = 0, count_ = 0;
};

/// Elements in a call's memory without their type: a range, or those of it that a layout picks; divided
/// equally, by a partition, or into pieces that are buffers of their own.
struct Buffer {
  void* data = nullptr;              ///< the first element of the range; null if there are pieces
  const Layout* layout = nullptr;    ///< what is picked; null: everything
  std::size_t first = 0;             ///< which of the layout's elements is the first
  std::size_t count = 0;             ///< elements: of the range, or that are picked; or the number of pieces
  const Partition* parts = nullptr;  ///< how the elements are divided; null: equally, or not at all
  const Buffer* pieces = nullptr;    ///< the pieces, if it consists of such
};

/// Returns a range without the type of its elements.
template <class T>
Buffer buffer_of(std::span<T> range) {
  return {.data = const_cast<std::remove_const_t<T>*>(range.data()), .count = range.size()};
}
/// Returns what is laid without the type of its elements. The layout stays where it is.
template <class T>
Buffer buffer_of(const Laid<T>& from) {
  return {.data = const_cast<std::remove_const_t<T>*>(from.data()),
          .layout = &from.layout(),
          .first = from.begin_index(),
          .count = from.size()};
}

/// Tells whether T is a Laid.
template <class T>
inline constexpr bool is_laid = false;
template <class T>
inline constexpr bool is_laid<Laid<T>> = true;

/// Returns the elements of a range that a layout picks. The range must outlive the call that gets them.
///
///     me.broadcast(laid(matrix, layouts::vector(rows, 1, columns)));
template <class Range>
requires(ContiguousRange<Range&>&& std::ranges::borrowed_range<Range>)  //
    auto laid(Range&& range, Layout layout) {
  using T = std::remove_reference_t<std::ranges::range_reference_t<Range>>;
  return Laid<T>(std::ranges::data(range), std::ranges::size(range), std::move(layout));
}

}  // namespace vnode
#pragma GCC visibility pop
