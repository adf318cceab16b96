// Tests that the registry computes what its formulas say: rounds, transfers and time of every row, in every
// way to call it.
#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <string>

#include <vnode/lab/formula.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/lab/textbook.hpp>
#include <vnode/model/algorithms.hpp>

#include "building_blocks/needs.hpp"

using namespace vnode;

namespace {

// Those that compose others compute their symbols from the parts, schedule by schedule; the sweep compares
// what they promise with these, for all p.
int largest_p(const Algorithm& algorithm) { return needs(algorithm, Need::domains) ? 16 : 64; }

// Holds the formulas of a row, parsed once, and the first difference from what it computes.
class Row {
 public:
  explicit Row(const Algorithm& algorithm)
      : algorithm_(algorithm),
        rounds_(Formula::parse(algorithm.rounds)),
        transfers_(Formula::parse(algorithm.transfers.text)),
        time_(Formula::parse(algorithm.time)) {}

  std::string difference(const Parameters& way) const {
    SymbolValues values = symbol_values(algorithm_, way);
    const Cost cost = algorithm_.cost(way);
    const auto compare = [&](const char* what, double formula, double computed) {
      if (std::abs(formula - computed) <= 1e-9 * std::max(1.0, std::abs(computed))) return std::string();
      return fmt::format("{}: {} for p = {}, root {}, by formula {}, computed {}; ", algorithm_.name, what,
                         way.nodes, way.root, formula, computed);
    };
    const auto coefficient = [&](double t_s, double t_w, double t_op) {
      values.named["t_s"] = t_s;
      values.named["t_w"] = t_w;
      values.named["t_op"] = t_op;
      values.named["m"] = 1;
      return time_.value(values);
    };
    std::string text = compare("rounds", rounds_.value(values), rounds(algorithm_, way)) +
                       compare("transfers", transfers_.value(values), algorithm_.transfers.value(way)) +
                       compare("startups", coefficient(1, 0, 0), cost.startups) +
                       compare("words", coefficient(0, 1, 0), cost.words) +
                       compare("combined", coefficient(0, 0, 1), cost.combined);
    if (algorithm_.ports == Ports::single) text += compare("received", cost.received, cost.words);
    return text;
  }

 private:
  const Algorithm& algorithm_;
  Formula rounds_, transfers_, time_;
};

}  // namespace

TEST_CASE("the formulas of every row say what it computes, in every way to call it") {
  long ways = 0;
  for (const Algorithm& algorithm : algorithms()) {
    const Row row(algorithm);
    std::string wrong;
    for (int p = 1; p <= largest_p(algorithm) && wrong.empty(); ++p)
      for (const Parameters& way : every_way(algorithm, p)) {
        wrong = row.difference(way);
        ++ways;
        if (!wrong.empty()) break;
      }
    CHECK_MESSAGE(wrong.empty(), wrong);
  }
  CHECK(ways > 100000);
}

TEST_CASE("formulas stand in the registry as the pen for formulas writes them") {
  for (const Algorithm& algorithm : algorithms())
    for (const std::string_view text : {algorithm.rounds, algorithm.transfers.text, algorithm.time})
      CHECK(Formula::parse(text).text() == text);
  for (const Algorithm& algorithm : algorithms())
    if (const std::string_view best = algorithm.best_segments; !best.empty())
      CHECK(Formula::parse(best).text() == best);
}

TEST_CASE("a row explains the symbols it has of its own, and uses each") {
  for (const Algorithm& algorithm : algorithms())
    for (const Symbol& symbol : algorithm.symbols) {
      CAPTURE(algorithm.name);
      CAPTURE(symbol.name);
      CHECK_FALSE(symbol.meaning.empty());
      int uses = 0;
      for (const std::string_view text : {algorithm.rounds, algorithm.transfers.text, algorithm.time})
        for (const std::string& name : Formula::parse(text).symbols()) uses += name == symbol.name;
      CHECK(uses > 0);
    }
}
