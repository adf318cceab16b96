#pragma once

#include <exception>
#include <memory>
#include <optional>

#include <vnode/node.hpp>
#include <vnode/team.hpp>
#include <vnode/unpinned.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Represents a thread of the program as a node of a team, from Team::join until this ends. Any p threads may
/// join at a time: those of an OpenMP region, std::thread, a pool's, TBB's tasks that run concurrently. What
/// is a run elsewhere lasts from when all have joined until all have left; then any threads may join again.
///
/// A thread leaves when its Membership ends, without waiting for the others. What holds for the end of the
/// body of Team::run holds for this end: calls in flight are completed before, messages are received. Left by
/// an exception it ends the run, so that the others leave their calls by Aborted; the team may be joined
/// again afterwards. So does the end of a thread that has not left, by return or pthread_exit, whose
/// Membership lives on elsewhere: the others hear that node r's thread has ended without leaving. A thread is
/// pinned while it is a node only if TeamOptions::pin or VNODE_PIN say so; otherwise what it may run on when
/// it joins tells where its node is, unless nodes are in several processes.
///
/// No exception may leave an OpenMP region, whoever throws it: the program ends, by std::terminate, and where
/// several threads throw at a time their sentences are lost. So what join() and calls throw is caught within
/// the region, where Membership::abort may end the run for the others.
///
/// In a child of fork() the end of a Membership of the parent's does nothing.
///
///     vnode::Team team{4, {.threads = vnode::Threads::callers}};
///     #pragma omp parallel num_threads(4)
///     {
///       vnode::Membership me = team.join(omp_get_thread_num());
///       const double sum = me->all_reduce(part, std::plus<>{});
///     }
class Membership {
 public:
  /// Leaves `other` without a node to leave.
  Membership(Membership&& other) noexcept;
  Membership& operator=(Membership&&) = delete;
  /// Leaves, if leave() has not been called. Throws what leave() throws, unless an exception unwinds the
  /// thread: that ends the run.
  ~Membership() noexcept(false);

  /// Leaves the team. Throws what concerns the run and has left no call: UsageError if a request of this
  /// node is still in flight, which ends the run; in the thread that leaves last, Mismatch if calls did not
  /// match. Throws UsageError, and does not leave, in another thread than the node's own. Does nothing the
  /// second time.
  void leave();
  /// Leaves the team because this node has failed, as if `failure` had left the Membership: that ends the
  /// run, so that the others leave their calls by Aborted. For who must not let an exception leave, as in an
  /// OpenMP region. Throws UsageError in another thread than the node's own. Does nothing after leave().
  void abort(std::exception_ptr failure);
  /// Returns whether it has left.
  bool left() const;

  /// Returns the node. It is used by this thread until it has left; later calls throw UsageError.
  Node& operator*() const { return *node_; }
  /// Returns the node, as operator* does.
  Node* operator->() const { return node_; }

 private:
  friend class Team;
  struct Place;
  Membership(Team::State& team, std::optional<Rank> rank);
  bool may_leave() const;

  std::shared_ptr<Place> place_;  // null: it has been moved from
  Node* node_ = nullptr;
  int exceptions_;  // that were in flight when it joined
};

}  // namespace vnode
#pragma GCC visibility pop
