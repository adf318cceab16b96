#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/model/tuning.hpp>

namespace vnode {

/// Says what is to be tuned, and how long that may take.
struct TuningTask {
  std::vector<Collective> collectives{};
  std::vector<std::size_t> sizes{};  ///< m, ascending; a barrier has none
  std::vector<int> nodes{};          ///< p, ascending
  double seconds = 0;                ///< for all points together
};

/// Holds what was measured at a point.
struct TunedRow {
  TunedPoint point{};       ///< with the algorithms that are kept
  std::string chosen{};     ///< the algorithm that is chosen by the measured times
  std::string predicted{};  ///< the one that would be chosen without them
  double seconds = 0;       ///< of the chosen one
  double gain = 1;          ///< time of the predicted one over that of the chosen one
};

/// Holds what became of a task.
struct Tuning {
  std::vector<TunedRow> rows{};
  std::size_t left_out = 0;  ///< points that were not measured, since the time was over
  std::size_t calls = 0;     ///< all that were measured
  std::size_t late = 0;      ///< those that some node entered late
};

/// Measures the algorithms of each point side by side: all that can serve the call at first, and then, for
/// longer, those that are within `tuned_range` of the best. Nodes are on the PUs of this machine as a team
/// puts them. Every point gets an equal share of the time that is left. `measured` is called with what is
/// done, of 1, and the point to come. Throws UsageError if messages do not fit into memory.
Tuning measured_tuning(const TuningTask& task,
                       const std::function<void(double done, const std::string& next)>& measured);

}  // namespace vnode
