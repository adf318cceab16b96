// Tests two libraries, each with another version of vnode, in a program that does not use it.
#include <doctest/doctest.h>
#include <string>
#include <thread>

#include "loaded/library.hpp"

using vnode_test::Library;

namespace {

constexpr const char* plugins[] = {VNODE_PLUGIN, VNODE_PLUGIN_OF_NEXT};

}  // namespace

TEST_CASE("libraries that use two versions of vnode work beside each other, each with its own") {
  for (const int scope : {RTLD_LOCAL, RTLD_GLOBAL}) {
    // Whoever is first.
    for (const int first : {0, 1}) {
      const Library one(plugins[first], scope), two(plugins[1 - first], scope);
      const Library &ours = first == 0 ? one : two, &next = first == 0 ? two : one;
      CHECK(ours.version() == VNODE_VERSION);
      CHECK(next.version() == VNODE_NEXT_VERSION);
      CHECK(one.works());
      CHECK(two.works());
      CHECK(one.sum_of_doubles() != two.sum_of_doubles());
      // At the same time.
      bool right = false;
      std::thread other([&] { right = one.works(); });
      CHECK(two.works());
      other.join();
      CHECK(right);
    }
  }
}
