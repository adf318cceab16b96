#include "machine/binding.hpp"

#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <limits>
#include <memory>
#include <new>
#include <thread>

#include <vnode/error.hpp>
#include <vnode/machine.hpp>

using vnode::PinnedThread;
using vnode::thread_affinity;

namespace {

void check_sentence(int pu_os_index) {
  const std::string sentence =
      "cannot pin to PU " + std::to_string(pu_os_index) + ": the process may use PUs ";
  CHECK_THROWS_WITH_AS(PinnedThread{pu_os_index}, doctest::Contains(sentence.c_str()), vnode::SystemError);
}

}  // namespace

TEST_CASE("a pinned thread runs on its PU and has its affinity back afterwards") {
  const std::vector<int> before = thread_affinity();
  for (const int pu : before) {
    {
      const PinnedThread pinned(pu);
      CHECK(vnode::current_pu() == pu);
      CHECK(thread_affinity() == std::vector{pu});
    }
    CHECK(thread_affinity() == before);
  }
}

TEST_CASE("pins nest") {
  const std::vector<int> before = thread_affinity();
  {
    const PinnedThread outer(before.front());
    { const PinnedThread inner(before.back()); }
    CHECK(thread_affinity() == std::vector{before.front()});
  }
  CHECK(thread_affinity() == before);
}

TEST_CASE("pins may end in any order") {
  const std::vector<int> before = thread_affinity();
  auto first = std::make_unique<PinnedThread>(before.front());
  auto second = std::make_unique<PinnedThread>(before.back());
  first.reset();
  CHECK(thread_affinity() == std::vector{before.back()});
  second.reset();
  CHECK(thread_affinity() == before);
}

TEST_CASE("pinning one thread leaves the others where they were") {
  const std::vector<int> before = thread_affinity();
  std::vector<int> inside;
  std::thread([&] {
    const PinnedThread pinned(before.back());
    inside = thread_affinity();
  }).join();
  CHECK(inside == std::vector{before.back()});
  CHECK(thread_affinity() == before);
}

TEST_CASE("a pin that ends on another thread gives its own thread the affinity back") {
  const std::vector<int> before = thread_affinity();
  auto pin = std::make_unique<PinnedThread>(before.front());
  std::vector<int> elsewhere;
  std::thread([&] {
    const PinnedThread other(before.back());
    pin.reset();
    elsewhere = thread_affinity();
  }).join();
  CHECK(elsewhere == std::vector{before.back()});
  CHECK(thread_affinity() == before);
}

TEST_CASE("a pin may outlive its thread") {
  const std::vector<int> before = thread_affinity();
  std::unique_ptr<PinnedThread> pin;
  std::thread([&] { pin = std::make_unique<PinnedThread>(before.back()); }).join();
  pin.reset();
  CHECK(thread_affinity() == before);
}

TEST_CASE("a PU that is not ours is refused with the PUs that are, and nothing changes") {
  const std::vector<int> before = thread_affinity();
  check_sentence(100'000);
  check_sentence(-1);
  CHECK(thread_affinity() == before);
  CHECK_THROWS_WITH_AS(PinnedThread{-1}, doctest::Contains(" only"), vnode::SystemError);
}

TEST_CASE("pages are zeroed, aligned and writable, on any NUMA node and on none in particular") {
  std::vector<int> numas{-1};
  for (const vnode::NumaNode& numa : vnode::Machine::discover().numas) numas.push_back(numa.os_index);
  for (const int numa : numas)
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{1} << 20}) {
      std::byte* const pages = vnode::allocate_pages(bytes, numa);
      REQUIRE(pages);
      CHECK(reinterpret_cast<std::uintptr_t>(pages) % 4096 == 0);
      CHECK(std::ranges::all_of(pages, pages + bytes, [](std::byte byte) { return byte == std::byte{0}; }));
      std::ranges::fill(pages, pages + bytes, std::byte{1});
      vnode::release_pages(pages, bytes);
    }
  vnode::release_pages(nullptr, 4096);
}

TEST_CASE("memory that is not to be had is refused") {
  CHECK_THROWS_AS(vnode::allocate_pages(std::numeric_limits<std::size_t>::max() / 2, -1), std::bad_alloc);
  CHECK_THROWS_WITH_AS(vnode::allocate_pages(4096, 1000),
                       doctest::Contains("cannot use memory of NUMA node 1000: "), vnode::SystemError);
}
