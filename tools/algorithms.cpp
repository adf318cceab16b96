#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/lab/textbook.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/shape.hpp>

#include "building_blocks/needs.hpp"
#include "commands.hpp"
#include "options/values.hpp"
#include "terminal/csv.hpp"
#include "terminal/table.hpp"
#include "terminal/width.hpp"

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

// Returns the parameters of a call that is small enough to draw.
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

// Breaks the text at blanks, so that no line is longer than a page is wide.
std::string in_rows(std::string text) {
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

std::string needs_text(const Algorithm& algorithm) {
  std::string text;
  for (const Need need : algorithm.needs) text += (text.empty() ? "" : ", ") + std::string(enums::name(need));
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

/// Names a drawing in docs/figures and the algorithm that it shows.
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
  row("rounds", code(algorithm.rounds));
  row("transfers", code(algorithm.transfers.text));
  for (const Symbol& symbol : algorithm.symbols) row(code(symbol.name), std::string(symbol.meaning));
  row("needs", needs_text(algorithm));
  row("ports", algorithm.ports == Ports::all ? "all" : "single");
  if (combines(algorithm.collective)) row("rank order", std::string(enums::name(algorithm.keeps_order)));
  if (algorithm.at_once) row("combines", "at once");
  row("load 1 on", carriers(algorithm));
  row("source", std::string(algorithm.source));
  text += fmt::format("\n```text\n{}\n```\n", in_rows(drawn(algorithm)));
  for (const Figure& figure : figures)
    if (figure.algorithm == algorithm.name)
      text += fmt::format("\n![{}](figures/{}.svg)\n", figure.caption, figure.file);
  return text;
}

using Json = nlohmann::ordered_json;

/// Returns docs/algorithms.md: the register for reading, with the drawings of docs/figures that show an
/// algorithm. Nothing else goes into it, so that a test can compare.
std::string algorithms_page() {
  std::string text = introduction;
  for (const Collective collective : collectives()) {
    text += fmt::format("\n## {}\n", enums::name(collective));
    for (const Algorithm& algorithm : algorithms())
      if (algorithm.collective == collective) text += section(algorithm);
  }
  return text;
}

std::vector<std::string_view> families(const Algorithm& algorithm) {
  std::vector<std::string_view> names;
  for (const Carrier& carrier : algorithm.carriers)
    if (std::ranges::find(names, carrier.family) == names.end()) names.push_back(carrier.family);
  return names;
}

std::vector<std::string_view> needs(const Algorithm& algorithm) {
  std::vector<std::string_view> names;
  for (const Need need : algorithm.needs) names.push_back(enums::name(need));
  return names;
}

std::string_view ports(const Algorithm& algorithm) {
  return algorithm.ports == Ports::single ? "single" : "all";
}

// Tells whether the algorithm can serve the v-variant of its collective, in which every block has a size of
// its own; nullopt for collectives where this is no question.
std::optional<bool> serves_v(const Algorithm& algorithm) {
  using enum Collective;
  static constexpr std::array asked{all_gather, scatter, gather, all_to_all};
  if (std::ranges::find(asked, algorithm.collective) == asked.end()) return std::nullopt;
  constexpr int enough = 8;
  for (int nodes = 1; nodes <= enough; ++nodes)
    for (const Parameters& way : every_way(algorithm, nodes)) {
      const Schedule schedule = algorithm.build(way);
      if (!within_shares(schedule, contract(algorithm.collective, way, schedule.blocks()))) return false;
    }
  return true;
}

using Found = std::vector<const Algorithm*>;

void print_json(const Found& rows) {
  Json list = Json::array();
  for (const Algorithm* const algorithm : rows) {
    const std::optional<bool> v = serves_v(*algorithm);
    list.push_back({{"name", algorithm->name},
                    {"collective", enums::name(algorithm->collective)},
                    {"topology", families(*algorithm)},
                    {"ports", ports(*algorithm)},
                    {"needs", needs(*algorithm)},
                    {"keeps_order", enums::name(algorithm->keeps_order)},
                    {"at_once", algorithm->at_once},
                    {"v_variant", v ? Json(*v) : Json()},
                    {"rounds", algorithm->rounds},
                    {"source", algorithm->source}});
  }
  fmt::print("{}\n", list.dump(2));
}

// Prints the fields of the JSON as CSV; lists are joined by blanks.
void print_csv(const Found& rows) {
  fmt::print("algorithm,collective,topology,ports,needs,keeps_order,at_once,v_variant,rounds,source\n");
  for (const Algorithm* const algorithm : rows) {
    const std::optional<bool> v = serves_v(*algorithm);
    fmt::print("{}",
               csv_line({std::string(algorithm->name), std::string(enums::name(algorithm->collective)),
                         fmt::format("{}", fmt::join(families(*algorithm), " ")),
                         std::string(ports(*algorithm)), fmt::format("{}", fmt::join(needs(*algorithm), " ")),
                         std::string(enums::name(algorithm->keeps_order)),
                         fmt::to_string(int{algorithm->at_once}), v ? fmt::to_string(int{*v}) : "",
                         std::string(algorithm->rounds), std::string(algorithm->source)}));
  }
}

// Returns the families on which the algorithm is free of congestion, in short: on a full topology all are.
std::string load_one(const Algorithm& algorithm) {
  std::vector<std::string_view> names = families(algorithm);
  if (names.size() == vnode::families().size()) return "everything";
  if (names.size() > 1) std::erase(names, enums::name(Family::full));
  return fmt::format("{}", fmt::join(names, " "));
}

// Prints a table for each collective: what does not apply is a dash.
void print_table(const Found& rows, std::size_t width) {
  std::vector<std::vector<std::string>> lines;
  std::string before;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Algorithm& algorithm = *rows[row];
    if (lines.empty()) lines = {{"algorithm", "ports", "order", "v", "needs", "rounds", "load 1 on"}};
    const std::optional<bool> v = serves_v(algorithm);
    lines.push_back({std::string(algorithm.name), std::string(ports(algorithm)),
                     combines(algorithm.collective) ? std::string(enums::name(algorithm.keeps_order)) : "-",
                     !v   ? "-"
                     : *v ? "yes"
                          : "no",
                     algorithm.needs.empty() ? "-" : fmt::format("{}", fmt::join(needs(algorithm), " ")),
                     std::string(algorithm.rounds), load_one(algorithm)});
    if (row + 1 < rows.size() && rows[row + 1]->collective == algorithm.collective) continue;
    fmt::print("{}{}", before, folded_lines(table(lines, lines.front().size(), width, 1), width));
    before = "\n";
    lines.clear();
  }
}

