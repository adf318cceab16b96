#include "statistics/statistics.hpp"
#include "targets/target.hpp"

namespace vnode::bench {

void beside_by_hand(Team& team, Question& question, const Effort& effort, const std::string& what,
                    const std::string& target, double factor, Verdicts& verdicts) {
  const Timings outcome = measure(team, question, effort);
  const double by_hand = median(outcome.series.back().medians());
  for (std::size_t i = 0; i + 1 < outcome.series.size(); ++i)
    verdicts.push_back({.what = question.contestants[i].by + what,
                        .target = target,
                        .measured = median(outcome.series[i].medians()),
                        .against = by_hand,
                        .bound = factor * by_hand});
}

}  // namespace vnode::bench
