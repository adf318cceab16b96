#include "base/bytes.hpp"

#include <doctest/doctest.h>
#include <initializer_list>
#include <string>

using vnode::bytes_text;
using vnode::parse_bytes;

TEST_CASE("K, M and G are powers of 1024") {
  CHECK(parse_bytes("8") == 8);
  CHECK(parse_bytes("64K") == 65536);
  CHECK(parse_bytes("8M") == std::size_t{8} << 20);
  CHECK(parse_bytes("3G") == std::size_t{3} << 30);
  CHECK(parse_bytes("17179869183G") == std::size_t{17179869183} << 30);
}

TEST_CASE("a number of bytes is read in the forms in which people write it") {
  for (const std::string text : {"64K", "64k", "64Ki", "64KiB", "64kib", "65536", "65536B"})
    CHECK(parse_bytes(text) == 65536);
  CHECK(parse_bytes("1MiB") == 1 << 20);
  CHECK(parse_bytes("1MB") == 1'000'000);
  CHECK(parse_bytes("8kB") == 8000);
  CHECK(parse_bytes("1e6") == 1'000'000);
  CHECK(parse_bytes("25E3") == 25'000);
  CHECK(parse_bytes("1T") == std::size_t{1} << 40);
}

TEST_CASE("a number of bytes that is none is refused, by the option's name if there is one") {
  for (const std::string text :
       {"", "K", "8x", "8Kb8", "8KK", "8iB", "-8", "8 ", " 8", "1.5K", "0x10", "1e", "1e-3", "1e3K", "e6",
        "2e19", "1e99999999999", "99999999999999999999", "17179869184G"}) {
    CAPTURE(text);
    const std::string sentence = "'" + text + "' is not a number of bytes such as 65536, 64K or 1M";
    CHECK_THROWS_WITH_AS(parse_bytes(text), sentence.c_str(), vnode::UsageError);
    CHECK_THROWS_WITH_AS(parse_bytes(text, "--max-bytes"), ("--max-bytes " + sentence).c_str(),
                         vnode::UsageError);
  }
}

TEST_CASE("the text of a number of bytes is the shortest that is exact") {
  CHECK(bytes_text(0) == "0");
  CHECK(bytes_text(1000) == "1000");
  CHECK(bytes_text(1024) == "1K");
  CHECK(bytes_text(1536) == "1536");
  for (const std::size_t bytes : std::initializer_list<std::size_t>{8, 2048, 4093, 65536, 8 << 20, 3 << 28})
    CHECK(parse_bytes(bytes_text(bytes)) == bytes);
}
