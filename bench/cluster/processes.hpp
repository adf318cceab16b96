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

/// Holds the processes that mpirun has started, one for each node of a cluster. The processes of a machine
/// are divided into sets, each of which has as many members as a process of the cluster has nodes; the first
/// of a set is that process of the cluster. All processes call MPI when it is measured beside the cluster.
/// All of them make this object, call the same functions of it, and destroy it.
class Processes {
 public:
  /// Divides the processes into sets of `nodes`, or, if none is given, into one set a machine. Throws
  /// UsageError, in all of them, if the processes of a machine are no multiple of that.
  explicit Processes(std::optional<int> nodes);
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  /// Returns the communicator of all processes, ranked in the order of the cluster's nodes.
  MPI_Comm all() const { return all_; }
  Rank rank() const { return rank_; }
  int count() const { return count_; }
  /// Returns the communicator of the first processes of the sets, or MPI_COMM_NULL in all others.
  MPI_Comm leaders() const { return leaders_; }
  bool leads() const { return leaders_ != MPI_COMM_NULL; }
  /// Returns the number of nodes of this set.
  int nodes() const { return nodes_; }
  /// Reads a hierarchy from a text in which `machine` and `process` (a set) are domains. If the text is
  /// empty, the sets are the domains; the hierarchy is empty if all nodes are in one set, or each in a set of
  /// its own.
  Hierarchy hierarchy(const std::string& text) const;
  /// Returns the PUs that processes of this set may use together.
  const Affinity& pus() const { return pus_; }

  /// Returns when all processes of this set have called it; those that wait sleep.
  void meet() { pthread_barrier_wait(barrier_); }

  /// Says which machines are on one system, and which systems have fewer PUs than nodes.
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
