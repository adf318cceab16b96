#include "report/bytes.hpp"

#include <doctest/doctest.h>
#include <initializer_list>

#include "base/bytes.hpp"

using namespace vnode::bench;

TEST_CASE("the short form is exact") {
  CHECK(format_bytes(0) == "0");
  CHECK(format_bytes(1000) == "1000");
  CHECK(format_bytes(1024) == "1K");
  CHECK(format_bytes(1536) == "1536");
  for (const std::size_t bytes : std::initializer_list<std::size_t>{8, 2048, 4093, 65536, 8 << 20, 3 << 28})
    CHECK(vnode::parse_bytes(format_bytes(bytes)) == bytes);
}
