#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <vnode/rank.hpp>

#include "runtime/endpoint.hpp"
#include "runtime/message_pattern.hpp"
#include "runtime/point_to_point.hpp"
#include "runtime/vigil.hpp"

namespace vnode {

/// The bytes of a message's elements, wherever these are.
std::size_t bytes_of(Endpoint& endpoint, const Endpoint::Found& found);

/// A receive whose source or tag is open until it is matched: then it goes on as any other. As an Execution,
/// it never blocks.
class OpenReceiving {
 public:
  static constexpr bool inwards = true;

  /// `with`: its peer and tag may be those of a MessagePattern. `senders`: the group, which stays until the
  /// receive has been matched.
  OpenReceiving(Endpoint& endpoint, const Correspondence& with, std::byte* data, std::size_t room,
                const Context& senders)
      : endpoint_(endpoint), receiving_(endpoint, with, data, room), senders_(senders) {}

  bool advance() {
    if (!bound_ && !match()) return false;
    return receiving_.advance();
  }
  /// It is matched with the oldest message of this node with this tag, which is there.
  void bind(Rank from, std::uint32_t tag) {
    receiving_.bind(from, tag);
    bound_ = true;
  }
  /// From the next look on it misses nothing that is there.
  void look_everywhere() { everywhere_ = true; }

  bool announced() const { return bound_ && receiving_.announced(); }
  const Correspondence& with() const { return receiving_.with(); }
  std::size_t received() const { return receiving_.received(); }
  std::size_t received_bytes() const { return receiving_.received_bytes(); }
  const std::atomic<std::uint64_t>* watch() const { return bound_ ? receiving_.watch() : nullptr; }
  Awaited awaited() const {
    Awaited awaited = receiving_.awaited();
    if (!bound_ && awaited.peer == MessagePattern::any_source) awaited.senders = &senders_;
    return awaited;
  }

 private:
  bool match() {
    const auto found = endpoint_.find(with().pattern(), everywhere_ || std::exchange(first_, false));
    if (found) bind(found->from, found->head.call);
    return found.has_value();
  }

  Endpoint& endpoint_;
  Receiving receiving_;
  const Context& senders_;
  bool bound_ = false, first_ = true, everywhere_ = false;
};

/// The receive of a message that has been taken out of channel and store.
class HeldReceiving {
 public:
  static constexpr bool inwards = true;

  HeldReceiving(Endpoint& endpoint, const Correspondence& with, std::byte* data, std::size_t room,
                UnexpectedMessages::Owned message)
      : receiving_(endpoint, with, data, room), message_(std::move(message)) {}

  bool advance() {
    if (message_ != nullptr) {
      receiving_.take(message_->head(), message_->payload());
      message_.reset();
    }
    return receiving_.advance();
  }
  bool announced() const { return true; }
  const Correspondence& with() const { return receiving_.with(); }
  std::size_t received() const { return receiving_.received(); }
  std::size_t received_bytes() const { return receiving_.received_bytes(); }
  const std::atomic<std::uint64_t>* watch() const { return receiving_.watch(); }
  Awaited awaited() const { return receiving_.awaited(); }

 private:
  Receiving receiving_;
  UnexpectedMessages::Owned message_;
};

}  // namespace vnode
