#include "guidelines/best_algorithm.hpp"

#include "command_line/rows.hpp"
#include "command_line/selection.hpp"

namespace vnode::bench {

AutoBeside auto_beside_best(Team& team, const Options& options, const Operation& operation, std::size_t bytes,
                            bool core_each) {
  Setting setting{.nodes = team.size(), .bytes = bytes, .seed = options.seed, .limits = false};
  for (std::string& name :
       select(operation, "all", team.topology(), {setting.root}, setting.shift, options.deterministic)
           .algorithms)
    setting.algorithms.push_back(std::move(name));
  Question question = operation.ask(setting);
  Effort effort = options.effort;
  effort.core_each = core_each;
  const Outcome outcome = measure(team, question, effort);
  std::size_t best = 1;
  const auto time = [&](std::size_t i) { return median(outcome.series[i].all()); };
  for (std::size_t i = 2; i < outcome.series.size(); ++i)
    if (time(i) < time(best)) best = i;
  return {.chosen = question.contestants[0].algorithm,
          .best = question.contestants[best].algorithm,
          .chosen_us = time(0),
          .best_us = time(best),
          .ratio = ratio(outcome.series[0].medians(), outcome.series[best].medians()).value_or(0)};
}

std::vector<std::size_t> sizes_of(const Options& options, const Operation& operation) {
  return operation.sized ? options.sizes(Arithmetic::f64) : std::vector<std::size_t>{0};
}

}  // namespace vnode::bench
