#include <doctest/doctest.h>
#include <random>
#include <string>

#include <vnode/error.hpp>
#include <vnode/lab/formula.hpp>

using namespace vnode;

namespace {

double value(const std::string& text, const SymbolValues& values = {}) {
  return Formula::parse(text).value(values);
}

std::string refusal(const std::string& text) {
  try {
    Formula::parse(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("factors side by side are multiplied, and what binds tighter comes first") {
  CHECK(value("2 3 + 4") == 10);
  CHECK(value("2 (3 + 4)") == 14);
  CHECK(value("12 / 2 / 3") == 2);
  CHECK(value("2 3^2") == 18);
  CHECK(value("2^3^2") == 512);
  CHECK(value("-2 + 5 - 1") == 2);
  CHECK(value("7 - (2 - 1)") == 6);
  CHECK(value("2 p / 4", {{{"p", 6}}}) == 3);
}

TEST_CASE("a pipeline's time is what the book says") {
  const Formula time = Formula::parse("(p - 2 + k) (t_s + t_w m / k)");
  CHECK(time.value({{{"p", 8}, {"k", 4}, {"t_s", 10}, {"t_w", 2}, {"m", 100}}}) == 600);
  CHECK(time.symbols() == std::vector<std::string>{"k", "m", "p", "t_s", "t_w"});
}

TEST_CASE("functions have their values, log2 also without parentheses") {
  const SymbolValues six{{{"p", 6}}};
  CHECK(value("ceil(log2 p)", six) == 3);
  CHECK(value("floor(log2(p))", six) == 2);
  CHECK(value("min(p, 4) + max(1, p, 9)", six) == 13);
  CHECK(value("abs(2 - p) + sqrt(p + 3)", six) == 7);
  CHECK(value("mod(p, 4) + mod(0 - 1, p)", six) == 7);
  CHECK(value("log2 8 + 1") == 4);
}

TEST_CASE("sums go over the extents of a mesh") {
  CHECK(value("sum(ceil(log2 extent))", {{}, {3, 4}}) == 4);
  CHECK(value("2 sum(extent - 1)", {{}, {3, 4, 5}}) == 18);
  CHECK(value("sum(extent)", {}) == 0);
}

TEST_CASE("a condition is 1 or 0, and 0 wins over what has no value") {
  CHECK(value("[3 > 2] + [2 >= 2] + [1 < 0] + [1 <= 1] + [1 = 1] + [1 != 1]") == 4);
  CHECK(value("[p > 1] m / log2 p", {{{"p", 1}, {"m", 3}}}) == 0);
  CHECK(value("(m / log2 p) [p > 1]", {{{"p", 1}, {"m", 3}}}) == 0);
}

TEST_CASE("where defines names, each by those before it, and over what is given") {
  const Formula formula = Formula::parse("log2 q + 2 [p != q] + e, where q = 2^floor(log2 p), e = p - q");
  CHECK(formula.value({{{"p", 6}, {"q", 1000}}}) == 6);
  CHECK(formula.symbols() == std::vector<std::string>{"p"});
  CHECK(Formula::parse("q, where q = q + 1").symbols() == std::vector<std::string>{"q"});
}

TEST_CASE("the text is normalised, and means the same") {
  const auto text = [](const std::string& written) { return Formula::parse(written).text(); };
  CHECK(text("( p-2+k )( t_s+(t_w m)/k )") == "(p - 2 + k) (t_s + t_w m / k)");
  CHECK(text("log2(p)") == "log2 p");
  CHECK(text("log2(p) m") == "log2(p) m");
  CHECK(text("(log2 p)^2") == "(log2 p)^2");
  CHECK(text("2^(ceil(log2 p))") == "2^ceil(log2 p)");
  CHECK(text("(a/b) c") == "(a / b) c");
  CHECK(text("a/(b c)") == "a / (b c)");
  CHECK(text("a-(b-c)") == "a - (b - c)");
  CHECK(text("(-a) b") == "(-a) b");
  CHECK(text("-(a b)") == "-a b");
  CHECK(text("(a^b)^c") == "(a^b)^c");
  CHECK(text("[p>1]x,where x=[p=2]") == "[p > 1] x, where x = [p = 2]");
}

TEST_CASE("TeX gets rounded brackets, fractions and indices") {
  const auto latex = [](const std::string& written) { return Formula::parse(written).latex(); };
  CHECK(latex("t_s ceil(log2 p)") == "t_{s} \\, \\lceil \\log_2 p \\rceil");
  CHECK(latex("t_op m (p - 1) / p") == "\\frac{t_{\\mathrm{op}} \\, m \\, \\left( p - 1 \\right)}{p}");
  CHECK(latex("2^floor(log2 p) [p != q]") == "2^{\\lfloor \\log_2 p \\rfloor} \\, [p \\ne q]");
  CHECK(latex("sum(extent - 1)") == "\\sum_{\\mathrm{extent}} \\left( \\mathrm{extent} - 1 \\right)");
  CHECK(latex("2 3") == "2 \\cdot 3");
  CHECK(latex("q, where q = sqrt(p)") == "q, \\quad \\text{where } q = \\sqrt{p}");
  CHECK(latex("min(a, mod(b, 2))") == "\\min\\left( a, \\left( b \\bmod 2 \\right) \\right)");
}

TEST_CASE("what is wrong is said with its column") {
  CHECK(refusal("(p - 2") == "column 7: expected \")\", not the end");
  CHECK(refusal("") == "column 1: expected a number, a name or \"(\", not the end");
  CHECK(refusal("p * 2") == "column 3: \"*\" is not expected here");
  CHECK(refusal("a / b c") == "column 7: this may be read in two ways: write (a / b) c or a / (b c)");
  CHECK(refusal("log2 p^2") == "column 7: this may be read in two ways: write (log2 p)^2 or log2(p^2)");
  CHECK(refusal("extent - 1") == "column 1: extent has a meaning in sum(...) only");
  CHECK(refusal("sum(sum(extent))") == "column 8: a sum cannot contain a sum");
  CHECK(refusal("min(1)") == "column 4: min has 2 to 16 arguments, not 1");
  CHECK(refusal("ceil p") == "column 6: expected \"(\" after ceil, not \"p\"");
  CHECK(refusal("p [p]") == "column 5: expected a comparison, < <= > >= = or !=, not \"]\"");
  CHECK(refusal("p, q = 2") == "column 4: expected \"where\"");
  CHECK(refusal("p where q = 2") == "column 3: a comma is missing before \"where\"");
  CHECK(refusal("q, where q = 2, q = 3") == "column 17: q has a meaning already");
  CHECK(refusal("1.2.3") == "column 1: 1.2.3 is not a number of at most 15 digits");
  CHECK(refusal("p\x01") == "column 2: a character that no formula has is not expected here");
  CHECK_THROWS_WITH_AS(value("D + 1"), "D has no value in this formula", UsageError);
  CHECK_THROWS_WITH_AS(value("1 / 0"), "1 / 0 has no finite value here", UsageError);
}

TEST_CASE("deep and long texts are refused, and nothing grows out of hand") {
  CHECK(refusal(std::string(1000, '(')).find("more than 100 levels") != std::string::npos);
  CHECK(refusal("2" + std::string(2000, '^')).starts_with("column 3: expected a number"));
  std::string tower = "2";
  for (int i = 0; i < 200; ++i) tower += "^2";
  CHECK(refusal(tower).find("more than 100 levels") != std::string::npos);
  CHECK(refusal(std::string(5000, '1')) == "a formula of 5000 characters is too long: 4096 are the most");
  std::string nested = "p";
  for (int i = 0; i < 40; ++i) nested = "[" + nested + " > 0] 2";
  CHECK(value(nested, {{{"p", 1}}}) == 2);
  std::string divided = "p";
  for (int i = 0; i < 1000; ++i) divided += "/1";
  CHECK(value(divided, {{{"p", 5}}}) == 5);
}

TEST_CASE("any text is a formula or is refused, and what a formula is written as is the same formula") {
  const char* const words[] = {"p",
                               "k",
                               "t_s",
                               "2",
                               "17",
                               "+",
                               "-",
                               "/",
                               "^",
                               "(",
                               ")",
                               "[",
                               "]",
                               "<",
                               "!=",
                               ",",
                               " ",
                               "=",
                               ".",
                               "$",
                               "q",
                               "m",
                               "(",
                               ")",
                               "log2",
                               "ceil(",
                               "sum(",
                               "extent",
                               "min(",
                               " where q = ",
                               ", where q = p",
                               "mod("};
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> word(0, std::size(words) - 1), length(1, 12);
  int formulas = 0;
  for (int i = 0; i < 60000; ++i) {
    std::string written;
    for (std::size_t left = length(random); left > 0; --left) written.append(words[word(random)]).append(" ");
    try {
      const Formula formula = Formula::parse(written);
      ++formulas;
      const std::string text = formula.text();
      CAPTURE(written);
      REQUIRE(Formula::parse(text).text() == text);
      CHECK_FALSE(formula.latex().empty());
      SymbolValues values{{}, {2, 3}};
      for (const std::string& symbol : formula.symbols()) values.named[symbol] = 3;
      CHECK(Formula::parse(text).value(values) == doctest::Approx(formula.value(values)));
    } catch (const UsageError&) {
    }
  }
  CHECK(formulas > 1000);
}
