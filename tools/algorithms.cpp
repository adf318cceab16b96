#include "algorithms.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
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

void print_row(std::string_view name, std::string_view rounds, std::string_view needs, std::string_view ports,
               std::string_view order, std::string_view families) {
  fmt::print("{:<25} {:<30} {:<13} {:<7} {:<15} {}\n", name, rounds, needs, ports, order, families);
}

void print_text() {
  print_row("algorithm", "rounds", "needs", "ports", "rank order", "load 1 on");
  for (const Collective collective : collectives()) {
    fmt::print("\n");
    for (const Algorithm& algorithm : algorithms())
      if (algorithm.collective == collective)
        print_row(algorithm.name, algorithm.rounds.text, fmt::format("{}", fmt::join(needs(algorithm), ", ")),
                  ports(algorithm), name(algorithm.keeps_order),
                  fmt::format("{}", fmt::join(families(algorithm), " ")));
  }
  fmt::print("\n");
  for (const Algorithm& algorithm : algorithms())
    fmt::print("{}: {}\n{:>4}{}\n", algorithm.name, algorithm.best_for, "", algorithm.source);
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
