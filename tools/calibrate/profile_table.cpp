#include "calibrate/profile_table.hpp"

#include <array>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <utility>

namespace vnode {
namespace {

struct Column {
  std::string_view title;
  Quantity PairCosts::*quantity;
  int decimals;
};
constexpr std::array<Column, 8> columns{{{"t_s", &PairCosts::t_s, 1},
                                         {"t_w", &PairCosts::t_w, 4},
                                         {"L", &PairCosts::L, 1},
                                         {"o", &PairCosts::o, 1},
                                         {"g", &PairCosts::g, 1},
                                         {"G", &PairCosts::G, 4},
                                         {"t_op", &PairCosts::t_op, 4},
                                         {"t_put", &PairCosts::t_put, 4}}};

std::string_view mark(Origin origin) {
  switch (origin) {
    case Origin::given:
      return "g";
    case Origin::typical:
      return "t";
    case Origin::distances:
      return "d";
    case Origin::measured:
      break;
  }
  return " ";
}

/// Texts of quantities, and the origins that were seen.
struct Writer {
  std::set<Origin> origins{};

  std::string nanoseconds(const Quantity& quantity, int decimals) {
    origins.insert(quantity.origin);
    return fmt::format("{:>10.{}f}{}", quantity.value * 1e9, decimals, mark(quantity.origin));
  }
  std::string bandwidth(const std::optional<Quantity>& quantity) {
    if (!quantity) return "unknown";
    origins.insert(quantity->origin);
    std::string text = fmt::format("{:.2f} GB/s", quantity->value * 1e-9);
    if (quantity->origin != Origin::measured) text += fmt::format(" {}", mark(quantity->origin));
    return text;
  }
};

}  // namespace

std::string profile_table(const MachineProfile& profile) {
  Writer writer;
  std::string text =
      fmt::format("profile  {}\nmachine  {}\nmade     {}\n\n{:<16}", profile.name, profile.machine,
                  profile.when.empty() ? "at an unknown time" : profile.when, "nanoseconds");
  for (const Column& column : columns) text += fmt::format("{:>10} ", column.title);
  text += '\n';
  for (const PairClass one : pair_classes()) {
    const auto& costs = profile.pairs[static_cast<std::size_t>(one)];
    if (!costs) continue;
    text += fmt::format("{:<16}", name(one));
    for (const Column& column : columns)
      text += writer.nanoseconds((*costs).*column.quantity, column.decimals);
    text += '\n';
  }
  text += "(t_s, L, o, g: a message; t_w, G, t_op, t_put: a byte)\n\n";
  for (std::size_t i = 0; i < profile.banks.size(); ++i) {
    text += fmt::format("bank of NUMA node {}: {}\n", i, writer.bandwidth(profile.banks[i]));
    if (profile.links.empty()) continue;
    for (std::size_t j = 0; j < profile.banks.size(); ++j)
      if (j != i)
        text += fmt::format("  read from NUMA node {}: {}\n", j, writer.bandwidth(profile.links[j][i]));
  }
  for (const Origin origin : writer.origins)
    if (origin != Origin::measured) text += fmt::format("{}: {}\n", mark(origin), name(origin));
  return text;
}

}  // namespace vnode
