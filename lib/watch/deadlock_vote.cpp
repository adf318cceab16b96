#include "watch/deadlock_vote.hpp"

#include <string>
#include <utility>

#include <vnode/error.hpp>

#include "watch/cluster_deadlock_detector.hpp"
#include "watch/deadlock_text.hpp"
#include "watch/mismatch.hpp"

namespace vnode {
void DeadlockVote::begin(const Awaited& awaited) {
  done_ = done(awaited);
  counted_ = true;
  detector_.begin();
}

/// Takes the node out of the count until it has waited long once more: so nodes are not woken for every
/// message if messages come slowly.
void DeadlockVote::end() {
  detector_.end();
  counted_ = false;
  confirmed_.reset();
  begin_ = Clock::now();
}

void DeadlockVote::confirm(DeadlockDetector::Epoch epoch, const Awaited& awaited) {
  Fabric& fabric = endpoint_.fabric();
  // A node that aborts the run does so before it is counted as one that has left, so the abort is seen.
  if (fabric.aborted()) return;
  fabric.shared(endpoint_.rank()).journal.wait(awaited.context, awaited.call, awaited.round, awaited.peer);
  std::string remark = unreceived_text(endpoint_, awaited);
  ClusterDeadlockDetector* const joint = fabric.cluster_detector();
  if (joint != nullptr)
    joint->note(endpoint_.rank(), epoch, endpoint_.remote()->traffic(), std::move(remark));
  else
    detector_.remark(endpoint_.rank(), std::move(remark));
  confirmed_ = epoch;
  const DeadlockDetector::Answer answer = detector_.confirm(epoch);
  if (answer.state == DeadlockDetector::Answer::noted) ask_others(answer.confirmed);
  if (answer.state != DeadlockDetector::Answer::certain) return;
  if (joint != nullptr) return joint->report(epoch);
  if (std::string differ = difference_text(fabric, fabric.world()); !differ.empty()) throw Mismatch(differ);
  detector_.pronounce(deadlock_text(fabric));
  throw Deadlock(*detector_.verdict());
}

/// Wakes others: the k-th node to confirm wakes nodes 2 k - 1 and 2 k of those that have not left, and the
/// first wakes node 0, too. So more are awake than have confirmed, until all have: with 2 k + 1 awake, one
/// has not.
void DeadlockVote::ask_others(int k) {
  Fabric& fabric = endpoint_.fabric();
  int place = 0;
  for (const Rank node : fabric.world().nodes()) {
    if (fabric.shared(node).left.load(std::memory_order_relaxed) != 0) continue;
    if (place == 2 * k - 1 || place == 2 * k || (place == 0 && k == 1)) fabric.ring(node);
    if (++place > 2 * k) return;
  }
}

}  // namespace vnode
