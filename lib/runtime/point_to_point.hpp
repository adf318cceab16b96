#pragma once

#include <cstddef>
#include <cstdint>

#include <vnode/rank.hpp>

#include "runtime/endpoint.hpp"
#include "runtime/plan.hpp"
#include "runtime/waiter.hpp"

namespace vnode {

/// The other end of a message between two nodes, outside of any collective.
struct Correspondence {
  Rank peer = 0;  ///< a node of the team
  std::uint32_t tag = 0;
  std::uint16_t context = Context::messages;  ///< that of a group's messages
  std::uint16_t generation = 0;               ///< of the group, among those that have had its context
  std::uint32_t signature = 0;                ///< of the element type
  std::size_t element_bytes = 1;

  Head head(Kind kind, std::size_t bytes) const {
    // Where collectives have the round.
    return {tag, signature, context, generation, kind, static_cast<std::uint16_t>(bytes)};
  }
  Awaited awaited() const { return {nullptr, context, tag, 0, peer}; }
};

/// One message on its way out. Short ones leave in lines; of long ones the receiver is told where they lie,
/// and copies them, or its half of them if the sender stays to serve the other. As an Execution, it never
/// blocks.
class Sending {
 public:
  Sending(Endpoint& endpoint, const Correspondence& with, const std::byte* data, std::size_t bytes,
          const Profile& profile, bool stays = true)
      : endpoint_(endpoint),
        with_(with),
        data_(data),
        bytes_(bytes),
        max_inline_(profile.max_inline),
        serves_(stays && bytes >= profile.min_shared) {}

  /// True when the data may be reused.
  bool advance();
  /// The receiver will get it before later messages.
  bool announced() const { return stage_ != Stage::announce; }
  const Correspondence& with() const { return with_; }
  const std::atomic<std::uint64_t>* watch() const;
  Awaited awaited() const { return with_.awaited(); }

 private:
  enum class Stage : std::uint8_t { announce, serve, await, done };
  bool announce();
  bool serve();

  Endpoint& endpoint_;
  Correspondence with_;
  const std::byte* data_;
  std::size_t bytes_, max_inline_;
  bool serves_;
  Stage stage_ = Stage::announce;
  Ticket ticket_;
};

/// One message on its way in.
class Receiving {
 public:
  Receiving(Endpoint& endpoint, const Correspondence& with, std::byte* data, std::size_t room)
      : endpoint_(endpoint), with_(with), data_(data), room_(room) {}

  /// True when the message is there. Throws Mismatch if it is of another type or longer than the room.
  bool advance();
  std::size_t bytes() const { return bytes_; }
  /// Later messages may be received.
  bool announced() const { return stage_ != Stage::receive; }
  const Correspondence& with() const { return with_; }
  const std::atomic<std::uint64_t>* watch() const;
  Awaited awaited() const { return with_.awaited(); }

 private:
  enum class Stage : std::uint8_t { receive, expose, pull, await, done };
  bool receive();
  bool expose();
  void pull();

  Endpoint& endpoint_;
  Correspondence with_;
  std::byte* data_;
  std::size_t room_;
  Stage stage_ = Stage::receive;
  const std::byte* source_ = nullptr;
  bool served_ = false;  // the sender copies its half
  Ticket ticket_, sender_;
  std::size_t bytes_ = 0;
};

}
