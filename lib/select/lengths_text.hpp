#pragma once

#include <limits>
#include <string>

#include <vnode/cost_model.hpp>

namespace vnode {

/// Returns the lengths of messages that travel in each way, for people: "eager to 1024 B, shared from 8192
/// B".
inline std::string lengths_text(const CostModel& costs) {
  const bool shared = costs.shared_from < std::numeric_limits<std::size_t>::max();
  return "eager to " + std::to_string(costs.eager_to) + " B, " +
         (shared ? "shared from " + std::to_string(costs.shared_from) + " B" : "never shared");
}

}  // namespace vnode
