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
