#include "fiber/carrier.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <thread>
#include <utility>

#include "base/touch_pages.hpp"

namespace vnode {
void Fiber::ring() noexcept {
  if (carrier_.is_here())
    carrier_.wake(*this);
  else
    carrier_.leave(*this);
}

void Fiber::sleep(std::chrono::nanoseconds longest) {
  asleep_ = 1;
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
  const FiberThread thread;  // runs may be on different ones
  FiberContext own(thread);
  own_ = &own;
  body_ = body;
  argument_ = argument;
  running_ = fibers_.size();
  clock_ = Clock::now();
  earliest_ = never;
  for (Fiber* const fiber : fibers_) {
    // It has not begun: its stack's first page is wanted at once.
    if (fiber->registers()[0] == nullptr) touch_pages(&fiber->stack_.back(), 1);
    fiber->begin(thread, fiber->stack_, work, fiber);
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
    left_.fetch_add(all, std::memory_order_release);  // (b) pairs with (c)
    return bell_.ring();
  }
  for (Fiber* const fiber : fibers_) wake(*fiber);
}

/// Rings a node for another thread, unless one has left that already: then it is about to say so, and what
/// this one has brought is taken with that.
void CarrierThread::leave(const Fiber& fiber) noexcept {
  std::atomic<std::uint64_t>& word =
      rung_[fiber.place_ / nodes_of_line].words[fiber.place_ % nodes_of_line / nodes_of_word];
  const std::uint64_t bit = std::uint64_t{1} << fiber.place_ % nodes_of_word;
  if ((word.fetch_or(bit, std::memory_order_release) & bit) != 0) return;  // (a) pairs with (d)
  left_.fetch_add(some, std::memory_order_release);                        // (b) pairs with (c)
  bell_.ring();
}

/// Rings those whom other threads have left to it.
void CarrierThread::do_left() {
  const std::uint64_t left = left_.load(std::memory_order_acquire);  // (c) pairs with (b)
  const std::uint64_t before = std::exchange(done_, left);
  if (left / all != before / all)
    for (Fiber* const fiber : fibers_) wake(*fiber);
  if (left % all == before % all) return;
  std::size_t first = 0;
  for (RungLine& line : rung_)
    for (std::atomic<std::uint64_t>& word : line.words) {
      if (word.load(std::memory_order_relaxed) != 0)
        for (std::uint64_t bits = word.exchange(0, std::memory_order_acquire); bits != 0; bits &= bits - 1)
          wake(*fibers_[first + static_cast<std::size_t>(std::countr_zero(bits))]);  // (d) pairs with (a)
      first += nodes_of_word;
    }
}

/// Takes the first node that can run out of the queue; waits until there is one.
Fiber& CarrierThread::next_runnable() {
  constexpr unsigned turns_to_a_look = 256;
  if (is_left()) do_left();
  if (++turns_ % turns_to_a_look == 0) look_at_clock();
  while (first_ == nullptr) wait();  // again, if those rung have returned from their bodies
  Fiber& next = *first_;
  first_ = next.next_;
  if (first_ == nullptr)
    last_ = nullptr;
  else
    first_->prefetch();
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
    if (fiber->asleep_ == 0) continue;
    if (fiber->until_ > clock_) {
      earliest_ = std::min(earliest_, fiber->until_);
    } else {
      fiber->slept_long_ = true;
      wake(*fiber);
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
    std::size_t lowest, stack;  // of stacks: the first of its carrier, its own
  };
  std::vector<Place> places;
  for (const std::vector<Rank>& some : nodes) {
    const std::size_t lowest = places.size();
    CarrierThread& carrier = carriers_.emplace_back(policy, some.size(), stacks_.stacks(lowest, some.size()));
    for (const Rank node : some) places.push_back({node, &carrier, lowest, places.size()});
  }
  std::ranges::sort(places, {}, &Place::node);
  for (const Place& place : places)
    place.carrier->add(fibers_.emplace_back(*place.carrier, place.stack - place.lowest, place.node,
                                            stacks_.stack(place.stack)));
  std::vector<DebuggedFiber> debugged;
  for (const Fiber& fiber : fibers_) debugged.push_back(fiber.debugged());
  debugged_.emplace(first, std::move(debugged));
}

}  // namespace vnode
