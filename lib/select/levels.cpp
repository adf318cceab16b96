#include "select/levels.hpp"

#include <algorithm>

#include "schedule/traffic.hpp"

namespace vnode {

std::vector<ShareOfLevel> shares_of_levels(const Algorithm& algorithm, Parameters parameters) {
  constexpr int enough = 16;  // segments: a pipeline of more is filled for a greater part of its time
  parameters.segments = std::min(parameters.segments, enough);
  const Schedule schedule = algorithm.build(parameters);
  const Hierarchy& hierarchy = parameters.hierarchy;
  std::vector<ShareOfLevel> shares(static_cast<std::size_t>(hierarchy.levels()) + 1);
  ShareOfLevel all;
  for (const Round& round : schedule.rounds()) {
    int apart = 0;
    for (const Transfer& t : round) apart = std::max(apart, hierarchy.apart(t.from, t.to));
    const auto words = static_cast<double>(traffic(schedule, round, messages(round)).largest);
    ShareOfLevel& own = shares[static_cast<std::size_t>(apart)];
    own.rounds += 1;
    own.words += words;
    all.rounds += 1;
    all.words += words;
  }
  for (ShareOfLevel& share : shares) {
    if (all.rounds > 0) share.rounds /= all.rounds;
    if (all.words > 0) share.words /= all.words;
  }
  return shares;
}

}  // namespace vnode
