#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <set>
#include <vector>

#include <vnode/layouts.hpp>

namespace vnode_test {

/// Is a layout, and what it says as MPI would have it, computed in the plainest way.
struct Described {
  vnode::Layout layout;
  std::vector<std::ptrdiff_t> offsets;  ///< of its elements, in order
  std::ptrdiff_t lower = 0, upper = 0;  ///< what repetitions go by

  bool overlaps() const { return std::set(offsets.begin(), offsets.end()).size() < offsets.size(); }
};

/// Makes layouts of all kinds, of each other.
class RandomLayouts {
 public:
  explicit RandomLayouts(unsigned seed) : random_(seed) {}

  int below(int n) { return std::uniform_int_distribution(0, n - 1)(random_); }
  std::size_t count_below(int n) { return static_cast<std::size_t>(below(n)); }

  /// One of at most `most` elements.
  Described any(int depth, std::size_t most) {
    for (;;) {
      Described made = depth == 0 ? element() : combined(any(depth - 1, most), depth, most);
      if (made.offsets.size() <= most) return made;
    }
  }
  /// One that may be received into, all of it at offsets of 0 and more, which picks exactly `count` elements.
  Described target(std::size_t count) {
    for (;;) {
      Described made = any(1 + below(3), std::max<std::size_t>(count, 1));
      if (made.offsets.empty()) {
        if (count == 0) return made;
        continue;
      }
      // As often as it fits, and single elements behind.
      const std::size_t times = count / made.offsets.size();
      if (made.upper - made.lower < 0) continue;
      made = contiguous(made, times);
      std::ptrdiff_t end = 0;
      for (const std::ptrdiff_t offset : made.offsets) end = std::max(end, offset + 1);
      std::vector<vnode::layouts::Displaced> members{{0, made.layout}};
      while (made.offsets.size() < count) {
        end += 1 + below(3);
        members.push_back({end, vnode::layouts::element()});
        made.offsets.push_back(end++);
      }
      made.layout = vnode::layouts::structure(members);
      const std::ptrdiff_t least =
          made.offsets.empty() ? 0 : *std::min_element(made.offsets.begin(), made.offsets.end());
      made.layout = made.layout.shifted(-least);
      for (std::ptrdiff_t& offset : made.offsets) offset -= least;
      if (!made.overlaps()) return made;
    }
  }
  /// The range that it needs.
  static std::size_t room(const Described& of) {
    std::ptrdiff_t last = 0;
    for (const std::ptrdiff_t offset : of.offsets) last = std::max(last, offset + 1);
    return static_cast<std::size_t>(last);
  }

 private:
  static Described element() { return {vnode::layouts::element(), {0}, 0, 1}; }

  /// Appends `length` copies of `of` from this displacement on, in extents of it.
  static void add(Described& made, const Described& of, std::size_t length, std::ptrdiff_t displacement) {
    const std::ptrdiff_t extent = of.upper - of.lower;
    for (std::size_t i = 0; i < length; ++i) {
      const std::ptrdiff_t at = (displacement + static_cast<std::ptrdiff_t>(i)) * extent;
      include(made, of.lower + at, of.upper + at);
      for (const std::ptrdiff_t offset : of.offsets) made.offsets.push_back(offset + at);
    }
  }
  static void include(Described& made, std::ptrdiff_t lower, std::ptrdiff_t upper) {
    const bool first = made.lower == 0 && made.upper == 0 && made.offsets.empty();
    made.lower = first ? lower : std::min(made.lower, lower);
    made.upper = first ? upper : std::max(made.upper, upper);
  }
  static Described contiguous(const Described& of, std::size_t count) {
    Described made;
    add(made, of, count, 0);
    made.layout = vnode::layouts::contiguous(count, of.layout);
    return made;
  }

  Described combined(const Described& of, int depth, std::size_t most) {
    Described made;
    switch (below(8)) {
      case 0:
        return contiguous(of, 1 + count_below(4));
      case 1: {
        const std::size_t count = 1 + count_below(5), block = 1 + count_below(3);
        const std::ptrdiff_t stride = below(12) - 4;
        for (std::size_t i = 0; i < count; ++i) add(made, of, block, static_cast<std::ptrdiff_t>(i) * stride);
        made.layout = vnode::layouts::vector(count, block, stride, of.layout);
        return made;
      }
      case 2: {
        std::vector<std::size_t> lengths;
        std::vector<std::ptrdiff_t> displacements;
        for (int i = below(6); i >= 0; --i) {
          lengths.push_back(1 + count_below(3));
          displacements.push_back(below(20) - 5);
          add(made, of, lengths.back(), displacements.back());
        }
        made.layout = vnode::layouts::indexed(lengths, displacements, of.layout);
        return made;
      }
      case 3: {
        std::vector<std::ptrdiff_t> displacements;
        const std::size_t block = 1 + count_below(2);
        const int step = 1 + below(4);
        for (int i = 0; i <= below(6); ++i) {
          displacements.push_back(i * step);  // often regular
          add(made, of, block, displacements.back());
        }
        made.layout = vnode::layouts::indexed(block, displacements, of.layout);
        return made;
      }
      case 4: {
        std::vector<std::size_t> array, sizes, starts;
        std::size_t all = 1;
        for (int i = below(3); i >= 0; --i) {
          array.push_back(1 + count_below(5));
          sizes.push_back(1 + count_below(static_cast<int>(array.back())));
          starts.push_back(count_below(static_cast<int>(array.back() - sizes.back() + 1)));
          all *= array.back();
        }
        const std::ptrdiff_t extent = of.upper - of.lower;
        for (std::size_t at = 0; at < all; ++at) {
          bool inside = true;
          for (std::size_t i = array.size(), rest = at; i-- > 0; rest /= array[i])
            inside = inside && rest % array[i] >= starts[i] && rest % array[i] < starts[i] + sizes[i];
          if (inside) add(made, of, 1, static_cast<std::ptrdiff_t>(at));
        }
        made.lower = of.lower;
        made.upper = of.lower + static_cast<std::ptrdiff_t>(all) * extent;
        made.layout = vnode::layouts::subarray(array, sizes, starts, of.layout);
        return made;
      }
      case 5: {
        std::vector<vnode::layouts::Displaced> members;
        for (int i = below(4); i >= 0; --i) {
          const Described member = any(depth - 1, most);
          const std::ptrdiff_t at = below(40);
          include(made, member.lower + at, member.upper + at);
          for (const std::ptrdiff_t offset : member.offsets) made.offsets.push_back(offset + at);
          members.push_back({at, member.layout});
        }
        made.layout = vnode::layouts::structure(members);
        return made;
      }
      case 6:
        made = of;
        made.upper = made.lower + below(30);
        made.layout = of.layout.resized(made.upper - made.lower);
        return made;
      default: {
        made = of;
        const std::ptrdiff_t by = below(9) - 4;
        made.lower += by, made.upper += by;
        for (std::ptrdiff_t& offset : made.offsets) offset += by;
        made.layout = of.layout.shifted(by);
        return made;
      }
    }
  }

  std::mt19937 random_;
};

}  // namespace vnode_test
