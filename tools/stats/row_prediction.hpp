#pragma once

#include <optional>
#include <string>

#include <vnode/statistics.hpp>

namespace vnode {

/// What the calls of a row are predicted to take, by the algorithm that was used and by the one that the
/// choice would take for a message of their mean size.
struct RowPrediction {
  std::optional<double> seconds{};  ///< a call's, of a message too; nothing where there is no prediction
  std::string best{};               ///< the algorithm; empty: there is none to choose
  std::optional<double> best_seconds{};

  /// Whether the best is another one, by more than predictions differ anyway.
  bool is_better() const;
};

/// By these costs. Calls with a count for each rank, circular shifts, exchanges, splits, and groups of one
/// node have none.
RowPrediction predicted_for(const CallStatistics& row, const GroupStatistics& group, CostModel costs);

}  // namespace vnode
