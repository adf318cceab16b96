// A library that uses vnode is loaded and unloaded.
#include <barrier>
#include <cstddef>
#include <doctest/doctest.h>
#include <memory>
#include <optional>
#include <thread>

#include "belongings.hpp"
#include "brief.hpp"
#include "loaded/library.hpp"

using namespace vnode_test;

TEST_CASE("a library that uses vnode may be loaded and unloaded, again and again, and leaves nothing more") {
  // By threads that end before, so that nothing of this one keeps it loaded; every other time a team ends
  // when it is unloaded.
  const auto once = [](bool keeps) {
    const Library library(VNODE_PLUGIN);
    bool right = false;
    std::thread([&] { right = library.works() && (!keeps || library.keeps_a_team()); }).join();
    REQUIRE(right);
  };
  const int times = brief() ? 20 : 200;
  for (int time = 0; time < times / 2; ++time) once(time % 2 == 0);  // allocators fill their caches
  const Belongings before;
  for (int time = 0; time < times; ++time) once(time % 2 == 0);
  const Belongings after;
  CHECK(after.threads == before.threads);
  CHECK(after.descriptors == before.descriptors);
  CHECK(after.affinity == before.affinity);
  CHECK(after.mappings < before.mappings + 10);
  CHECK(after.bytes < before.bytes + 100 * static_cast<std::size_t>(times));
}

TEST_CASE("a thread that has used a library ends after it is unloaded") {
  std::optional<Library> library(VNODE_PLUGIN);
  std::barrier<> unloaded(2);
  bool right = false;
  std::thread user([&] {
    right = library->keeps_a_team() && library->works();
    unloaded.arrive_and_wait();
    unloaded.arrive_and_wait();
  });
  unloaded.arrive_and_wait();
  library.reset();
  unloaded.arrive_and_wait();
  user.join();
  CHECK(right);
  CHECK(Library(VNODE_PLUGIN).works());
}
