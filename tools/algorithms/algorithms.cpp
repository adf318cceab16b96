#include "algorithms/algorithms.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/contract.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/shape.hpp>

#include "algorithms/algorithms_page.hpp"
#include "options/choice.hpp"
#include "terminal/csv.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string_view> families(const Algorithm& algorithm) {
  std::vector<std::string_view> names;
  for (const Carrier& carrier : algorithm.carriers)
    if (std::ranges::find(names, carrier.family) == names.end()) names.push_back(carrier.family);
  return names;
}

std::vector<std::string_view> needs(const Algorithm& algorithm) {
  std::vector<std::string_view> names;
  for (const Need need : algorithm.needs) names.push_back(name(need));
  return names;
}

std::string_view ports(const Algorithm& algorithm) {
  return algorithm.ports == Ports::single ? "single" : "all";
}

// Whether it can serve the v-variant of its collective, in which every block has a size of its own; nullopt
// where that is no question, because all nodes know all sizes.
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

using Rows = std::vector<const Algorithm*>;

void print_json(const Rows& rows) {
  Json list = Json::array();
  for (const Algorithm* const algorithm : rows) {
    const std::optional<bool> v = serves_v(*algorithm);
    list.push_back({{"name", algorithm->name},
                    {"collective", name(algorithm->collective)},
                    {"topology", families(*algorithm)},
                    {"ports", ports(*algorithm)},
                    {"needs", needs(*algorithm)},
                    {"keeps_order", name(algorithm->keeps_order)},
                    {"v_variant", v ? Json(*v) : Json()},
                    {"rounds", algorithm->rounds.text},
                    {"source", algorithm->source}});
  }
  fmt::print("{}\n", list.dump(2));
}

// The fields of the JSON; lists are joined by blanks.
void print_csv(const Rows& rows) {
  fmt::print("algorithm,collective,topology,ports,needs,keeps_order,v_variant,rounds,source\n");
  for (const Algorithm* const algorithm : rows) {
    const std::optional<bool> v = serves_v(*algorithm);
    fmt::print("{}",
               csv_line({std::string(algorithm->name), std::string(name(algorithm->collective)),
                         fmt::format("{}", fmt::join(families(*algorithm), " ")),
                         std::string(ports(*algorithm)), fmt::format("{}", fmt::join(needs(*algorithm), " ")),
                         std::string(name(algorithm->keeps_order)), v ? fmt::to_string(int{*v}) : "",
                         std::string(algorithm->rounds.text), std::string(algorithm->source)}));
  }
}

// The families where it is free of congestion, in short: on a full topology all are.
std::string load_one(const Algorithm& algorithm) {
  std::vector<std::string_view> names = families(algorithm);
  if (names.size() == vnode::families().size()) return "everything";
  if (names.size() > 1) std::erase(names, name(Family::full));
  return fmt::format("{}", fmt::join(names, " "));
}

using Cells = std::array<std::string, 7>;

// What cannot be otherwise is a dash.
Cells cells(const Algorithm& algorithm) {
  const std::optional<bool> v = serves_v(algorithm);
  return {std::string(algorithm.name),
          algorithm.needs.empty() ? "-" : fmt::format("{}", fmt::join(needs(algorithm), " ")),
          std::string(ports(algorithm)),
          combines(algorithm.collective) ? std::string(name(algorithm.keeps_order)) : "-",
          !v   ? "-"
          : *v ? "yes"
               : "no",
          load_one(algorithm),
          std::string(algorithm.rounds.text)};
}

void print_table(const Rows& rows) {
  std::vector<Cells> table{{"algorithm", "needs", "ports", "rank order", "v", "load 1 on", "rounds"}};
  for (const Algorithm* const algorithm : rows) table.push_back(cells(*algorithm));
  std::array<std::size_t, std::tuple_size_v<Cells>> widths{};
  for (const Cells& cells : table)
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size() + 2);
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (row > 0 && (row == 1 || rows[row - 1]->collective != rows[row - 2]->collective)) fmt::print("\n");
    for (std::size_t i = 0; i < widths.size(); ++i) fmt::print("{:<{}}", table[row][i], widths[i]);
    fmt::print("\n");
  }
}

void print_text(const Rows& rows, bool with_sources) {
  print_table(rows);
  if (!with_sources) {
    fmt::print("\nWith --collective C also what each is best for, and its source.\n");
    return;
  }
  for (const Algorithm* const algorithm : rows)
    fmt::print("\n{}\n  best for  {}\n  source    {}\n", algorithm->name, algorithm->best_for,
               algorithm->source);
}

enum class ListFormat { text, json, csv, markdown };

struct Options {
  std::optional<std::string> collective;
  ListFormat format = ListFormat::text;
};

void list(const Options& options) {
  if (options.format == ListFormat::markdown) {
    if (options.collective)
      throw UsageError("--format markdown is of all algorithms: leave --collective away");
    fmt::print("{}", algorithms_page());
    return;
  }
  std::optional<Collective> only;
  if (options.collective) only = parse_collective(*options.collective);
  Rows rows;
  for (const Algorithm& algorithm : algorithms())
    if (!only || algorithm.collective == *only) rows.push_back(&algorithm);
  if (options.format == ListFormat::json)
    print_json(rows);
  else if (options.format == ListFormat::csv)
    print_csv(rows);
  else
    print_text(rows, only.has_value());
}

}  // namespace

void add_algorithms(Command app) {
  const auto options = std::make_shared<Options>();
  const Command command = app.command("algorithms", "List the algorithms there are and what they promise");
  command.option("--collective", options->collective, "only algorithms of this one").type_name("C");
  add_choice(command, "--format",
             {{"text", ListFormat::text},
              {"json", ListFormat::json},
              {"csv", ListFormat::csv},
              {"markdown", ListFormat::markdown}},
             options->format, "what to write");
  command.run([options] { list(*options); });
}

}  // namespace vnode
