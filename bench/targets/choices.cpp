#include <algorithm>
#include <fmt/format.h>

#include "command_line/team.hpp"
#include "guidelines/best_algorithm.hpp"
#include "report/with_bytes.hpp"
#include "targets/target.hpp"

namespace vnode::bench {
namespace {

constexpr double promised = 1.1;

Verdict verdict(const Operation& operation, std::size_t bytes, const AutoBeside& both) {
  return {.what = fmt::format("auto {}, {}", with_bytes(operation.name, bytes), both.chosen),
          .target = fmt::format("{} {}", promised, both.best),
          .line_ns = {},
          .measured = both.ratio * both.best_us,
          .against = both.best_us,
          .bound = promised * both.best_us};
}

}  // namespace

Verdicts choices_between_two_cores(const Options& options) {
  const auto team = team_of(options, 2);
  Options by_four = options;
  by_four.factor = 4;
  Verdicts verdicts;
  for (const Collective collective : collectives()) {
    const Operation& chosen = operation(name(collective));
    Verdicts of_sizes;
    for (const std::size_t bytes : sizes_of(by_four, chosen))
      of_sizes.push_back(verdict(chosen, bytes, auto_beside_best(*team, options, chosen, bytes, true)));
    const auto excess = [](const Verdict& one) { return one.measured / one.bound; };
    const auto worst = std::ranges::max_element(of_sizes, {}, excess);
    for (auto each = of_sizes.begin(); each != of_sizes.end(); ++each)
      if (each == worst || !each->met()) verdicts.push_back(*each);
  }
  return verdicts;
}

}  // namespace vnode::bench
