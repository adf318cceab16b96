#include "algorithms/algorithms_page.hpp"

#include <array>
#include <fmt/format.h>
#include <utility>

#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/textbook.hpp>

#include "collective/needs.hpp"

namespace vnode {
namespace {

constexpr const char* introduction = R"(# Algorithms

Written by `vnode algorithms --format markdown`; do not edit.

**time** is the textbook's T for a message of m bytes: t_s starts a message, t_w moves a byte, t_op combines one; all ports
of a node work at the same time. p is the number of nodes, k the segments of a message or the radix of a tree, q a circular
shift mod p, `sum(...)` goes over the extents of a mesh, and a condition in square brackets is 1 where it holds and 0 where
it does not. **rounds** and **transfers** are those of the schedule. Rounds are drawn as `vnode show` writes them: `0>4` is
a message from node 0 to node 4, `0+>4` and `0>+4` are combined there, before or after what 4 has, and blocks are in square
brackets where they are not all. What m is for each collective, and all other words, are in the glossary.
)";

// A call that is small enough to draw.
Parameters small(const Algorithm& algorithm, int nodes) {
  Parameters parameters{.nodes = nodes};
  if (needs(algorithm, Need::extents))
    parameters.extents = nodes % 3 == 0 ? std::vector{nodes / 3, 3} : std::vector{nodes / 2, 2};
  if (needs(algorithm, Need::domains))
    parameters.hierarchy = Hierarchy::parse(fmt::format("2x{}", nodes / 2), nodes / 2 * 2);
  if (algorithm.collective == Collective::circular_shift) parameters.shift = nodes / 2;
  if (algorithm.segments) parameters.segments = 2;
  if (algorithm.radix) parameters.radix = 3;
  return parameters;
}

std::string drawn(const Algorithm& algorithm) {
  constexpr std::size_t enough = 420;
  std::string text;
  for (const int nodes : {9, 8, 6, 4}) {
    const Parameters parameters = small(algorithm, nodes);
    if (why_not(algorithm, parameters) || (nodes == 9 && !algorithm.radix)) continue;
    text = fmt::format("p = {}", nodes);
    if (!parameters.extents.empty()) text = fmt::format("p = {}", fmt::join(parameters.extents, "x"));
    if (parameters.hierarchy) text += fmt::format(", domains {}", parameters.hierarchy.text());
    if (has_root(algorithm.collective)) text += ", root 0";
    if (parameters.shift != 0) text += fmt::format(", shift {}", parameters.shift);
    if (algorithm.segments) text += fmt::format(", segments {}", parameters.segments);
    if (algorithm.radix) text += fmt::format(", radix {}", parameters.radix);
    const std::string rounds = picture(algorithm.build(parameters));
    text += ": " + rounds;
    if (rounds.size() <= enough) break;
  }
  return text;
}

// At blanks, so that no line is longer than a page is wide.
std::string folded(std::string text) {
  constexpr std::size_t width = 110;
  for (std::size_t begin = 0; text.size() - begin > width;) {
    const std::size_t blank = text.rfind(' ', begin + width);
    if (blank == std::string::npos || blank <= begin) break;
    text[blank] = '\n';
    begin = blank + 1;
  }
  return text;
}

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

std::string needs(const Algorithm& algorithm) {
  std::string text;
  for (const Need need : algorithm.needs) text += (text.empty() ? "" : ", ") + std::string(name(need));
  return text.empty() ? "nothing" : text;
}

std::string carriers(const Algorithm& algorithm) {
  std::string text;
  for (const Carrier& carrier : algorithm.carriers) {
    text += (text.empty() ? "" : ", ") + std::string(carrier.family);
    if (!carrier.routing.empty()) text += fmt::format(" by {}", carrier.routing);
  }
  return text.empty() ? "none" : text;
}

/// A drawing in docs/figures and the algorithm that it shows.
struct Figure {
  std::string_view algorithm, file, caption;
};
constexpr std::array<Figure, 6> figures{{
    {"broadcast_doubling", "figure_4_2", "on a ring of 8 nodes"},
    {"broadcast_mesh", "figure_4_5", "on a mesh of 4 x 4 nodes"},
    {"broadcast_hypercube", "figure_4_6", "on a hypercube of 8 nodes"},
    {"broadcast_tree", "figure_4_7", "on a balanced binary tree of 8 nodes"},
    {"broadcast_low_bit_first", "naive_conflict", "on a mesh of 4 x 4 nodes: two messages on one link"},
    {"reduce_doubling", "figure_4_3", "on a ring of 8 nodes"},
}};

std::string section(const Algorithm& algorithm) {
  std::string text =
      fmt::format("\n### {}\n\nBest for {}.\n\n| | |\n|---|---|\n", algorithm.name, algorithm.best_for);
  const auto row = [&](std::string_view key, const std::string& value) {
    text += fmt::format("| {} | {} |\n", key, value);
  };
  row("time", code(algorithm.time));
  if (const auto best = optimum_formula(algorithm, small(algorithm, 8))) row("best k", code(best->text()));
  row("rounds", code(algorithm.rounds.text));
  row("transfers", code(algorithm.transfers.text));
  for (const Symbol& symbol : algorithm.symbols) row(code(symbol.name), std::string(symbol.meaning));
  row("needs", needs(algorithm));
  row("ports", algorithm.ports == Ports::all ? "all" : "single");
  if (combines(algorithm.collective)) row("rank order", std::string(name(algorithm.keeps_order)));
  row("load 1 on", carriers(algorithm));
  row("source", std::string(algorithm.source));
  text += fmt::format("\n```text\n{}\n```\n", folded(drawn(algorithm)));
  for (const Figure& figure : figures)
    if (figure.algorithm == algorithm.name)
      text += fmt::format("\n![{}](figures/{}.svg)\n", figure.caption, figure.file);
  return text;
}

}  // namespace

std::string algorithms_page() {
  std::string text = introduction;
  for (const Collective collective : collectives()) {
    text += fmt::format("\n## {}\n", name(collective));
    for (const Algorithm& algorithm : algorithms())
      if (algorithm.collective == collective) text += section(algorithm);
  }
  return text;
}

}  // namespace vnode
