#include "team/roster.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

#include "base/at.hpp"
#include "base/while_waiting.hpp"
#include "team/launch.hpp"

namespace vnode {

Roster::Roster(TeamLife& life, WaitPolicy policy, Rank first, int nodes, std::chrono::nanoseconds limit,
               std::chrono::nanoseconds long_wait)
    : life_(life),
      policy_(policy),
      first_(first),
      limit_(limit),
      long_wait_(long_wait),
      threads_(static_cast<std::size_t>(nodes)) {}

Rank Roster::join(std::optional<Rank> wanted, std::exception_ptr& interrupt,
                  const std::function<void(Rank rank, bool last)>& enter) {
  life_.check_threads(Threads::callers);
  const auto begin = Clock::now();
  Lock lock(mutex_);
  const Rank rank = admit(wanted, lock, begin);
  if (joined_ == 0) life_.begin_run();
  try {
    enter(rank, joined_ + 1 == threads_.size());
  } catch (...) {
    if (joined_ == 0) life_.end_run();
    throw;
  }
  at(threads_, rank) = this_thread();
  if (++joined_ < threads_.size()) {
    await_all(lock, begin, rank, interrupt);
    return rank;
  }
  opened_.store(gathering_, std::memory_order_release);  // (a)
  changed_.notify_all();
  return rank;
}

/// Returns the place of a thread that joins, when the run before has ended. Throws UsageError if there is
/// none: those who wait for all to join are told why.
Rank Roster::admit(std::optional<Rank> wanted, Lock& lock, Clock::time_point begin) try {
  check(wanted);
  // A run that some have left ends soon: what the others have is free then.
  while (left_ > 0) await_end(lock, begin);
  return place_for(wanted);
} catch (const UsageError& error) {
  refused_ = error.what();
  throw;
}

/// Checks what does not depend on the other threads. Throws UsageError.
void Roster::check(std::optional<Rank> wanted) const {
  const auto nodes = static_cast<int>(threads_.size());
  if (wanted && (*wanted < 0 || *wanted >= nodes))
    throw UsageError(fmt::format(
        "join({}): there is no such node, {}", *wanted,
        first_ == 0 ? fmt::format("ranks are 0 to {}", nodes - 1)
                    : fmt::format("0 to {} join as nodes {} to {}", nodes - 1, first_, first_ + nodes - 1)));
  if (this_thread() != thread_itself())
    throw UsageError(
        "join() by a node that is a fiber: threads join, and wait for each other; that node's team needs "
        "TeamOptions::nodes, Nodes::threads");
  if (const auto own = std::ranges::find(threads_, this_thread()); own != threads_.end())
    throw UsageError(fmt::format("join() by a thread that is node {} of this team already: it leaves first",
                                 first_ + (own - threads_.begin())));
}

/// Returns the place of a thread that joins. Throws UsageError if there is none.
Rank Roster::place_for(std::optional<Rank> wanted) const {
  const auto free = wanted ? threads_.begin() + *wanted : std::ranges::find(threads_, ThreadId{});
  if (free == threads_.end())
    throw UsageError(
        fmt::format("join() by one thread too many: each of the {} nodes has its thread", threads_.size()));
  if (*free != nullptr)
    throw UsageError(fmt::format("join({}): another thread has joined as node {}, and has not left", *wanted,
                                 first_ + *wanted));
  return static_cast<Rank>(free - threads_.begin());
}

/// Waits for the end of the run that is on.
void Roster::await_end(Lock& lock, Clock::time_point begin) {
  const std::uint64_t before = gathering_;
  // (b) is paired with, so that nothing of the run before is left to be seen.
  if (wait(
          lock, begin, [&] { return over_.load(std::memory_order_acquire) >= before; }, [] {}))
    return;
  throw TimeLimitExceeded(fmt::format(
      "join() has waited longer than the time limit of {} ms for the run before to end: {} joined",
      std::chrono::duration_cast<std::chrono::milliseconds>(limit_).count(), ranks(true)));
}

void Roster::await_all(Lock& lock, Clock::time_point begin, Rank rank, std::exception_ptr& interrupt) {
  const std::uint64_t own = gathering_;
  // Once it has opened, the next does not before this thread has left.
  const auto opened = [&] { return opened_.load(std::memory_order_acquire) == own; };  // pairs with (a)
  // Relaxed: that it is over tells but that the mutex guards a reason.
  const auto over = [&] { return over_.load(std::memory_order_relaxed) >= own; };
  try {
    const bool in_time = wait(
        lock, begin, [&] { return opened() || over(); }, [&] { tell_missing(rank); });
    if (opened()) return;
    if (!in_time)
      dissolve(
          fmt::format(
              "node {} has waited longer than the time limit of {} ms for all {} nodes to join: {} missing{}",
              first_ + rank, std::chrono::duration_cast<std::chrono::milliseconds>(limit_).count(),
              threads_.size(), ranks(false),
              refused_.empty() ? "" : "; a thread has been refused: " + refused_),
          false);
  } catch (...) {
    if (opened()) {
      interrupt = std::current_exception();
      return;
    }
    if (!over())
      dissolve(fmt::format("node {} has given up waiting for all {} nodes to join: {} missing", first_ + rank,
                           threads_.size(), ranks(false)),
               true);
    throw;
  }
  if (given_up_) throw Aborted(missing_);
  throw TimeLimitExceeded(missing_);
}

std::vector<bool> Roster::joined() const {
  const std::lock_guard lock(mutex_);
  std::vector<bool> joined;
  for (const ThreadId thread : threads_) joined.push_back(thread != nullptr);
  return joined;
}

/// Dissolves the gathering: nobody waits for it any more, and its joiners learn `why`.
void Roster::dissolve(std::string why, bool given_up) {
  missing_ = std::move(why);
  given_up_ = given_up;
  std::ranges::fill(threads_, nullptr);
  forget_gathering();
}

/// Removes the node, and returns true if it was the last.
bool Roster::strike(Rank rank) {
  const std::lock_guard lock(mutex_);
  at(threads_, rank) = nullptr;
  return ++left_ == threads_.size();
}

void Roster::end_gathering() {
  const std::lock_guard lock(mutex_);
  forget_gathering();
}

void Roster::forget_gathering() {
  joined_ = left_ = 0;
  refused_.clear();
  life_.end_run();
  over_.store(gathering_++, std::memory_order_release);  // (b)
  changed_.notify_all();
}

/// Reports on stderr which nodes are missing, unless another thread has done so.
void Roster::tell_missing(Rank rank) {
  if (std::exchange(told_, gathering_) == gathering_) return;
  const std::string text =
      fmt::format("vnode: node {} has waited {} s for all {} nodes to join: {} missing, and it waits on{}\n",
                  first_ + rank, std::chrono::duration_cast<std::chrono::seconds>(long_wait_).count(),
                  threads_.size(), ranks(false),
                  refused_.empty()
                      ? ". Where OpenMP made the threads, OMP_THREAD_LIMIT and OMP_DYNAMIC may give a region "
                        "fewer than it asks for"
                      : "; a thread has been refused: " + refused_);
  std::fputs(text.c_str(), stderr);
}

/// Waits for ready(), and returns false if the time limit has passed since `begin`. `ready` looks at opened_
/// and over_ only. Calls late() once when the wait has been long. An exception of the thread's WhileWaiting
/// leaves with the mutex held.
template <class Ready, class Late>
bool Roster::wait(Lock& lock, Clock::time_point begin, Ready&& ready, Late&& late) {
  const WaitPolicy policy = policy_;
  lock.unlock();
  const bool soon = look_out(policy, ready);
  lock.lock();
  if (soon) return true;
  const bool looks = looks_while_waiting();
  auto late_at = begin + long_wait_;
  constexpr auto never = Clock::time_point::max();
  const auto end = limit_.count() > 0 ? begin + limit_ : never;
  while (looks || end != never || late_at != never) {
    const auto next = std::min(end, late_at);
    if (changed_.wait_until(lock, looks ? std::min(next, Clock::now() + look_interval) : next, ready))
      return true;
    if (Clock::now() >= end) return false;
    if (Clock::now() >= late_at) {
      late();
      late_at = never;
    }
    struct Unlocked {
      Lock& lock;
      explicit Unlocked(Lock& held) : lock(held) { lock.unlock(); }
      ~Unlocked() { lock.lock(); }
    } unlocked(lock);
    look_while_waiting();
  }
  changed_.wait(lock, ready);
  return true;
}

/// Returns "nodes 0,3-5 are", with the ranks that have joined or have not.
std::string Roster::ranks(bool joined) const {
  std::vector<int> list;
  for (std::size_t rank = 0; rank < threads_.size(); ++rank)
    if ((at(threads_, rank) != nullptr) == joined) list.push_back(first_ + static_cast<int>(rank));
  return fmt::format("{} {} {}", list.size() == 1 ? "node" : "nodes", number_ranges(list),
                     list.size() == 1 ? "is" : "are");
}

}  // namespace vnode
