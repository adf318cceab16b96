#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include <vnode/error.hpp>
#include <vnode/layouts.hpp>

#include "base/counted.hpp"
#include "base/layout_form.hpp"

namespace vnode {
namespace {

using Patterns = std::vector<Pattern>;

[[noreturn]] void refuse_size() {
  throw UsageError("layout: it picks more elements, or reaches further, than memory can hold");
}

std::ptrdiff_t times(std::ptrdiff_t a, std::ptrdiff_t b) {
  std::ptrdiff_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) refuse_size();
  return product;
}
std::ptrdiff_t plus(std::ptrdiff_t a, std::ptrdiff_t b) {
  std::ptrdiff_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) refuse_size();
  return sum;
}
std::ptrdiff_t minus(std::ptrdiff_t a, std::ptrdiff_t b) {
  std::ptrdiff_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) refuse_size();
  return difference;
}
std::ptrdiff_t as_signed(std::size_t number) {
  if (number > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max())) refuse_size();
  return static_cast<std::ptrdiff_t>(number);
}
std::size_t elements_of(std::size_t count, std::size_t each) {
  return static_cast<std::size_t>(times(as_signed(count), as_signed(each)));
}

bool is_one_block(const Pattern& pattern) { return pattern.is_block() && pattern.count == 1; }

/// Appends a pattern to a list; what goes on where the last one ends becomes a part of it.
void append(Patterns& list, Pattern pattern) {
  if (!list.empty()) {
    Pattern& last = list.back();
    if (is_one_block(last) && is_one_block(pattern) &&
        pattern.offset == plus(last.offset, as_signed(last.length))) {
      last.each = last.length = static_cast<std::size_t>(as_signed(last.length + pattern.length));
      return;
    }
    // The block continues a loop of blocks of this length at the same distance.
    if (last.is_block() && is_one_block(pattern) && last.length == pattern.length && last.count > 1 &&
        pattern.offset == plus(last.offset, times(as_signed(last.count), last.stride))) {
      ++last.count;
      return;
    }
    pattern.before =
        static_cast<std::size_t>(plus(as_signed(last.before), as_signed(elements_of(last.count, last.each))));
  } else {
    pattern.before = 0;
  }
  list.push_back(std::move(pattern));
}

Patterns shifted(Patterns list, std::ptrdiff_t offset) {
  for (Pattern& pattern : list) pattern.offset = plus(pattern.offset, offset);
  return list;
}

/// Returns the list with loops: three or more single blocks of one length at one distance become one pattern.
Patterns looped(const Patterns& list) {
  Patterns made;
  for (std::size_t i = 0; i < list.size();) {
    std::size_t next = i + 1;
    Pattern pattern = list[i];
    if (is_one_block(pattern) && next < list.size()) {
      const auto follows = [&](std::size_t j) {
        return is_one_block(list[j]) && list[j].length == pattern.length;
      };
      const std::ptrdiff_t stride = minus(list[next].offset, pattern.offset);
      while (next < list.size() && follows(next) &&
             list[next].offset == plus(pattern.offset, times(as_signed(next - i), stride)))
        ++next;
      if (next - i >= 3) {
        pattern.count = next - i;
        pattern.stride = stride;
      } else {
        next = i + 1;
      }
    }
    append(made, std::move(pattern));
    i = next;
  }
  return made;
}

Patterns repeated(const Patterns& list, std::size_t count, std::ptrdiff_t stride) {
  if (count == 0 || list.empty()) return {};
  if (count == 1) return list;
  times(as_signed(count), stride);
  if (list.size() == 1) {
    Pattern one = list.front();
    if (one.count == 1 && one.is_block() && stride == as_signed(one.length)) {
      one.each = one.length = elements_of(one.length, count);
      return {one};
    }
    if (one.count == 1 || stride == times(as_signed(one.count), one.stride)) {
      if (one.count == 1) one.stride = stride;
      one.count = elements_of(one.count, count);
      elements_of(one.count, one.each);
      return {one};
    }
  }
  Pattern outer;
  outer.count = count;
  outer.stride = stride;
  outer.body = list;
  outer.each =
      static_cast<std::size_t>(plus(as_signed(list.back().before), as_signed(list.back().elements())));
  elements_of(outer.count, outer.each);
  return {std::move(outer)};
}

