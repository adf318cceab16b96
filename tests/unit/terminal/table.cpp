#include "terminal/table.hpp"

#include <doctest/doctest.h>

using namespace vnode;

TEST_CASE("columns are as wide as their widest cell, the first at the left") {
  CHECK(table({{"name", "us"}, {"a", "1.25"}}) == "name    us\na     1.25\n");
  CHECK(table({{"a", "bc", "d"}, {"ef", "g", "hi"}}, 2) == "a   bc   d\nef  g   hi\n");
  CHECK(table({{"a", ""}, {"b", "c"}}) == "a\nb  c\n");
  CHECK(table({}).empty());
}

TEST_CASE("columns that find no place in a line make another table below") {
  const std::vector<std::vector<std::string>> rows{{"name", "first", "second", "third"},
                                                   {"a", "1", "2", "3"}};
  CHECK(table(rows, 1, 21) == "name  first  second\na         1       2\n\nname  third\na         3\n");
  CHECK(table(rows, 2, 21) ==
        "name  first  second\na     1           2\n\nname  first  third\na     1          3\n");
  CHECK(table(rows, 1, 28) == table(rows));
  CHECK(table(rows, 1, 1) == table(rows, 1, 11));
}

TEST_CASE("texts beside a name and a number are folded below themselves") {
  CHECK(table_with_text({{"a", "10", "one two"}, {"bcd", "2", "three four five"}}, 17) ==
        "a    10   one two\nbcd   2   three\n          four\n          five\n");
}

TEST_CASE("lines are folded below their second column, or their first word") {
  CHECK(folded_lines("a  one two\n\n  three four five", 10) == "a  one two\n\n  three\n  four\n  five\n");
  CHECK(folded_lines("ab  one two three", 10) == "ab  one\n    two\n    three\n");
}

TEST_CASE("columns in which all rows agree are told once") {
  std::vector<std::vector<std::string>> rows{
      {"m", "name", "on", "us"}, {"8", "a", "ring", "1"}, {"8", "b", "ring", "1"}};
  CHECK(take_common(rows, 3) == "m 8, on ring");
  CHECK(rows == std::vector<std::vector<std::string>>{{"name", "us"}, {"a", "1"}, {"b", "1"}});
  CHECK(take_common(rows, 1).empty());
  std::vector<std::vector<std::string>> one{{"name", "m"}, {"a", "8"}};
  CHECK(take_common(one, 2).empty());
}

TEST_CASE("text is folded at blanks, and a word longer than the line stays whole") {
  CHECK(folded("one two three", 7) == "one two\nthree");
  CHECK(folded("one two three", 7, 2) == "one two\n  three");
  CHECK(folded("one", 2) == "one");
  CHECK(folded("incomprehensible words", 5) == "incomprehensible\nwords");
  CHECK(folded("", 5).empty());
}
