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

#include "engine/team_life.hpp"
#include "watch/waiter.hpp"

namespace vnode {

/// Knows which threads of the program are the nodes of a team of callers: they gather until all have joined,
/// which opens the run, and gather anew when all have left it.
///
/// Reports a gathering that has not opened for long on stderr, once, since a thread that waits may have no
/// time limit, and no other way to tell.
///
/// Gatherings are numbered. Joiners wait for two words that only grow: the newest gathering that has opened,
/// and the newest that is over. Both are stored with the mutex held, so that a thread that looks before it
/// sleeps misses nothing; (a) and (b) publish to threads that have not slept what was done before.
class Roster {
 public:
  /// Makes the roster of `nodes` nodes, those of the team from `first` on. Ranks are counted from 0 here, and
  /// as in the team in messages. A join waits for `limit` at most; for ever if that is 0. A gathering is late
  /// after `long_wait`.
  Roster(TeamLife& life, WaitPolicy policy, Rank first, int nodes, std::chrono::nanoseconds limit,
         std::chrono::nanoseconds long_wait = std::chrono::seconds(10));

  /// Makes the calling thread node `wanted`, or the first that is free, and returns its rank when all have
  /// joined. Throws what Team::join throws. If an exception leaves the thread's WhileWaiting after all have
  /// joined, it is stored in `interrupt`, and the thread is a node that has to leave. Before, `enter(rank,
  /// last)` is called with the mutex held, for one thread after the other; `last` is true if this one
  /// completes the gathering. If `enter` throws, the thread has not joined.
  Rank join(std::optional<Rank> wanted, std::exception_ptr& interrupt,
            const std::function<void(Rank rank, bool last)>& enter);
  /// Sets how threads wait from now on. Called within enter().
  void set_policy(WaitPolicy policy) { policy_ = policy; }
  /// Returns, by rank, whether a thread has joined as the node and has not left. Any thread may call it.
  std::vector<bool> joined() const;
  /// Lets the calling thread, which is that node, leave. Calls conclude() if it is the last; then all may
  /// join again.
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
  Rank admit(std::optional<Rank> wanted, Lock& lock, Clock::time_point begin);
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
  std::uint64_t gathering_ = 1;    // number of the current gathering
  std::uint64_t told_ = 0;         // number of the newest gathering that was reported late
  std::size_t joined_ = 0, left_ = 0;
  std::string missing_;    // why the newest gathering that did not open has not
  std::string refused_;    // why a thread has not joined the current gathering, if one has been refused
  bool given_up_ = false;  // a thread gave up waiting for it; else its time limit passed
  std::atomic<std::uint64_t> opened_{0}, over_{0};
};

}  // namespace vnode
