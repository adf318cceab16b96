#include "select/levels.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/at.hpp"
#include "collective/remembered.hpp"
#include "schedule/traffic.hpp"

namespace vnode {
namespace {

std::vector<ShareOfLevel> shares_of_levels(const Algorithm& algorithm, const Parameters& parameters) {
  const Schedule schedule = algorithm.build(parameters);
  const Hierarchy& hierarchy = parameters.hierarchy;
  std::vector<ShareOfLevel> shares(static_cast<std::size_t>(hierarchy.levels()) + 1);
  ShareOfLevel all;
  for (const Round& round : schedule.rounds()) {
    int apart = 0;
    for (const Transfer& t : round) apart = std::max(apart, hierarchy.apart(t.from, t.to));
    const auto words = static_cast<double>(traffic(schedule, round, messages(round)).largest);
    ShareOfLevel& own = at(shares, apart);
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

}  // namespace

bool SharesOfLevels::Key::operator==(const Key& other) const {
  return algorithm == other.algorithm && same(parameters, other.parameters);
}

std::size_t SharesOfLevels::Hash::operator()(const Key& key) const {
  const auto root = static_cast<std::size_t>(key.parameters.root);
  const auto segments = static_cast<std::size_t>(key.parameters.segments);
  return std::hash<const Algorithm*>()(key.algorithm) ^ (root * 64 + segments) * 0x9e3779b97f4a7c15;
}

const std::vector<ShareOfLevel>& SharesOfLevels::of(const Algorithm& algorithm, Parameters parameters) {
  constexpr int enough = 16;  // segments: a pipeline of more is filled for a greater part of its time
  parameters.segments = std::min(parameters.segments, enough);
  Key key{&algorithm, std::move(parameters)};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::vector<ShareOfLevel> shares = shares_of_levels(algorithm, key.parameters);
  if (known_.size() >= capacity) known_.clear();
  return known_.emplace(std::move(key), std::move(shares)).first->second;
}

}  // namespace vnode
