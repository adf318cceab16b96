#include "runtime/launch.hpp"

#include <fmt/format.h>
#include <system_error>
#include <utility>

#include <vnode/error.hpp>

#include "base/while_waiting.hpp"

namespace vnode {

Crew::Crew(int nodes, bool apart, WaitPolicy policy, Prepare prepare)
    : apart_(apart), policy_(policy), prepare_(std::move(prepare)) {
  const Rank first = apart ? 0 : 1;
  for (Rank rank = 0; rank <= nodes; ++rank) seats_.push_back(std::make_unique<Seat>(policy.fencing));
  busy_.store(static_cast<std::uint32_t>(nodes - first), std::memory_order_relaxed);
  threads_.reserve(static_cast<std::size_t>(nodes));
  for (Rank rank = first; rank < nodes; ++rank) {
    const auto refused = [&](const std::string& why) {
      const std::size_t started = threads_.size();
      dismiss();
      throw SystemError(fmt::format("cannot start {} threads for a team: the system stops at {} ({})",
                                    nodes - first, started, why));
    };
    try {
      threads_.push_back(started(rank, 0));
    } catch (const std::system_error& error) {
      refused(error.code().message());
    } catch (const std::bad_alloc&) {
      refused("no memory");
    }
  }
  // All have been prepared when the constructor returns: prepare() may refer to what does not outlive it.
  await_others();
  if (!unprepared_) return;
  dismiss();
  std::rethrow_exception(unprepared_);
}

Crew::~Crew() { dismiss(); }

void Crew::dismiss() {
  over_.store(true, std::memory_order_relaxed);
  run_.fetch_add(1, std::memory_order_release);  // (a)
  for (auto& seat : seats_) seat->bell.ring();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

std::thread Crew::started(Rank rank, std::uint32_t seen) {
  return std::thread([this, rank, seen] { work(rank, seen); });
}

void Crew::await_others() {
  wait(
      seats_.back()->bell, [&] { return busy_.load(std::memory_order_acquire) == 0; },  // pairs with (c)
      std::chrono::seconds(1), [] {});
}

/// Those whose threads have ended in a run.
void Crew::start_again() {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const Rank rank = static_cast<Rank>(i) + (apart_ ? 0 : 1);
    Seat& seat = *seats_[static_cast<std::size_t>(rank)];
    if (!seat.ended) continue;
    if (threads_[i].joinable()) threads_[i].join();
    busy_.store(1, std::memory_order_relaxed);
    try {
      threads_[i] = started(rank, run_.load(std::memory_order_relaxed));
    } catch (const std::system_error& error) {
      throw SystemError(fmt::format("node {}'s thread has ended, and the system refuses another ({})", rank,
                                    error.code().message()));
    }
    seat.ended = false;
    await_others();
  }
}

void Crew::run(bool (*job)(void*, Rank), void* argument, void (*interrupted)(void*, std::exception_ptr)) {
  start_again();
  job_ = job;
  argument_ = argument;
  busy_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  run_.fetch_add(1, std::memory_order_release);  // (a) publishes the three above
  for (std::size_t rank = apart_ ? 0 : 1; rank + 1 < seats_.size(); ++rank) seats_[rank]->bell.ring();
  try {
    if (!apart_ && !job(argument, 0)) return;
  } catch (...) {
    await_others();
    throw;
  }
  wait(
      seats_.back()->bell, [&] { return busy_.load(std::memory_order_acquire) == 0; },  // pairs with (c)
      looks_while_waiting() ? look_interval : std::chrono::seconds(1),
      [&] {
        try {
          look_while_waiting();
        } catch (...) {
          interrupted(argument, std::current_exception());
        }
      });
}

void Crew::work(Rank rank, std::uint32_t seen) {
  std::shared_ptr<void> prepared;
  try {
    prepared = prepare_(rank);
  } catch (...) {
    const std::lock_guard lock(preparing_);
    if (!unprepared_) unprepared_ = std::current_exception();
  }
  Seat& seat = *seats_[static_cast<std::size_t>(rank)];
  const auto finish = [&] {
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      seats_.back()->bell.ring();  // (c) what this run did is done
  };
  finish();
  for (;;) {
    wait(
        seat.bell, [&] { return run_.load(std::memory_order_acquire) != seen; },  // (b) pairs with (a)
        std::chrono::seconds(1), [] {});
    ++seen;
    if (over_.load(std::memory_order_relaxed)) return;
    try {
      if (!job_(argument_, rank)) return;
    } catch (...) {
      prepared.reset();
      seat.ended = true;
      finish();
      throw;
    }
    finish();
  }
}

/// Calls look() now and then, at most `interval` apart.
template <class Ready, class Look>
void Crew::wait(Doorbell& bell, Ready&& ready, std::chrono::milliseconds interval, Look&& look) {
  if (look_out(policy_, ready)) return;
  while (!ready()) {
    bell.sleep(ready, [=] { return interval; });
    look();
  }
}

}
