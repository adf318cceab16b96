#include "terminal/progress.hpp"

#include <doctest/doctest.h>

using vnode::progress_bar;

TEST_CASE("a progress bar is as full as the work is done, and no fuller") {
  CHECK(progress_bar(0, "a") == "[                              ]   0 % a");
  CHECK(progress_bar(0.5, "b") == "[###############               ]  50 % b");
  CHECK(progress_bar(1.2, "c") == "[##############################] 100 % c");
}