void print_text(const Found& rows, bool with_sources) {
  print_table(rows, terminal_width());
  if (!with_sources) {
    fmt::print("\nWith --collective C also what each is best for, and its source.\n");
    return;
  }
  for (const Algorithm* const algorithm : rows)
    fmt::print("\n{}\n  best for  {}\n  source    {}\n", algorithm->name, algorithm->best_for,
               algorithm->source);
}

enum class ListFormat { text, json, csv, markdown };

struct AlgorithmsOptions {
  std::optional<std::string> collective;
  ListFormat format = ListFormat::text;
};

void list(const AlgorithmsOptions& options) {
  if (options.format == ListFormat::markdown) {
    if (options.collective)
      throw UsageError("--format markdown is of all algorithms: leave --collective out");
    fmt::print("{}", algorithms_page());
    return;
  }
  const std::vector<Collective> only = parse_collectives(options.collective.value_or(""));
  Found rows;
  for (const Algorithm& algorithm : algorithms())
    if (only.empty() || std::ranges::count(only, algorithm.collective) > 0) rows.push_back(&algorithm);
  if (options.format == ListFormat::json)
    print_json(rows);
  else if (options.format == ListFormat::csv)
    print_csv(rows);
  else
    print_text(rows, only.size() == 1);
}

}  // namespace

void add_algorithms(const Command& program) {
  const auto options = std::make_shared<AlgorithmsOptions>();
  const Command command =
      program.command("algorithms", "List the algorithms there are and what they promise");
  command.option("--collective", into(options->collective), "only algorithms of these").type_name("C,...");
  command.group("Output").choice("--format",
                                 {{"text", ListFormat::text},
                                  {"json", ListFormat::json},
                                  {"csv", ListFormat::csv},
                                  {"markdown", ListFormat::markdown}},
                                 options->format, "what to write");
  command.examples({{"vnode algorithms --collective all_reduce", "those of one operation"}});
  command.run([options] { list(*options); });
}

}  // namespace vnode
