#include "team/launch.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <system_error>
#include <utility>

#include <vnode/error.hpp>

#include "base/while_waiting.hpp"

namespace vnode {

void check_stack() {
  constexpr std::size_t least = std::size_t{64} << 10;
  rlimit limit{};
  // If the limit is usual, the stacks are, too; to ask for the thread's own size would take long.
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least) return;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  std::size_t stack = 0;
  pthread_attr_getstacksize(&attributes, &stack);
  pthread_attr_destroy(&attributes);
  if (stack < least)
    throw SystemError(fmt::format(
        "a stack of {} KiB is too small for a team: its caller needs {} (ulimit -s {}, or a thread "
        "that is started with more)",
        stack >> 10, least >> 10, least >> 10));
}

Crew::Crew(int nodes, bool apart, WaitPolicy policy, Prepare prepare)
    : apart_(apart), policy_(policy), prepare_(std::move(prepare)) {
  const Rank first = apart ? 0 : 1;
  for (Rank rank = 0; rank <= nodes; ++rank)
    seats_.push_back(std::make_unique<Seat>(*this, rank, policy.fencing));
  busy_.store(static_cast<std::uint32_t>(nodes - first), std::memory_order_relaxed);
  threads_.reserve(static_cast<std::size_t>(nodes));
  for (Rank rank = first; rank < nodes; ++rank) {
    pthread_t thread{};
    const int error = start(*seats_[static_cast<std::size_t>(rank)], thread);
    if (error == 0) {
      threads_.push_back(thread);
      continue;
    }
    const std::size_t started = threads_.size();
    dismiss();
    throw SystemError(fmt::format("cannot start {} threads for a team: the system stops at {} ({})",
                                  nodes - first, started, std::generic_category().message(error)));
  }
  // All threads are prepared before the constructor returns, since prepare() may refer to what does not
  // outlive it.
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
  for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
  threads_.clear();
}

void Crew::await_others() {
  wait(
      seats_.back()->bell, [&] { return busy_.load(std::memory_order_acquire) == 0; },  // pairs with (c)
      std::chrono::seconds(1), [] {});
}

/// Starts the threads of those nodes anew whose threads have ended in a run.
void Crew::start_again() {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const Rank rank = static_cast<Rank>(i) + (apart_ ? 0 : 1);
    Seat& seat = *seats_[static_cast<std::size_t>(rank)];
    if (!seat.ended) continue;
    pthread_t thread{};
    busy_.store(1, std::memory_order_relaxed);
    seat.seen = run_.load(std::memory_order_relaxed);
    if (const int error = start(seat, thread); error != 0)
      throw SystemError(fmt::format("node {}'s thread has ended, and the system refuses another ({})", rank,
                                    std::generic_category().message(error)));
    pthread_join(std::exchange(threads_[i], thread), nullptr);
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

int Crew::start(const Seat& seat, pthread_t& thread) {
  pthread_attr_t attributes;
  if (const int error = pthread_attr_init(&attributes); error != 0) return error;
  std::size_t stack = 0;
  pthread_attr_getstacksize(&attributes, &stack);  // the default
  const bool small = stack < least_stack && pthread_attr_setstacksize(&attributes, least_stack) == 0;
  const auto work = [](void* of) -> void* {
    const auto& own = *static_cast<const Seat*>(of);
    own.crew.work(own.rank);
    return nullptr;
  };
  const int error = pthread_create(&thread, small ? &attributes : nullptr, work,
                                   const_cast<void*>(static_cast<const void*>(&seat)));
  pthread_attr_destroy(&attributes);
  return error;
}

void Crew::work(Rank rank) {
  std::shared_ptr<void> prepared;
  try {
    prepared = prepare_(rank);
  } catch (...) {
    const std::lock_guard lock(preparing_);
    if (!unprepared_) unprepared_ = std::current_exception();
  }
  Seat& seat = *seats_[static_cast<std::size_t>(rank)];
  std::uint32_t seen = seat.seen;
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
