#include "machine/binding.hpp"

#include <doctest/doctest.h>
#include <memory>
#include <thread>

#include <vnode/error.hpp>

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

TEST_CASE("a thread may be pinned to several PUs, and know that it is") {
  const std::vector<int> before = thread_affinity();
  {
    const PinnedThread one(before.front());
    CHECK(vnode::thread_is_pinned());
    {
      const PinnedThread all(before);
      CHECK(thread_affinity() == before);
    }
    CHECK(thread_affinity() == std::vector{before.front()});
  }
  CHECK_FALSE(vnode::thread_is_pinned());
  CHECK_THROWS_WITH_AS(PinnedThread(std::vector{100'000, 100'001}),
                       doctest::Contains("cannot pin to PUs 100000-100001: "), vnode::SystemError);
  CHECK_THROWS_AS(PinnedThread(std::vector<int>{}), vnode::SystemError);
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
