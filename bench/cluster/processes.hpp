#pragma once

#include <mpi.h>
#include <optional>
#include <pthread.h>
#include <string>
#include <vector>

#include <vnode/hierarchy.hpp>
#include <vnode/rank.hpp>

#include "timing/affinity.hpp"

namespace vnode::bench {

/// The processes that mpirun has started, one for each node of a cluster. Those of a machine are divided into
/// sets of as many as a process of the cluster has nodes; the first of a set is that process. All of them
/// are the processes of MPI beside the cluster. All make this, call the same of it, and end it.
class Processes {
 public:
  /// Divides the processes into sets of `nodes`, or of as many as a machine has, if not given. Throws
  /// UsageError, in all of them, if the processes of a machine are no multiple of that.
  explicit Processes(std::optional<int> nodes);
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  /// Returns all processes, in the order of the cluster's nodes.
  MPI_Comm all() const { return all_; }
  Rank rank() const { return rank_; }
  int count() const { return count_; }
  /// Returns the first processes of the sets; MPI_COMM_NULL in others.
  MPI_Comm leaders() const { return leaders_; }
  bool leads() const { return leaders_ != MPI_COMM_NULL; }
  /// Returns the number of nodes of this set.
  int nodes() const { return nodes_; }
  /// Reads a text in which `machine` and `process`, a set, are domains. If it is empty,
  /// sets are the domains; there are none if nodes are all in one, or each in one of its own.
  Hierarchy hierarchy(const std::string& text) const;
  /// Returns the PUs that processes of this set may use together.
  const Affinity& pus() const { return pus_; }

  /// Returns when all of this set have called it; who waits sleeps.
  void meet() { pthread_barrier_wait(barrier_); }

  /// Says which machines there are, and whose PUs serve more nodes than one.
  struct Sharing {
    std::vector<std::string> notes;
    int pus = 0;            ///< of all machines
    bool core_each = true;  ///< every node has a PU of its own
  };
  /// Returns the same in all processes.
  Sharing sharing() const;

 private:
  void divide(std::optional<int> nodes);
  void unite_pus();
  void make_barrier();

  MPI_Comm all_ = MPI_COMM_NULL, set_ = MPI_COMM_NULL, leaders_ = MPI_COMM_NULL;
  int rank_ = 0, count_ = 0, nodes_ = 0;
  std::vector<int> leader_of_, machine_of_;  // by rank
  Affinity pus_;
  MPI_Win window_ = MPI_WIN_NULL;  // the set's memory, which has the barrier
  pthread_barrier_t* barrier_ = nullptr;
};

}  // namespace vnode::bench