struct Bounds {
  std::ptrdiff_t first = 0, last = 0;
};
Bounds bounds(const Patterns& list);
/// Returns the bounds of one copy of a pattern.
Bounds bounds_of_body(const Pattern& pattern) {
  Bounds of = pattern.is_block() ? Bounds{0, as_signed(pattern.length)} : bounds(pattern.body);
  return {plus(of.first, pattern.offset), plus(of.last, pattern.offset)};
}
Bounds bounds(const Pattern& pattern) {
  Bounds of = bounds_of_body(pattern);
  const std::ptrdiff_t way = times(as_signed(pattern.count - 1), pattern.stride);
  (way < 0 ? of.first : of.last) = plus(way < 0 ? of.first : of.last, way);
  return of;
}
Bounds bounds(const Patterns& list) {
  if (list.empty()) return {};
  Bounds all = bounds(list.front());
  for (const Pattern& pattern : list) {
    const Bounds of = bounds(pattern);
    all = {std::min(all.first, of.first), std::max(all.last, of.last)};
  }
  return all;
}

/// Tells whether bounds alone show that no element is picked twice; if false, it has to be examined.
bool plainly_apart(const Patterns& list);
bool plainly_apart(const Pattern& pattern) {
  const Bounds body = bounds_of_body(pattern);
  const std::ptrdiff_t stride = pattern.stride < 0 ? -pattern.stride : pattern.stride;
  return (pattern.count == 1 || stride >= body.last - body.first) &&
         (pattern.is_block() || plainly_apart(pattern.body));
}
bool plainly_apart(const Patterns& list) {
  std::vector<Bounds> all;
  for (const Pattern& pattern : list) {
    if (!plainly_apart(pattern)) return false;
    all.push_back(bounds(pattern));
  }
  std::ranges::sort(all, {}, &Bounds::first);
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].first < all[i - 1].last) return false;
  return true;
}

bool picks_twice(const LayoutForm& form) {
  if (plainly_apart(form.patterns)) return false;
  if (form.count > static_cast<std::size_t>(form.last - form.first)) return true;
  std::vector<Bounds> blocks;
  auto note = [&](std::ptrdiff_t offset, std::size_t length, std::size_t count, std::ptrdiff_t stride) {
    for (std::size_t i = 0; i < count; ++i, offset += stride)
      blocks.push_back({offset, offset + static_cast<std::ptrdiff_t>(length)});
  };
  each_row(form.patterns, 0, 0, form.count, note);
  std::ranges::sort(blocks, {}, &Bounds::first);
  for (std::size_t i = 1; i < blocks.size(); ++i)
    if (blocks[i].first < blocks[i - 1].last) return true;
  return false;
}

std::size_t blocks_in(const Patterns& list) {
  std::size_t blocks = 0;
  for (const Pattern& pattern : list)
    blocks += pattern.count * (pattern.is_block() ? 1 : blocks_in(pattern.body));
  return blocks;
}

void write(std::string& text, const Patterns& list) {
  for (const Pattern& pattern : list) {
    if (!text.empty() && text.back() != '(') text += ", ";
    if (pattern.count > 1) text += fmt::format("{} x ", pattern.count);
    if (pattern.is_block()) {
      text += fmt::format("{}", pattern.length);
    } else {
      text += '(';
      write(text, pattern.body);
      text += ')';
    }
    if (pattern.count > 1) text += fmt::format(" every {}", pattern.stride);
    if (pattern.offset != 0) text += fmt::format(" from {}", pattern.offset);
  }
}

/// Returns `count` copies of `of`, `stride` of its extents apart.
Patterns copies(const LayoutForm& of, std::size_t count, std::ptrdiff_t stride) {
  return repeated(of.patterns, count, times(stride, of.extent));
}

