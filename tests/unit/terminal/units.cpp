#include "terminal/units.hpp"

#include <doctest/doctest.h>

using namespace vnode;

TEST_CASE("times and sizes change their unit where a person would") {
  CHECK(shown_time(0) == "0");
  CHECK(shown_time(0.5e-9) == "0.500 ns");
  CHECK(shown_time(35e-9) == "35.00 ns");
  CHECK(shown_time(999.9e-9) == "999.9 ns");
  CHECK(shown_time(999.96e-9) == "1.000 us");
  CHECK(shown_time(9.99951e-6) == "10.00 us");
  CHECK(shown_time(1.2345e-3) == "1.234 ms");
  CHECK(shown_time(2) == "2.000 s");
  CHECK(shown_time(12345) == "12345 s");
  CHECK(shown_size(0) == "0 B");
  CHECK(shown_size(1023) == "1023 B");
  CHECK(shown_size(1024) == "1 KiB");
  CHECK(shown_size(1536) == "1.5 KiB");
  CHECK(shown_size(std::size_t{8} << 20) == "8 MiB");
  CHECK(shown_size(std::size_t{3} << 40) == "3 TiB");
}
