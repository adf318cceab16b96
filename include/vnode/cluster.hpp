#pragma once

// clang-format off
#include <vnode/language.hpp>  // before mpi.h: who compiles an older C++ is told so
// clang-format on

#include <memory>
#include <mpi.h>
#include <string>
#include <utility>

#include <vnode/team.hpp>
#include <vnode/vnode.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// A cluster is a team whose nodes are threads of several processes, on as many machines as these run on.
/// Inside a process it is a Team; between processes messages go over the MPI that the program was started by.
/// Nodes have ranks by process, then by node, and are the same Node with the same operations: collectives in
/// all forms, groups across machines, messages between any two nodes.
///
/// All processes of the communicator make the cluster, call run() as often, and end the cluster before
/// MPI_Finalize. They pass the same shape, and options that mean the same; what must be the same and is not
/// is a UsageError that names it. MPI's level of threads should be MPI_THREAD_MULTIPLE. With
/// MPI_THREAD_SERIALIZED nodes take turns in MPI; with less a process can have one node, which is the thread
/// that has initialized MPI. report() says what it is.
///
/// An exception that leaves a node ends the run in all processes: run() rethrows it in the process of that
/// node, and throws Aborted with its sentence in all others. It returns in no process before all have come to
/// its end. A node whose run has failed waits until nodes of other processes have taken what it was sending
/// them, which they do in their next call or at the end of their part of the run. If the team has a time
/// limit, and some process does not come to the end of a run that has failed within it, or within two seconds
/// if those are more, this process says where all nodes are and aborts, by which mpirun ends all.
///
///     MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
///     {
///       vnode::Cluster cluster{MPI_COMM_WORLD, 8};
///       cluster.run([](vnode::Node& me) {
///         double x = me.rank();
///         x = me.all_reduce(x, std::plus<>{});
///       });
///     }
///     MPI_Finalize();
///
/// Programs that include this header link with vnode::cluster, and are compiled against the same MPI.
class Cluster {
 public:
  /// Makes a team of `nodes_here` nodes in this process, which may be another number in each, and those of
  /// all other processes of `processes`. TeamOptions::pus, if given, has the PUs of this process's nodes.
  /// Processes of one machine that may use the same PUs share them out.
  ///
  /// Throws UsageError if MPI is not initialized, if processes differ in what must be the same, and for what
  /// Team refuses; SystemError for what MPI or the machine refuses, with their sentences. Where one process
  /// cannot make its part of the team, SystemError in all others says which and why.
  explicit Cluster(MPI_Comm processes, int nodes_here, const Shape& shape = shapes::full{},
                   const TeamOptions& options = {});
  /// Makes a cluster whose nodes are all linked, shapes::full.
  Cluster(MPI_Comm processes, int nodes_here, const TeamOptions& options)
      : Cluster(processes, nodes_here, shapes::full{}, options) {}
  /// Ends this process's nodes. All processes do it, and wait for each other, unless an exception ends the
  /// cluster here.
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// Calls body(node) on every node of this process while the other processes do so on theirs.
  template <class Body>
  void run(Body&& body) {
    team().run(std::forward<Body>(body));
  }

  /// Returns the number of nodes of all processes.
  int size() const { return team().size(); }
  /// Returns the number of nodes of this process.
  int nodes_here() const;
  /// Returns the rank of the first node of this process.
  Rank first_here() const;
  /// Returns the number of processes.
  int processes() const;
  /// Returns the number of this process, from 0.
  int process() const;
  /// Returns the number of machines.
  int machines() const;
  /// Returns the number of this machine, from 0, in the order of the machines' first processes.
  int machine() const;

  /// Returns the team, of which this process has a part: for its report, trace, statistics and state. Threads
  /// of this process join it by their rank less first_here().
  Team& team() const;
  /// Returns the report of the team, and a line on MPI.
  std::string report() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace vnode
#pragma GCC visibility pop