/// Collects blocks of `of` at any displacements, and the bounds of them all.
class Blocks {
 public:
  explicit Blocks(const Layout& of) : of_(of.form()) {}

  void add(std::size_t length, std::ptrdiff_t displacement) {
    if (length == 0) return;
    const std::ptrdiff_t first = times(displacement, of_.extent),
                         last = plus(first, times(as_signed(length - 1), of_.extent));
    for (Pattern& pattern : shifted(copies(of_, length, 1), first)) append(patterns_, std::move(pattern));
    include(plus(of_.lower, std::min(first, last)), plus(plus(of_.lower, of_.extent), std::max(first, last)));
  }
  void add(const Layout& layout, std::ptrdiff_t displacement) {
    const LayoutForm& form = layout.form();
    for (Pattern& pattern : shifted(form.patterns, displacement)) append(patterns_, std::move(pattern));
    include(plus(form.lower, displacement), plus(plus(form.lower, form.extent), displacement));
  }
  Layout done() && {
    const Bounds reach = reach_.value_or(Bounds{});
    return LayoutForm::layout(looped(patterns_), reach.first, reach.last);
  }

 private:
  void include(std::ptrdiff_t first, std::ptrdiff_t last) {
    reach_ =
        reach_ ? Bounds{std::min(reach_->first, first), std::max(reach_->last, last)} : Bounds{first, last};
  }

  const LayoutForm& of_;
  Patterns patterns_;
  std::optional<Bounds> reach_;
};

}  // namespace

Layout LayoutForm::layout(std::vector<Pattern> patterns, std::ptrdiff_t lower, std::ptrdiff_t upper) {
  auto form = std::make_shared<LayoutForm>();
  form->patterns = std::move(patterns);
  if (!form->patterns.empty()) {
    const Pattern& end = form->patterns.back();
    form->count = static_cast<std::size_t>(plus(as_signed(end.before), as_signed(end.elements())));
  }
  const Bounds of = bounds(form->patterns);
  form->first = of.first;
  form->last = of.last;
  minus(of.last, of.first);
  form->lower = lower;
  form->extent = minus(upper, lower);
  return Layout(std::move(form));
}

Layout::Layout() {
  static const Layout none = LayoutForm::layout({}, 0, 0);
  form_ = none.form_;
}
std::size_t Layout::count() const { return form_->count; }
std::ptrdiff_t Layout::first() const { return form_->first; }
std::ptrdiff_t Layout::last() const { return form_->last; }
std::ptrdiff_t Layout::extent() const { return form_->extent; }
bool Layout::contiguous() const { return form_->contiguous(); }
std::size_t Layout::blocks() const { return blocks_in(form_->patterns); }

bool Layout::overlaps() const {
  using Twice = LayoutForm::Twice;
  Twice twice = form_->twice.load(std::memory_order_relaxed);  // whoever looks finds the same
  if (twice == Twice::unknown) {
    twice = picks_twice(*form_) ? Twice::somewhere : Twice::never;
    form_->twice.store(twice, std::memory_order_relaxed);
  }
  return twice == Twice::somewhere;
}

Layout Layout::resized(std::ptrdiff_t extent) const {
  if (extent < 0)
    throw UsageError(fmt::format("layout: extent {} is negative: extents are 0 or more", extent));
  return LayoutForm::layout(form_->patterns, form_->lower, plus(form_->lower, extent));
}
Layout Layout::shifted(std::ptrdiff_t offset) const {
  return LayoutForm::layout(vnode::shifted(form_->patterns, offset), plus(form_->lower, offset),
                            plus(plus(form_->lower, form_->extent), offset));
}
Layout Layout::repeated(std::size_t count) const { return layouts::contiguous(count, *this); }
std::string Layout::text() const {
  std::string text;
  write(text, form_->patterns);
  return text.empty() ? "nothing" : text;
}

