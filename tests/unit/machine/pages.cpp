#include <cerrno>
#include <doctest/doctest.h>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/placed_buffer.hpp>

#include "machine/memory_binding.hpp"
#include "machine_file.hpp"

using vnode::PageAudit;
using vnode::PagePlacement;
using vnode::PagePolicy;
using vnode::Pages;

namespace {

constexpr PagePolicy preferred = PagePolicy::preferred;
constexpr int no_bank = 1 << 20;

bool mapped(std::byte* page) {
  unsigned char resident = 0;
  return mincore(page, 1, &resident) == 0 || errno != ENOMEM;
}

}  // namespace

TEST_CASE("pages that others are moved into are given up at once, and those they came from has none") {
  const std::size_t page = vnode::page_bytes();
  Pages from(3 * page), into(5 * page, {.policy = preferred, .banks = {no_bank}});
  std::byte* const given_up = into.data();
  std::byte* const taken = from.data();
  into = std::move(from);
  CHECK_FALSE(mapped(given_up));
  CHECK(into.data() == taken);
  CHECK(into.bytes() == 3 * page);
  CHECK(into.placement() == PagePlacement{});
  CHECK(into.degraded().empty());
  CHECK(from.data() == nullptr);  // NOLINT(bugprone-use-after-move): what it says
  CHECK(from.bytes() == 0);
  CHECK(from.degraded().empty());
  from.place(0, 0, {.policy = preferred, .banks = {0}});
  from = std::move(into);
  CHECK(from.data() == taken);
  vnode::PlacedBuffer<int> buffer(10), other(20);
  buffer = std::move(other);
  CHECK(buffer.size() == 20);
  CHECK(other.empty());  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("no bytes are on no page, wherever they are") {
  const std::size_t page = vnode::page_bytes();
  Pages pages(3 * page);
  const PagePlacement nowhere{.policy = preferred, .banks = {no_bank}, .strict = true};
  for (const std::size_t first : {std::size_t{0}, page, 3 * page})
    CHECK_NOTHROW(pages.place(first, 0, nowhere));
  CHECK_THROWS_AS(pages.place(page, 1, {.policy = preferred, .banks = {-1}}), vnode::UsageError);
  CHECK_THROWS_WITH_AS(pages.place(2 * page, page, nowhere), doctest::Contains("there is no bank 1048576: "),
                       vnode::SystemError);
  CHECK_THROWS_AS(pages.place(3 * page + 1, 0, nowhere), vnode::UsageError);
  CHECK_THROWS_WITH_AS(Pages(100).place(50, std::numeric_limits<std::size_t>::max(), {}),
                       "cannot place 18446744073709551615 bytes from byte 50 on: there are 100",
                       vnode::UsageError);
}

TEST_CASE("more bytes than memory can have are refused, also where a number of pages wraps around") {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max(), half = most / 2 + 1;
  for (const std::size_t bytes : {most, most - 4095, half, half - 1})
    for (const vnode::HugePages kind : {vnode::HugePages::usual, vnode::HugePages::reserved})
      for (const std::size_t alignment : {std::size_t{0}, half, half / 2})
        CHECK_THROWS_AS(Pages(bytes, {.huge_pages = kind, .alignment = alignment}), std::bad_alloc);
  CHECK_THROWS_AS(Pages(4096, {.alignment = half}), std::bad_alloc);
  CHECK_THROWS_AS(vnode::PlacedBuffer<char>{most}, std::bad_alloc);
  CHECK_THROWS_AS(vnode::PlacedBuffer<double>{most}, std::bad_alloc);
}

TEST_CASE("an audit names banks as the system numbers them") {
  const vnode::Machine machine = machine_of_file("holes");
  CHECK(text(PageAudit{.on = {12, 4}, .untouched = 3, .unknown = 1}, machine) ==
        "12 on 1, 4 on 6, 3 untouched, 1 unknown");
  CHECK(text(PageAudit{.on = {0, 0}}, machine) == "none");
}
