#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>

#include <vnode/rank.hpp>

#include "base/doorbell.hpp"
#include "base/pause.hpp"
#include "watch/waiter.hpp"

namespace vnode {

/// Throws SystemError if the calling thread's stack is too small to make a team, or to be its node 0.
void check_stack();

/// Looks for ready() to hold for a short while, as nodes of this policy look; returns whether it has come to
/// hold.
template <class Ready>
bool look_out(WaitPolicy policy, Ready&& ready) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::nanoseconds usual = std::chrono::microseconds(200);
  const auto alert = policy.yields() ? std::min(usual, policy.yield_until) : usual;
  const bool spins = policy.spins();
  for (auto begin = Clock::now(); Clock::now() - begin < alert;) {
    for (int i = 0; i < (spins ? 100 : 1); ++i) {
      if (ready()) return true;
      pause();
    }
    if (!spins) std::this_thread::yield();
  }
  return false;
}

/// Holds the threads of a team. They are started once; between runs they look out for the next run briefly,
/// then sleep. Their stacks are as large as the system's limit (`ulimit -s`), and at least least_stack.
///
/// A run is announced by one store that all workers watch, and is over when a counter has come down to zero.
class Crew {
 public:
  using Prepare = std::function<std::shared_ptr<void>(Rank)>;
  static constexpr std::size_t least_stack = std::size_t{256} << 10;

  /// Starts `nodes` - 1 threads for ranks 1 .., and one for rank 0 if `apart`; calls prepare(rank) first on
  /// each of them and keeps what it returns until the thread ends. Throws SystemError if the system refuses a
  /// thread or memory for it, and what prepare() throws, with none left behind.
  Crew(int nodes, bool apart, WaitPolicy policy, Prepare prepare);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Calls job(argument, rank) on every node's thread, rank 0's on the caller unless apart; returns when all
  /// have returned. False from `job` says that a fork has left this thread the only one of its process: then
  /// run() returns at once, and the others' threads end. `job` lets no exception out but the unwinding of a
  /// thread that ends, by pthread_exit: the caller's leaves run() when all others have returned, and for
  /// another one the next run starts another thread. While the caller waits for the others it looks
  /// (WhileWaiting), and gives interrupted() the exceptions that leave that. Throws SystemError if the system
  /// refuses a thread.
  void run(bool (*job)(void*, Rank), void* argument, void (*interrupted)(void*, std::exception_ptr));

 private:
  struct Seat {
    Seat(Crew& of, Rank as, Fencing fencing) : crew(of), rank(as), bell(fencing) {}
    Crew& crew;
    const Rank rank;
    Doorbell bell;
    std::uint32_t seen = 0;  // the number of the newest run when its thread started
    bool ended = false;      // its thread has been unwound; published by (c)
  };
  /// Starts the thread of a seat; returns the system's error, 0 for none.
  int start(const Seat& seat, pthread_t& thread);
  void start_again();
  void await_others();
  void work(Rank rank);
  template <class Ready, class Look>
  void wait(Doorbell& bell, Ready&& ready, std::chrono::milliseconds interval, Look&& look);
  void dismiss();

  bool apart_;
  WaitPolicy policy_;
  Prepare prepare_;
  std::vector<std::unique_ptr<Seat>> seats_;  // by rank; the caller of run() sits on the last
  bool (*job_)(void*, Rank) = nullptr;
  void* argument_ = nullptr;
  alignas(cache_line) std::atomic<std::uint32_t> run_{0};
  alignas(cache_line) std::atomic<std::uint32_t> busy_{0};
  std::atomic<bool> over_{false};
  std::exception_ptr unprepared_;  // what the first prepare() that failed has thrown; guarded by preparing_
  std::mutex preparing_;
  std::vector<pthread_t> threads_;
};

}
