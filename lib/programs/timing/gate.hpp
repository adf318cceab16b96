#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <vector>

#include <vnode/rank.hpp>

#include "timing/clock.hpp"
#include "timing/contestant.hpp"

namespace vnode {

/// A gate is where the callers of a measurement meet before and after every timed call.
///
/// Every caller calls meet() and release() in the same order. With a core for each caller they spin, and
/// release() lets all of them go at one deadline of the common clock; with fewer cores they yield, each as a
/// node if it is one, and release() is meet(). The counter `arrived_` only grows: after its n-th meeting it
/// has counted n * callers.
class Gate {
 public:
  Gate(int callers, bool spinning);

  /// Says when a caller was let go, and when it should have been (equal when yielding).
  struct Passage {
    Ticks deadline, entry;
  };

  void meet(const Seat& seat);
  Passage release(const Seat& seat);

  /// Calls body(), which is all that a caller does. If it throws, all others leave their bodies where they
  /// wait, now or later, and return; this exception goes on.
  template <class Body>
  void attend(const Body& body) {
    try {
      body();
    } catch (const Closed&) {
    } catch (...) {
      closed_.store(true, std::memory_order_relaxed);
      throw;
    }
  }

 private:
  struct Closed : std::exception {};
  template <class Ready>
  void wait(const Seat& seat, Ready ready) const;

  struct alignas(128) Caller {
    std::uint64_t meetings = 0;
    Ticks deadline = 0;
  };
  const std::uint64_t callers_;
  const bool spinning_;
  const Ticks lead_;
  std::vector<Caller> caller_;
  alignas(128) std::atomic<std::uint64_t> arrived_{0};
  alignas(128) std::atomic<Ticks> deadline_{0};
  alignas(128) std::atomic<bool> closed_{false};
};

}  // namespace vnode
