#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <vnode/rank.hpp>

namespace vnode {

class ClusterDeadlockDetector;
class Fabric;
class Remote;
struct Head;

/// Watches a run for its fabric, which knows of messages only: names what is wrong with calls, and finds
/// deadlocks of several processes. Room watch implements it.
class RunWatch {
 public:
  virtual ~RunWatch() = default;
  /// Names the calls of two nodes that should be one call and are not.
  virtual std::string mismatch(Rank me, Rank peer, std::uint16_t context, std::uint32_t call) = 0;
  /// Names a message that `to` has left the run without receiving.
  virtual std::string unreceived(Rank to, Rank from, const Head& head) = 0;
  /// Says in a line for each node where it is, or that it has left the run.
  virtual std::string status_of_all() = 0;
  /// Adds the next node of this process, in a run of several processes.
  virtual void add(Remote& remote) = 0;
  /// Hears what other processes say of their nodes, and looks after nodes that have left the run.
  virtual void look() = 0;
  /// Returns what finds deadlocks of the nodes of all processes; null if all nodes are in this process.
  virtual ClusterDeadlockDetector* cluster_detector() = 0;
};

/// Makes what watches the runs of a fabric, which is made but for this.
std::unique_ptr<RunWatch> watch_of(Fabric& fabric);

}  // namespace vnode
