#include "guidelines/consistency.hpp"

#include "collectives/contestants.hpp"
#include "collectives/question.hpp"
#include "command_line/rows.hpp"

namespace vnode::bench {
namespace {

Contestant by_hand(const SharedTask& task, void (*way)(Node&, const Task&)) {
  return {.by = "by hand", .call = [=](const Seat& seat) { way(*seat.node, *task); }};
}

}  // namespace

Consistency consistency(Team& team, const Options& options, const Guideline& guideline, std::size_t bytes,
                        bool core_each) {
  const Setting setting{.nodes = team.size(), .bytes = bytes, .seed = options.seed, .limits = false};
  const SharedTask task = bench::task(guideline.collective, false, setting);
  Question question = collective_question(task);
  Contestant one = guideline.one ? by_hand(task, guideline.one) : collective_vnode(task, {});
  one.delivers = guideline.one == nullptr;  // otherwise it is less than the task
  question.contestants = {std::move(one), by_hand(task, guideline.other)};
  Effort effort = options.effort;
  effort.core_each = core_each;
  const Outcome outcome = measure(team, question, effort);
  return {.one_us = median(outcome.series[0].all()),
          .other_us = median(outcome.series[1].all()),
          .ratio = ratio(outcome.series[0].medians(), outcome.series[1].medians()).value_or(0),
          .wrong = outcome.series[0].wrong + outcome.series[1].wrong};
}

}  // namespace vnode::bench
