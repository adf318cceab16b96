#pragma once

#include <functional>
#include <vector>

#include <vnode/cluster.hpp>

#include "cluster/processes.hpp"
#include "timing/contest.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// Measures calls of a cluster, and the same calls of MPI among all processes, in laps: one after the other,
/// in an order that changes. While the nodes call, the other processes sleep; while MPI is called, the nodes
/// have ended their run.
///
/// The processes have no clock in common. So a batch of calls is timed between two barriers: the time of a
/// call is that of the batch by its number of calls, as measured by the node, or process, that took longest
/// from its way out of the barrier to the end of its last call.
class ClusterContest {
 public:
  /// `cluster` is null in processes that do not lead. The nodes of the cluster call the question's
  /// contestants; all processes call `peers`, with their rank and without a node.
  ClusterContest(Processes& processes, Cluster* cluster, Question& question, std::vector<Contestant> peers,
                 const Effort& effort);
  /// Measures, and returns the times in process 0. Calls `measured` with the share that is done so far.
  Timings measure(const std::function<void(double)>& measured);

 private:
  struct Entrant {
    Contestant* contestant;
    bool of_nodes;
    Series series{};
    int batch = 1;
  };
  /// Holds what the callers of a process have seen in a turn.
  struct Turn {
    std::vector<double> us;  ///< of each call, by the slowest caller
    std::size_t wrong = 0;
    void add(const Turn& other);
  };
  void lap(int iterations);
  void turn(Entrant& entrant, int iterations);
  Turn calls(Entrant& entrant, const Seat& seat, int iterations, const std::function<void()>& meet);
  void begin();
  double agreed(double of_process_0) const;
  Timings timings();

  Processes& processes_;
  Cluster* const cluster_;
  Question& question_;
  std::vector<Contestant> peers_;
  const Effort effort_;
  std::vector<Entrant> entrants_;
  Iteration iteration_ = 0;
  std::size_t laps_ = 0;
};

}  // namespace vnode::bench
