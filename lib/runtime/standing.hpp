#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <vnode/error.hpp>

#include "runtime/endpoint.hpp"
#include "runtime/joint_standstill.hpp"
#include "runtime/vigil.hpp"

namespace vnode {

/// A node's part in the Standstill of its run, for as long as it waits for one thing. It is counted once the
/// wait has been long and in vain, and confirms when it is asked.
class Standing {
 public:
  explicit Standing(Endpoint& endpoint)
      : endpoint_(endpoint), standstill_(endpoint.fabric().standstill()), begin_(Clock::now()) {}
  ~Standing() {
    if (counted_) standstill_.end();
  }
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

  /// Whether all nodes are counted, and this one has not confirmed that it waits in vain.
  bool is_asked() const { return counted_ && standstill_.asks(confirmed_); }
  /// How long the node may sleep before it looks.
  std::chrono::nanoseconds nap() const {
    // Nobody rings for what a wire brings.
    const std::chrono::nanoseconds longest =
        endpoint_.remote() != nullptr ? std::chrono::microseconds(100) : std::chrono::milliseconds(50);
    return counted_ ? longest : std::min(longest, endpoint_.fabric().long_wait());
  }
  /// After a look in vain. True if the wait is over. Throws Deadlock if all nodes wait and none will ever go
  /// on, and Mismatch if their calls do not match.
  template <class Poll, class Describe, class Serve>
  bool look(Vigil& vigil, Poll& poll, Describe& awaited, Serve& serve) {
    if (!counted_) {
      const Fabric& fabric = endpoint_.fabric();
      if (!fabric.names_deadlocks() || Clock::now() - begin_ < fabric.long_wait()) return false;
      begin(awaited());
    }
    const JointStandstill* const joint = endpoint_.fabric().joint_standstill();
    if (joint != nullptr && joint->is_known_to_all()) throw Deadlock(*standstill_.verdict());
    const std::optional<Standstill::Epoch> epoch = standstill_.asks(confirmed_);
    if (!epoch) return false;
    // What makes the wait hopeless may be older than what ends it, so it is looked for first.
    const bool hopeless = vigil.is_hopeless(awaited());
    const std::uint64_t stir = stirred();
    serve(true);
    if (poll()) return true;
    const Awaited in_vain = awaited();
    if (done(in_vain) != done_ || expects())
      end();
    else if (hopeless)
      vigil.give_up();
    else if (stirred() == stir)  // else it may have come after the look
      confirm(*epoch, in_vain);
    return false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// Grows with all that the node does and others may see.
  std::uint64_t done(const Awaited& awaited) const { return awaited.progress + endpoint_.put_aside(); }
  /// Of its wire, if it has one.
  std::uint64_t stirred() const { return endpoint_.remote() != nullptr ? endpoint_.remote()->stir() : 0; }
  bool expects() const { return endpoint_.remote() != nullptr && endpoint_.remote()->expects(); }
  void begin(const Awaited& awaited);
  void end();
  void confirm(Standstill::Epoch epoch, const Awaited& awaited);

  Endpoint& endpoint_;
  Standstill& standstill_;
  Clock::time_point begin_;  // of the wait, or of that since it has done something
  bool counted_ = false;
  std::uint64_t done_ = 0;  // before it was counted
  std::optional<Standstill::Epoch> confirmed_;
};

}  // namespace vnode
