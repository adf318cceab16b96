#include <algorithm>
#include <cstddef>
#include <doctest/doctest.h>
#include <vector>

#include "machine/binding.hpp"
#include "numa/kernel.hpp"

namespace {

/// The NUMA node without PUs: so small that a test can fill it.
int small_numa() {
  for (const int numa : kernel::numas())
    if (kernel::pus_of(numa).empty()) return numa;
  return -1;
}

}  // namespace

TEST_CASE("a NUMA node without PUs gives memory to who asks for it") {
  constexpr std::size_t bytes = std::size_t{2} << 20;
  const int numa = small_numa();
  REQUIRE(numa >= 0);
  std::byte* const pages = vnode::allocate_pages(bytes, numa);
  std::fill_n(pages, bytes, std::byte{1});
  CHECK(kernel::all_on(static_cast<unsigned>(numa), pages, bytes));
  vnode::release_pages(pages, bytes);
}

TEST_CASE("a full NUMA node overflows to its neighbours, and has room again when memory is released") {
  const int numa = small_numa();
  REQUIRE(numa >= 0);
  const std::size_t before = kernel::bytes_of(numa, "MemFree");
  const std::size_t bytes = before + (std::size_t{8} << 20);
  std::byte* const pages = vnode::allocate_pages(bytes, numa);
  std::fill_n(pages, bytes, std::byte{1});
  const std::vector<int> numas = kernel::numas_of_pages(pages, bytes);
  const auto there = static_cast<std::size_t>(std::ranges::count(numas, numa));
  CHECK(there * kernel::page_bytes > before / 2);
  CHECK(there < numas.size());
  CHECK(std::ranges::none_of(numas, [](int page) { return page < 0; }));
  vnode::release_pages(pages, bytes);
  CHECK(kernel::bytes_of(numa, "MemFree") > before / 2);
  CHECK_FALSE(vnode::memory_binding_refused());
}
