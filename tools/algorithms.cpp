#include "algorithms.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/collective.hpp>

#include "format.hpp"

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

void print_json() {
  Json list = Json::array();
  for (const Algorithm& algorithm : algorithms())
    list.push_back({{"name", algorithm.name},
                    {"collective", name(algorithm.collective)},
                    {"topology", families(algorithm)},
                    {"ports", ports(algorithm)},
                    {"needs", needs(algorithm)},
                    {"keeps_order", name(algorithm.keeps_order)},
                    {"rounds", algorithm.rounds.text},
                    {"source", algorithm.source}});
  fmt::print("{}\n", list.dump(2));
}

using Row = std::array<std::string, 6>;

Row row(const Algorithm& algorithm) {
  return {std::string(algorithm.name),
          std::string(algorithm.rounds.text),
          algorithm.needs.empty() ? "nothing" : fmt::format("{}", fmt::join(needs(algorithm), " ")),
          std::string(ports(algorithm)),
          std::string(name(algorithm.keeps_order)),
          fmt::format("{}", fmt::join(families(algorithm), " "))};
}

void print_table(const std::vector<Row>& rows) {
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size() + 2);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) fmt::print("{:<{}}", row[i], widths[i]);
    fmt::print("\n");
  }
}

void print_text() {
  std::vector<Row> rows{{"algorithm", "rounds", "needs", "ports", "rank order", "load 1 on"}};
  for (const Algorithm& algorithm : algorithms()) rows.push_back(row(algorithm));
  print_table(rows);
  for (const Algorithm& algorithm : algorithms())
    fmt::print("\n{}\n  best for  {}\n  source    {}\n", algorithm.name, algorithm.best_for,
               algorithm.source);
}

}  // namespace

void add_algorithms(CLI::App& app) {
  const auto format = std::make_shared<Format>(Format::text);
  CLI::App* const command =
      app.add_subcommand("algorithms", "List the algorithms there are and what they promise");
  add_format(*command, *format);
  command->callback([format] { *format == Format::json ? print_json() : print_text(); });
}

}  // namespace vnode
