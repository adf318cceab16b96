#include "communicator/wait_policy.hpp"

#include <chrono>
#include <fmt/format.h>
#include <vector>

namespace vnode {
namespace {

/// A node that has a core spins while its peers run, too. When they do not, a thread of somebody else has one
/// of their cores, and may as well run here.
constexpr WaitPolicy with_own_core{std::chrono::microseconds(100), WaitPolicy::forever};
constexpr WaitPolicy on_shared_cores{std::chrono::nanoseconds(0), std::chrono::milliseconds(1)};

}

WaitPolicy policy_of(Wait wait, bool own_core) {
  constexpr std::chrono::nanoseconds never{0};
  switch (wait) {
    case Wait::spin:
      return {WaitPolicy::forever, WaitPolicy::forever};
    case Wait::yield:
      return {never, WaitPolicy::forever};
    case Wait::park:
      return {never, never};
    case Wait::automatic:
      break;
  }
  return own_core ? with_own_core : on_shared_cores;
}

std::string describe(WaitPolicy policy) {
  const auto us = [](std::chrono::nanoseconds time) {
    return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  };
  std::vector<std::string> steps;
  if (policy.spins())
    steps.push_back(policy.yields() ? fmt::format("spin for {} us", us(policy.spin_until)) : "spin");
  if (policy.yields())
    steps.push_back(policy.parks() ? fmt::format("yield for {} us", us(policy.yield_until)) : "yield");
  if (policy.parks()) steps.push_back("park");
  return fmt::to_string(fmt::join(steps, ", then "));
}

}
