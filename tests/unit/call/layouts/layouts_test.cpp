#include "layouts.hpp"

#include <cstdint>
#include <doctest/doctest.h>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/layouts.hpp>

#include "execute/laid_copy.hpp"

using namespace vnode_test;
using vnode::LaidMemory;
using vnode::Layout;
namespace layouts = vnode::layouts;

namespace {

std::string layout_refusal(const auto& make) {
  try {
    make();
  } catch (const vnode::UsageError& error) {
    return error.what();
  }
  return "";
}

template <class T>
std::byte* bytes(std::vector<T>& elements) {
  return reinterpret_cast<std::byte*>(elements.data());
}

/// Is an element of `Words` words.
template <std::size_t Words>
struct Wide {
  std::uint16_t words[Words];
  friend bool operator==(const Wide&, const Wide&) = default;
};
template <std::size_t Words>
Wide<Words> wide(std::size_t number) {
  Wide<Words> made;
  for (std::size_t i = 0; i < Words; ++i) made.words[i] = static_cast<std::uint16_t>(number * 7 + i);
  return made;
}

/// Checks that what is packed, unpacked and copied between two layouts, in any parts, is what offsets say.
template <std::size_t Words>
void check_copies(RandomLayouts& random, const Described& from) {
  using T = Wide<Words>;
  const std::size_t count = from.offsets.size();
  const std::ptrdiff_t least = count == 0 ? 0 : *std::ranges::min_element(from.offsets);
  std::vector<T> memory(
      count == 0 ? 1 : static_cast<std::size_t>(*std::ranges::max_element(from.offsets) - least) + 1);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = wide<Words>(i);
  const auto element = [&](std::size_t i) {
    return memory[static_cast<std::size_t>(from.offsets[i] - least)];
  };
  const LaidMemory laid{bytes(memory) - least * static_cast<std::ptrdiff_t>(sizeof(T)), &from.layout.form(),
                        0};

  const std::size_t first = random.count_below(static_cast<int>(count) + 1);
  const std::size_t last = first + random.count_below(static_cast<int>(count - first) + 1);
  std::vector<T> packed(last - first + 1);
  packed.back() = wide<Words>(9999);
  vnode::pack(bytes(packed), laid, first, last, sizeof(T));
  for (std::size_t i = first; i < last; ++i) REQUIRE(packed[i - first] == element(i));
  REQUIRE(packed.back() == wide<Words>(9999));

  const Described to = random.target(count);
  std::vector<T> into(RandomLayouts::room(to), wide<Words>(5555)), expected = into;
  const std::size_t middle = random.count_below(static_cast<int>(count) + 1);
  const LaidMemory target{bytes(into), &to.layout.form(), 0};
  vnode::copy_laid(target, laid, 0, middle, sizeof(T));
  vnode::copy_laid(target, laid, middle, count, sizeof(T));
  for (std::size_t i = 0; i < count; ++i) expected[static_cast<std::size_t>(to.offsets[i])] = element(i);
  REQUIRE(into == expected);

  std::vector<T> plain(count + 1), back(RandomLayouts::room(to), wide<Words>(5555));
  vnode::copy_laid({bytes(plain), nullptr, 0}, laid, 0, count, sizeof(T));
  vnode::copy_laid({bytes(back), &to.layout.form(), 0}, {bytes(plain), nullptr, 0}, 0, count, sizeof(T));
  REQUIRE(back == expected);
}

}  // namespace

TEST_CASE("layouts pick the elements that MPI's types do, in their order") {
  RandomLayouts random(1);
  int overlapping = 0, nested = 0;
  for (int i = 0; i < 4000; ++i) {
    const Described made = random.any(1 + random.below(4), 300);
    CAPTURE(made.layout.text());
    REQUIRE(made.layout.count() == made.offsets.size());
    if (!made.offsets.empty()) {
      REQUIRE(made.layout.first() == *std::ranges::min_element(made.offsets));
      REQUIRE(made.layout.last() == *std::ranges::max_element(made.offsets) + 1);
      REQUIRE(made.layout.extent() == made.upper - made.lower);
    }
    REQUIRE(made.layout.overlaps() == made.overlaps());
    overlapping += made.overlaps();
    nested += made.layout.text().find('(') != std::string::npos;
    switch (random.below(4)) {
      case 0:
        check_copies<1>(random, made);
        break;
      case 1:
        check_copies<4>(random, made);
        break;
      case 2:
        check_copies<5>(random, made);
        break;
      default:
        check_copies<40>(random, made);
    }
  }
  CHECK(overlapping > 100);
  CHECK(nested > 100);
}

