#include "fiber/carrier.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>

#include "base/touch_pages.hpp"

namespace vnode {
void Fiber::ring() noexcept {
  const bool on_carrier = carrier_.is_here();
  if constexpr (sanitized_threads) {
    // (a) acq_rel with (b): all read-modify-writes of one word are ordered.
    if (asleep_.fetch_add(0, std::memory_order_acq_rel) == 0) return;
  } else {
    if (!on_carrier) std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the one in announce()
    if (asleep_.load(std::memory_order_relaxed) == 0) return;
  }
  // Only who changes it may put the fiber into the queue: another thread may ring at the same time.
  if (asleep_.exchange(0, std::memory_order_acq_rel) == 0) return;
  if (on_carrier)
    carrier_.append(*this);
  else
    carrier_.put(*this);
}

void Fiber::let_others_run(std::chrono::nanoseconds longest) {
  slept_long_ = false;
  until_ =
      longest < CarrierThread::never - carrier_.clock_ ? carrier_.clock_ + longest : CarrierThread::never;
  carrier_.earliest_ = std::min(carrier_.earliest_, until_);
  Fiber& next = carrier_.next_runnable();
  if (&next != this) switch_to(next);
}

void Fiber::yield() {
  carrier_.append(*this);
  Fiber& next = carrier_.next_runnable();
  if (&next != this) switch_to(next);
}

bool CarrierThread::run(Body body, void* argument) {
  static thread_local const OverflowWatch watch;
  FiberContext own;  // runs may be on different threads
  own_ = &own;
  body_ = body;
  argument_ = argument;
  running_ = fibers_.size();
  clock_ = Clock::now();
  earliest_ = never;
  for (Fiber* const fiber : fibers_) {
    // It has not begun: its stack's first page is wanted at once.
    if (fiber->registers()[0] == nullptr) touch_pages(&fiber->stack_.back(), 1);
    fiber->begin(fiber->stack_, work, fiber);
    append(*fiber);
  }
  own.switch_to(next_runnable());
  return !abandoned_;
}

FiberContext& CarrierThread::work(void* of) {
  auto& fiber = *static_cast<Fiber*>(of);
  CarrierThread& carrier = fiber.carrier_;
  if (!carrier.body_(carrier.argument_, fiber.node_)) {
    carrier.abandoned_ = true;
    return *carrier.own_;
  }
  if (--carrier.running_ == 0) return *carrier.own_;
  return carrier.next_runnable();
}

void CarrierThread::ring_all() noexcept {
  if (!is_here()) {
    ring_all_.store(true, std::memory_order_release);  // (e) pairs with (f)
    return bell_.ring();
  }
  for (Fiber* const fiber : fibers_)
    if (fiber->asleep_.load(std::memory_order_relaxed) != 0 && fiber->renounce()) append(*fiber);
}

/// Is called by other threads.
void CarrierThread::put(Fiber& fiber) noexcept {
  Fiber* last = put_.load(std::memory_order_relaxed);
  do fiber.next_ = last;
  while (!put_.compare_exchange_weak(last, &fiber, std::memory_order_release,  // (c) pairs with (d)
                                     std::memory_order_relaxed));
  bell_.ring();
}

/// Does what other threads have left: takes the nodes that they have put on their list, in the order in which
/// they have, and rings all.
void CarrierThread::do_left() {
  if (ring_all_.load(std::memory_order_relaxed)) {
    ring_all_.exchange(false, std::memory_order_acquire);  // (f) pairs with (e)
    ring_all();
  }
  Fiber* list = put_.exchange(nullptr, std::memory_order_acquire);  // (d) pairs with (c)
  Fiber* reversed = nullptr;
  while (list != nullptr) {
    Fiber* const next = std::exchange(list->next_, reversed);
    reversed = std::exchange(list, next);
  }
  while (reversed != nullptr) append(*std::exchange(reversed, reversed->next_));
}

/// Takes the first node that can run out of the queue; waits until there is one.
Fiber& CarrierThread::next_runnable() {
  constexpr unsigned turns_to_a_look = 256;
  if (is_left()) do_left();
  if (++turns_ % turns_to_a_look == 0) look_at_clock();
  while (first_ == nullptr) wait();  // all may have been rung already, and not be on the list yet
  Fiber& next = *first_;
  first_ = next.next_;
  if (first_ == nullptr) last_ = nullptr;
  return next;
}

void CarrierThread::wait() {
  const auto left = [&] { return is_left(); };
  for (int i = 0; i < 100 && !left(); ++i) pause();
  const auto begin = Clock::now();
  while (!left()) {
    look_at_clock();
    if (first_ != nullptr) return;
    const auto idle = clock_ - begin;
    if (idle < policy_.spin_until) {
      for (int i = 0; i < 100 && !left(); ++i) pause();
    } else if (idle < policy_.yield_until) {
      std::this_thread::yield();
    } else {
      bell_.sleep(left,
                  [&] { return std::min<Clock::duration>(earliest_ - clock_, std::chrono::seconds(1)); });
    }
  }
  do_left();
}

/// Reads the clock, and lets those nodes run whose sleep has been long enough.
void CarrierThread::look_at_clock() {
  clock_ = Clock::now();
  if (clock_ < earliest_) return;
  earliest_ = never;
  for (Fiber* const fiber : fibers_) {
    if (fiber->asleep_.load(std::memory_order_relaxed) == 0) continue;
    if (fiber->until_ > clock_) {
      earliest_ = std::min(earliest_, fiber->until_);
    } else if (fiber->renounce()) {
      fiber->slept_long_ = true;
      append(*fiber);
    }
  }
}

Carriers::Carriers(const std::vector<std::vector<Rank>>& nodes, Rank first, std::size_t stack,
                   IdlePolicy policy)
    : first_(first),
      stacks_(std::accumulate(nodes.begin(), nodes.end(), std::size_t{0},
                              [](std::size_t sum, const auto& some) { return sum + some.size(); }),
              stack) {
  struct Place {
    Rank node;
    CarrierThread* carrier;
    std::size_t stack;
  };
  std::vector<Place> places;
  for (const std::vector<Rank>& some : nodes) {
    CarrierThread& carrier = carriers_.emplace_back(policy, stacks_.stacks(places.size(), some.size()));
    for (const Rank node : some) places.push_back({node, &carrier, places.size()});
  }
  std::ranges::sort(places, {}, &Place::node);
  for (const Place& place : places)
    place.carrier->add(fibers_.emplace_back(*place.carrier, place.node, stacks_.stack(place.stack)));
  std::vector<DebuggedFiber> debugged;
  for (const Fiber& fiber : fibers_) debugged.push_back(fiber.debugged());
  debugged_.emplace(first, std::move(debugged));
}

}  // namespace vnode