Layout layouts::element() {
  static const Layout one = [] {
    Pattern pattern;
    pattern.length = pattern.each = 1;
    return LayoutForm::layout({std::move(pattern)}, 0, 1);
  }();
  return one;
}

Layout layouts::contiguous(std::size_t count, const Layout& of) {
  Blocks blocks(of);
  blocks.add(count, 0);
  return std::move(blocks).done();
}

Layout layouts::vector(std::size_t count, std::size_t block, std::ptrdiff_t stride, const Layout& of) {
  if (count == 0 || block == 0) return {};
  const LayoutForm& form = of.form();
  const std::ptrdiff_t apart = times(stride, form.extent);
  const std::ptrdiff_t last = times(as_signed(count - 1), apart),
                       end = times(as_signed(block - 1), form.extent);
  return LayoutForm::layout(
      repeated(copies(form, block, 1), count, apart), plus(form.lower, std::min<std::ptrdiff_t>(last, 0)),
      plus(plus(form.lower, form.extent), plus(std::max<std::ptrdiff_t>(last, 0), end)));
}

Layout layouts::indexed(std::span<const std::size_t> lengths, std::span<const std::ptrdiff_t> displacements,
                        const Layout& of) {
  if (lengths.size() != displacements.size())
    throw UsageError(fmt::format("layout: there are {} for {}: as many as lengths are needed",
                                 counted(displacements.size(), "displacement"),
                                 counted(lengths.size(), "length")));
  Blocks blocks(of);
  for (std::size_t i = 0; i < lengths.size(); ++i) blocks.add(lengths[i], displacements[i]);
  return std::move(blocks).done();
}

Layout layouts::indexed(std::size_t block, std::span<const std::ptrdiff_t> displacements, const Layout& of) {
  Blocks blocks(of);
  for (const std::ptrdiff_t displacement : displacements) blocks.add(block, displacement);
  return std::move(blocks).done();
}

Layout layouts::subarray(std::span<const std::size_t> array, std::span<const std::size_t> sizes,
                         std::span<const std::size_t> starts, const Layout& of) {
  if (array.size() != sizes.size() || array.size() != starts.size())
    throw UsageError(fmt::format("layout: a subarray has {}, {} and {}: as many of each are needed",
                                 counted(array.size(), "extent"), counted(sizes.size(), "size"),
                                 counted(starts.size(), "start")));
  const LayoutForm& form = of.form();
  Patterns patterns = form.patterns;
  std::ptrdiff_t stride = form.extent, begin = 0;
  for (std::size_t i = array.size(); i-- > 0;) {
    if (sizes[i] > array[i] || starts[i] > array[i] - sizes[i])
      throw UsageError(fmt::format("layout: dimension {} of the array has extent {}, too few for {} from {}",
                                   i, array[i], sizes[i], starts[i]));
    patterns = repeated(patterns, sizes[i], stride);
    begin = plus(begin, times(as_signed(starts[i]), stride));
    stride = times(stride, as_signed(array[i]));
  }
  return LayoutForm::layout(shifted(std::move(patterns), begin), form.lower, plus(form.lower, stride));
}

Layout layouts::structure(std::span<const Displaced> members) {
  Blocks blocks{Layout()};
  for (const Displaced& member : members)
    if (member.layout.count() > 0) blocks.add(member.layout, member.displacement);
  return std::move(blocks).done();
}

void check_within(const Layout& layout, std::size_t size, std::size_t element_bytes) {
  if (layout.first() < 0)
    throw UsageError(fmt::format("the layout {} picks element {} of a range: they are counted from 0",
                                 layout.text(), layout.first()));
  if (static_cast<std::size_t>(layout.last()) > size)
    throw UsageError(fmt::format("the layout {} reaches element {} of a range of {}", layout.text(),
                                 layout.last() - 1, size));
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max();
  if (layout.count() > most / element_bytes)
    throw UsageError(fmt::format("the layout {} picks {} elements of {}: memory holds {} at most",
                                 layout.text(), layout.count(), counted(element_bytes, "byte"),
                                 most / element_bytes));
}

}  // namespace vnode
