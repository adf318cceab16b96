#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/model/schedule.hpp>

#include "compile/node_memory.hpp"
#include "compile/plan.hpp"

namespace vnode_test {

using namespace vnode;

inline constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
inline const Profile pulling{48, 48, never}, sharing{48, 48, 100};

inline std::vector<Step::Kind> kinds(const Plan& plan, Rank rank) {
  std::vector<Step::Kind> all;
  for (const Step& step : plan.program(rank).steps) all.push_back(step.kind);
  return all;
}

using enum Step::Kind;
using Kinds = std::vector<Step::Kind>;

/// 2 -> 1 -> 0, the chain reduced to node 0.
inline Schedule chain_reduction() {
  Schedule schedule(3, 1);
  schedule.next_round().push_back({2, 1, Blocks::whole, Effect::combine_after});
  schedule.next_round().push_back({1, 0, Blocks::whole, Effect::combine_after});
  return schedule;
}

/// Two nodes exchange what they have and combine it: both end with the sum.
inline Schedule exchange() {
  Schedule schedule(2, 1);
  Round& round = schedule.next_round();
  round.push_back({0, 1, Blocks::whole, Effect::combine_before});
  round.push_back({1, 0, Blocks::whole, Effect::combine_after});
  return schedule;
}

/// Messages of `count` numbers.
inline Plan planned(const Schedule& schedule, const Contract& contract, std::size_t count,
                    const Profile& profile, Aliasing aliasing = Aliasing::by_block) {
  return {schedule.nodes(),      false,    [=](std::optional<Rank>) { return Planned{schedule, contract}; },
          Lengths{count, {}, 8}, aliasing, profile};
}

}  // namespace vnode_test
