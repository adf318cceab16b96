#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <vnode/pages.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Is a buffer of elements, initially with all bits zero, in memory that is placed as requested. It is a
/// contiguous range, so it can be used like a vector:
///
///     vnode::PlacedBuffer<double> x(1 << 20, {.policy = vnode::PagePolicy::bind, .banks = {1}});
///     me.broadcast(x);
template <class T>
class PlacedBuffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "elements come to life as zeroed bytes and are never destroyed");

 public:
  using value_type = T;  ///< the type of elements, as in containers

  /// Makes a buffer without elements.
  PlacedBuffer() = default;
  /// Makes `count` elements. Throws what the constructor of Pages throws.
  explicit PlacedBuffer(std::size_t count, const PagePlacement& placement = {})
      : pages_(bytes_of(count), placement) {}
  /// Makes as many elements as fit in pages that are placed already.
  explicit PlacedBuffer(Pages pages) : pages_(std::move(pages)) {}

  /// Returns the first element.
  T* data() { return reinterpret_cast<T*>(pages_.data()); }
  /// Returns the first element.
  const T* data() const { return reinterpret_cast<const T*>(pages_.data()); }
  /// Returns the number of elements.
  std::size_t size() const { return pages_.bytes() / sizeof(T); }
  /// Returns whether there are no elements.
  bool empty() const { return size() == 0; }
  /// Returns element `index`, without checking it.
  T& operator[](std::size_t index) { return data()[index]; }
  /// Returns element `index`, without checking it.
  const T& operator[](std::size_t index) const { return data()[index]; }
  /// Returns the first element.
  T* begin() { return data(); }
  /// Returns the end, after the last element.
  T* end() { return data() + size(); }
  /// Returns the first element.
  const T* begin() const { return data(); }
  /// Returns the end, after the last element.
  const T* end() const { return data() + size(); }

  /// Returns the pages of the buffer, to place parts of it anew, to audit it, to see what was refused.
  Pages& pages() { return pages_; }
  /// Returns the pages of the buffer, to look at.
  const Pages& pages() const { return pages_; }

 private:
  static std::size_t bytes_of(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    return count * sizeof(T);
  }

  Pages pages_;
};

}  // namespace vnode
#pragma GCC visibility pop
