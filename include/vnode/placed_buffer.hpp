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

/// `count` elements, all bits zero, in memory of their own that is placed as asked. A contiguous range, so it
/// goes where a vector goes:
///
///     vnode::PlacedBuffer<double> x(1 << 20, {.policy = vnode::PagePolicy::bind, .banks = {1}});
///     me.broadcast(x);
template <class T>
class PlacedBuffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "elements come to life as zeroed bytes and are never destroyed");

 public:
  using value_type = T;  ///< as of a container

  /// Without elements.
  PlacedBuffer() = default;
  /// Errors as of Pages.
  explicit PlacedBuffer(std::size_t count, const PagePlacement& placement = {})
      : pages_(bytes_of(count), placement) {}
  /// As many elements as fit in pages that are placed already.
  explicit PlacedBuffer(Pages pages) : pages_(std::move(pages)) {}

  /// The first element.
  T* data() { return reinterpret_cast<T*>(pages_.data()); }
  /// The first element.
  const T* data() const { return reinterpret_cast<const T*>(pages_.data()); }
  /// The number of elements.
  std::size_t size() const { return pages_.bytes() / sizeof(T); }
  /// Whether there are none.
  bool empty() const { return size() == 0; }
  /// Element `index`, unchecked.
  T& operator[](std::size_t index) { return data()[index]; }
  /// Element `index`, unchecked.
  const T& operator[](std::size_t index) const { return data()[index]; }
  /// The first element.
  T* begin() { return data(); }
  /// After the last.
  T* end() { return data() + size(); }
  /// The first element.
  const T* begin() const { return data(); }
  /// After the last.
  const T* end() const { return data() + size(); }

  /// What it lies in: to place parts of it anew, to audit it, to see what was refused.
  Pages& pages() { return pages_; }
  /// The same, to look at.
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
