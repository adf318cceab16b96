#include "timing/gate.hpp"

#include <thread>

#include <vnode/node.hpp>

#include "base/pause.hpp"

namespace vnode {
namespace {

// This is long enough for the deadline to reach every caller: they all fetch one line, one after the other.
Ticks lead(int callers) { return the_clock().ticks(2.0 + 0.15 * callers); }

}  // namespace

Gate::Gate(int callers, bool spinning)
    : callers_(static_cast<std::uint64_t>(callers)),
      spinning_(spinning),
      lead_(lead(callers)),
      caller_(static_cast<std::size_t>(callers)) {}

template <class Ready>
void Gate::wait(const Seat& seat, Ready ready) const {
  while (!ready()) {
    if (closed_.load(std::memory_order_relaxed)) throw Closed{};
    if (spinning_)
      pause();
    else if (seat.node != nullptr)
      seat.node->yield();
    else
      std::this_thread::yield();
  }
}

void Gate::meet(const Seat& seat) {
  const std::uint64_t all = ++caller_[static_cast<std::size_t>(seat.rank)].meetings * callers_;
  arrived_.fetch_add(1, std::memory_order_acq_rel);  // (a) what was written before is seen by all after
  wait(seat, [&] { return arrived_.load(std::memory_order_acquire) >= all; });  // pairs with (a)
}

Gate::Passage Gate::release(const Seat& seat) {
  if (!spinning_) {
    meet(seat);
    const Ticks entry = now_after();
    return {entry, entry};
  }
  Caller& self = caller_[static_cast<std::size_t>(seat.rank)];
  if (seat.rank == 0) {
    meet(seat);
    self.deadline = now() + lead_;
    deadline_.store(self.deadline, std::memory_order_release);  // (b) all have come
  } else {
    ++self.meetings;
    arrived_.fetch_add(1, std::memory_order_acq_rel);  // (a)
    const Ticks last = self.deadline;
    wait(seat, [&] { return deadline_.load(std::memory_order_acquire) != last; });  // pairs with (b)
    self.deadline = deadline_.load(std::memory_order_relaxed);                      // as just now
  }
  Ticks entry = now();
  while (entry < self.deadline) entry = now();
  return {self.deadline, entry};
}

}  // namespace vnode
