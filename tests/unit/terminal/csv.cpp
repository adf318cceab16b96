#include "terminal/csv.hpp"

#include <doctest/doctest.h>

using namespace vnode;

TEST_CASE("a field of CSV is quoted where a reader would misunderstand it, and nowhere else") {
  CHECK(csv_field("plain text") == "plain text");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("a \"b\"") == "\"a \"\"b\"\"\"");
  CHECK(csv_field("a\nb") == "\"a\nb\"");
  CHECK(csv_line({"a", "", "b,c"}) == "a,,\"b,c\"\n");
}

TEST_CASE("numbers of CSV have one unit, and no more digits than they are known in") {
  CHECK(csv_number(99990000) == "99990000");
  CHECK(csv_number(0.25) == "0.25");
  CHECK(csv_microseconds(1.5e-9) == "0.0015");
  CHECK(csv_microseconds(2.0) == "2e+06");
  CHECK(csv_microseconds(1.23456789e-6) == "1.23457");
  CHECK(csv_microseconds(std::nullopt).empty());
}
