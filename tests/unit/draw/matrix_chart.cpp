#include <doctest/doctest.h>
#include <string>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>

using namespace vnode;

namespace {

MatrixChart chart(int rows) {
  MatrixChart made{.title = "Ways", .unit = "ns"};
  made.panels.emplace_back();
  for (int a = 0; a < rows; ++a) {
    made.labels.push_back(std::to_string(a));
    auto& row = made.panels.front().values.emplace_back();
    for (int b = 0; b < rows; ++b) row.push_back(a == b ? 0 : a / 2 == b / 2 ? 10 : 640);
  }
  return made;
}

std::size_t count(const std::string& text, const std::string& piece) {
  std::size_t number = 0;
  for (std::size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + 1)) ++number;
  return number;
}

}  // namespace

TEST_CASE("a small matrix has its numbers in the terminal, and unknown ones are told") {
  CHECK(to_text(chart(4)) ==
        "Ways\n"
        "    0   1   2   3\n"
        "0   -  10 640 640\n"
        "1  10   - 640 640\n"
        "2 640 640   -  10\n"
        "3 640 640  10   -\n"
        "(ns)\n");
}

TEST_CASE("a larger one has a letter for each cell, in steps of the logarithm, and leaves rows out") {
  const std::string text = to_text(chart(40));
  CHECK(text.find("\n 0  .######") != std::string::npos);
  CHECK(text.find("\n. 10 to 20 ns\n") != std::string::npos);
  CHECK(text.find("# 320 to 640 ns\n") != std::string::npos);
  const std::string every_second = to_text(chart(100), 60);
  CHECK(every_second.find("(one of 2 rows and columns)\n") != std::string::npos);
  for (std::size_t begin = 0; begin < every_second.size();) {
    const std::size_t end = every_second.find('\n', begin);
    CHECK(end - begin <= 60);
    begin = end + 1;
  }
}

TEST_CASE("as a picture every known cell has a colour, and the legend says what it means") {
  const std::string svg = to_svg(chart(20));
  CHECK(svg.starts_with("<svg "));
  CHECK(count(svg, "<rect ") >= 380);
  for (const char* words : {">Ways<", ">10 to 20 ns<", ">320 to 640 ns<"})
    CHECK_MESSAGE(svg.find(words) != std::string::npos, words);
}

TEST_CASE("what is no matrix is refused") {
  MatrixChart ragged = chart(3);
  ragged.panels.front().values[1].pop_back();
  CHECK_THROWS_WITH_AS(to_svg(ragged), "a matrix of 3 columns has a row with 2 values", UsageError);
  MatrixChart unlabelled = chart(3);
  unlabelled.labels.pop_back();
  CHECK_THROWS_WITH_AS(to_svg(unlabelled), "a matrix has 3 rows and labels for 2", UsageError);
  CHECK_THROWS_AS(to_svg(chart(0)), UsageError);
  CHECK_THROWS_AS(to_text(MatrixChart{.labels = {"one"}}), UsageError);
  CHECK_THROWS_WITH_AS(to_text(chart(1)), doctest::Contains("without a known value"), UsageError);
}
