#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <vnode/rank.hpp>

#include "communicator/team_life.hpp"
#include "runtime/waiter.hpp"

namespace vnode {

/// Knows which threads of the program are the nodes of a team of callers: they gather until all have joined,
/// which opens the run, and gather anew when all have left it.
///
/// A gathering that has not opened for long is told on stderr, once, since who waits may have no time limit,
/// and no other way to tell.
///
/// Gatherings are numbered. Joiners wait for two words that only grow: the newest gathering that has opened,
/// and the newest that is over. Both are stored with the mutex held, so that who looks before sleeping misses
/// nothing; (a) and (b) publish to those who have not slept what was done before.
class Roster {
 public:
  /// Is for `nodes` nodes, those of the team from `first` on; here they are counted from 0, and in sentences
  /// as the team does. A join waits for `limit` at most; for ever if that is 0. `long_wait`: what is long.
  Roster(TeamLife& life, WaitPolicy policy, Rank first, int nodes, std::chrono::nanoseconds limit,
         std::chrono::nanoseconds long_wait = std::chrono::seconds(10));

  /// Makes the calling thread node `wanted`, or the first that is free, and returns its rank when all have
  /// joined. Throws what Team::join throws. If an exception leaves the thread's WhileWaiting after all have
  /// joined, `interrupt` is it, and the thread is a node that has to leave.
  /// Before, `enter(rank, last)` is called with the mutex held, for one thread after the other; `last`: this
  /// one completes the gathering. If that throws, the thread has not joined.
  Rank join(std::optional<Rank> wanted, std::exception_ptr& interrupt,
            const std::function<void(Rank rank, bool last)>& enter);
  /// Within enter(): how threads wait from now on.
  void set_policy(WaitPolicy policy) { policy_ = policy; }
  /// Any thread: by rank, whether a thread has joined as the node, and has not left.
  std::vector<bool> joined() const;
  /// The calling thread, which is that node, leaves. Calls conclude() if it is the last; then all may join
  /// again.
  template <class Conclude>
  void leave(Rank rank, Conclude&& conclude) {
    if (!strike(rank)) return;
    struct End {
      Roster& roster;
      ~End() { roster.end_gathering(); }
    } end{*this};
    conclude();
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;
  void check(std::optional<Rank> wanted) const;
  Rank place_for(std::optional<Rank> wanted) const;
  void await_end(Lock& lock, Clock::time_point begin);
  void await_all(Lock& lock, Clock::time_point begin, Rank rank, std::exception_ptr& interrupt);
  void dissolve(std::string why, bool given_up);
  bool strike(Rank rank);
  void end_gathering();
  void forget_gathering();
  template <class Ready, class Late>
  bool wait(Lock& lock, Clock::time_point begin, Ready&& ready, Late&& late);
  void tell_missing(Rank rank);
  std::string ranks(bool joined) const;

  TeamLife& life_;
  WaitPolicy policy_;
  Rank first_;
  std::chrono::nanoseconds limit_, long_wait_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<ThreadId> threads_;  // by rank; null: not joined, or left
  std::uint64_t gathering_ = 1;    // its number
  std::uint64_t told_ = 0;         // the newest that was told to be late
  std::size_t joined_ = 0, left_ = 0;
  std::string missing_;    // why the newest gathering that did not open has not
  bool given_up_ = false;  // somebody has not wanted to wait for it any more; else the time was over
  std::atomic<std::uint64_t> opened_{0}, over_{0};
};

}  // namespace vnode
