#include "targets/bound.hpp"

#include <cmath>

namespace vnode::bench {
namespace {

// NaN, which fmin and fmax pass over, where nothing was measured.
double at(const Term& term, const Observation& observation, std::size_t lap) {
  const std::vector<double>& us = observation.*term.of;
  return us.empty() ? std::nan("") : term.factor * us[lap] + term.extra_ns / 1000;
}

}  // namespace

std::vector<double> bounds(const Promise& promise, const Observation& observation) {
  std::vector<double> bounds;
  bool any = false;
  for (std::size_t lap = 0; lap < observation.ours.size(); ++lap) {
    double bound = std::nan("");
    for (const Term& term : promise.all_of) bound = std::fmin(bound, at(term, observation, lap));
    if (promise.or_else) bound = std::fmax(bound, at(*promise.or_else, observation, lap));
    bounds.push_back(bound);
    any = any || std::isfinite(bound);
  }
  return any ? bounds : std::vector<double>{};
}

}  // namespace vnode::bench