TEST_CASE("what is regular is short, however it is said") {
  CHECK(layouts::contiguous(100).contiguous());
  CHECK(layouts::vector(10, 3, 3).contiguous());
  CHECK(layouts::vector(10, 3, 3).text() == "30");
  CHECK(layouts::vector(64, 1, 1024).text() == "64 x 1 every 1024");
  CHECK(layouts::vector(64, 3, 1024).text() == "64 x 3 every 1024");
  CHECK(layouts::subarray({512, 512}, {64, 64}, {1, 2}).text() == "64 x 64 every 512 from 514");
  CHECK(layouts::subarray({8, 8, 8}, {2, 8, 8}, {3, 0, 0}).text() == "128 from 192");
  CHECK(layouts::subarray({8, 8, 8}, {2, 8, 1}, {3, 0, 0}).text() == "16 x 1 every 8 from 192");
  CHECK(layouts::indexed(1, {0, 5, 10, 15}).text() == "4 x 1 every 5");
  CHECK(layouts::indexed({1, 2}, {3, 4}).text() == "3 from 3");
  CHECK(layouts::vector(3, 1, 4).repeated(2).text() == "2 x (3 x 1 every 4) every 9");
  CHECK(layouts::vector(3, 1, 4).resized(12).repeated(2).text() == "6 x 1 every 4");
  CHECK(layouts::vector(5, 1, -2).text() == "5 x 1 every -2");
  CHECK(Layout().text() == "nothing");
  CHECK(layouts::vector(1000000, 1, 3).blocks() == 1000000);
}

TEST_CASE("a layout of nothing is one") {
  for (const Layout& none :
       {Layout(), layouts::contiguous(0), layouts::vector(0, 1, 5), layouts::vector(3, 0, 5),
        layouts::indexed({}, {}), layouts::subarray({4, 4}, {0, 2}, {1, 1}), layouts::structure({}),
        layouts::contiguous(7, Layout())}) {
    CHECK(none.count() == 0);
    CHECK(!none.overlaps());
    CHECK(none.contiguous());
    CHECK(none.repeated(3).count() == 0);
  }
}

TEST_CASE("an element may be as far before the range as numbers tell") {
  const auto least = std::numeric_limits<std::ptrdiff_t>::min();
  const Layout farthest = layouts::indexed(1, {least});
  CHECK((farthest.first() == least && farthest.last() == least + 1 && farthest.extent() == 1));
  CHECK(layout_refusal([&] {
          layouts::indexed(1, {least, 1});
        }) == "layout: it picks more elements, or reaches further, than memory can hold");
}

TEST_CASE("numbers that make no layout are refused with a sentence") {
  const auto most = std::numeric_limits<std::size_t>::max();
  CHECK(layout_refusal([&] { layouts::contiguous(most); }) ==
        "layout: it picks more elements, or reaches further, than memory can hold");
  CHECK(layout_refusal([&] { layouts::vector(most / 2, 3, 5); }) ==
        "layout: it picks more elements, or reaches further, than memory can hold");
  CHECK(layout_refusal([&] { layouts::vector(std::size_t{1} << 40, 1, std::ptrdiff_t{1} << 40); }) ==
        "layout: it picks more elements, or reaches further, than memory can hold");
  CHECK(layout_refusal([&] { layouts::element().resized(-1); }) ==
        "layout: extent -1 is negative: extents are 0 or more");
  CHECK(layout_refusal([&] {
          layouts::indexed({1, 2, 3}, {0});
        }) == "layout: there are 1 displacement for 3 lengths: as many as lengths are needed");
  CHECK(layout_refusal([&] {
          layouts::subarray({4, 8}, {2, 6}, {1, 4});
        }) == "layout: dimension 1 of the array has extent 8, too few for 6 from 4");
  CHECK(layout_refusal([&] {
          layouts::subarray({4, 8}, {2}, {1, 4});
        }) == "layout: a subarray has 2 extents, 1 size and 2 starts: as many of each are needed");
  std::vector<int> x(10);
  CHECK(layout_refusal([&] { laid(x, layouts::vector(3, 1, 5)); }) ==
        "the layout 3 x 1 every 5 reaches element 10 of a range of 10");
  CHECK(layout_refusal([&] { laid(x, layouts::vector(3, 1, -1)); }) ==
        "the layout 3 x 1 every -1 picks element -2 of a range: they are counted from 0");
  CHECK(layout_refusal([&] { laid(x, layouts::vector(10, 1, 1)); }).empty());
  // A layout that picks one element so often that the bytes of all wrap around.
  const vnode::Layout many = layouts::element().resized(0).repeated(std::size_t{1} << 61);
  std::vector<double> y(10);
  CHECK(layout_refusal([&] { laid(y, many); }) ==
        "the layout 2305843009213693952 x 1 every 0 picks 2305843009213693952 elements of 8 bytes: memory "
        "holds "
        "1152921504606846975 at most");
  CHECK(layout_refusal([&] { laid(y, layouts::element().resized(0).repeated(10)); }).empty());
}
