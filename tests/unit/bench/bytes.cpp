#include "report/bytes.hpp"

#include <doctest/doctest.h>
#include <initializer_list>

#include <vnode/error.hpp>

using namespace vnode::bench;

TEST_CASE("K, M and G are powers of 1024") {
  CHECK(parse_bytes("8", "--min-bytes") == 8);
  CHECK(parse_bytes("64K", "--min-bytes") == 65536);
  CHECK(parse_bytes("8M", "--min-bytes") == std::size_t{8} << 20);
  CHECK(parse_bytes("3G", "--min-bytes") == std::size_t{3} << 30);
}

TEST_CASE("a number of bytes that is none is refused by the option's name") {
  for (const char* text :
       {"", "K", "8k", "8KB", "-8", "8 ", " 8", "1.5K", "0x10", "99999999999999999999", "17179869185G"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse_bytes(text, "--max-bytes"), doctest::Contains("--max-bytes"),
                         vnode::UsageError);
  }
}

TEST_CASE("the short form is exact") {
  CHECK(format_bytes(0) == "0");
  CHECK(format_bytes(1000) == "1000");
  CHECK(format_bytes(1024) == "1K");
  CHECK(format_bytes(1536) == "1536");
  for (const std::size_t bytes : std::initializer_list<std::size_t>{8, 2048, 4093, 65536, 8 << 20, 3 << 28})
    CHECK(parse_bytes(format_bytes(bytes), "") == bytes);
}
