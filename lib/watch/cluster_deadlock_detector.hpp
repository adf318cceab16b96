#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <vnode/rank.hpp>

#include "base/at.hpp"
#include "base/message_buffer.hpp"
#include "channel/wire.hpp"
#include "record/deadlock_detector.hpp"
#include "transport/fabric.hpp"
#include "transport/remote.hpp"

namespace vnode {

/// Finds out whether the nodes of all processes of a run wait, and none will ever go on.
///
/// A process is still when its DeadlockDetector is certain of its nodes, but for what other processes send
/// them. It tells process 0, with how many messages its nodes had sent and received when each of them looked
/// in vain. When all are still, process 0 has all nodes look again. If they are still a second time, with the
/// same numbers, and as many messages were received as sent, nobody can go on. Then all are told the calls of
/// the others and look a third time: that calls do not match says more. If none finds that, it is a deadlock.
///
/// To prove this, let T be the time at which process 0 asked for the second looks. The numbers of each node
/// never fall, so between its two looks, of which one came before T and the other after, it has sent and
/// received nothing; at T nothing was on its way. Let a node be the first of all to do something for others
/// after its second look. Nothing can have come to it by a wire, since nothing was on its way, and nobody has
/// sent anything. So a node of its process has done something; which DeadlockDetector rules out.
///
/// A long message counts when it is announced. Its payload is on its way from when the receiver asks for it
/// until the sender is told that it is there. A node that has asked does not confirm, and nor does one whose
/// send may end before it is asked for. The others, that a sender waits for, are as many as those that nobody
/// has asked for, or one of them is on its way.
///
/// Any thread of the process looks, one at a time. It looks after the wires of nodes that have left the run,
/// too: nodes that wait for them are told that they have left, and when the run has failed, what was sent to
/// them is taken.
class ClusterDeadlockDetector final : private Wire::Events {
 public:
  ClusterDeadlockDetector(Fabric& fabric, Wire& wire);

  /// Adds the next node of this process, before the first run.
  void add(Remote& remote) { remotes_.push_back(&remote); }
  /// Returns the Remote of a node of this process, and of all of them.
  const Remote& remote(Rank rank) const { return *at(remotes_, rank - first_); }
  const std::vector<Remote*>& remotes() const { return remotes_; }

  /// Notes of a node that is about to confirm what it had sent and received before its look, and what it
  /// knows of why it waits.
  void note(Rank rank, DeadlockDetector::Epoch epoch, const Remote::Traffic& traffic, std::string remark);
  /// Tells process 0 that all nodes of this process have confirmed in this epoch.
  void report(DeadlockDetector::Epoch epoch);
  /// Hears what processes say, and looks after nodes that have left. Whoever has waited long calls it again
  /// and again. Does nothing while another thread does this.
  void look();
  /// Does the same when all nodes of this process have left the run.
  void look_at_end();
  /// Returns whether all processes know of a deadlock: nodes throw it now. Before, one might see what follows
  /// from it, that a send has ended in vain or a node has left, and not from what.
  bool is_known_to_all() const { return known_to_all_.load(std::memory_order_acquire); }  // pairs with (a)
  /// Forgets a run that all processes have come to the end of.
  void end_run();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Word : std::uint64_t { still, again, deadlock, known, end };
  struct Noted {
    std::optional<DeadlockDetector::Epoch> epoch;
    Remote::Traffic traffic;
    std::string remark;
  };
  struct Part {  // precedes each part of what is said
    std::uint32_t run;
    std::uint32_t bytes_left;
  };
  void arrived(Rank process, std::span<const std::byte> message) override;
  void ended(void*, bool) override {}

  // With mutex_:
  void look_locked();
  bool has_left(Rank rank) { return fabric_.shared(rank).left.load(std::memory_order_acquire) != 0; }
  void report_locked();
  void say(int process, const std::vector<std::byte>& what);
  void say_to_all(const std::vector<std::byte>& what);
  /// Does what a process has said. It may be called for the same again, when an exception has left it.
  void hear(int process, std::span<const std::byte> what);
  void hear_still(int process, MessageBuffer& said);
  void hear_again(MessageBuffer& said);
  void hear_deadlock(std::string verdict);
  void hear_known(int process);
  void coordinate();
  void ask_again(bool certain);

  Fabric& fabric_;
  DeadlockDetector& detector_;
  const Processes& processes_;
  Wire& wire_;
  const Rank first_;
  std::vector<Remote*> remotes_;
  std::mutex mutex_;
  std::vector<Noted> noted_;                                   // by node of this process
  std::deque<std::pair<int, std::vector<std::byte>>> unsaid_;  // not sent yet, because the wire had no room
  std::vector<std::vector<std::byte>> heard_;                  // by process: the parts so far of what it says
  std::atomic<bool> known_to_all_{false};
  std::uint32_t run_ = 0;
  std::uint64_t wave_ = 0;                        // how often all nodes have been asked to look again
  std::optional<DeadlockDetector::Epoch> asked_;  // the epoch that this began in
  std::optional<std::uint64_t> reported_;  // the wave in which it was reported that all nodes here had left
  // Of process 0:
  struct Report {
    bool waits;  // a node of the process waits; else all have left
    Remote::Traffic traffic;
    friend bool operator==(const Report&, const Report&) = default;
  };
  std::vector<std::optional<Report>> reports_, before_;  // of this wave and the one before
  struct Known {
    bool left = false;
    std::uint64_t history = 0;  // in the context of all nodes
  };
  std::vector<Known> known_;   // by node, of this wave
  bool told_certain_ = false;  // in this wave: that nobody will ever go on, unless by an exception
  std::set<int> know_;         // the processes that know of a deadlock
  Clock::time_point next_wave_{};
  std::chrono::nanoseconds pause_{};
};

}  // namespace vnode
