#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <vnode/rank.hpp>

#include "runtime/laid_copy.hpp"
#include "runtime/message_pattern.hpp"
#include "runtime/plan.hpp"
#include "runtime/transfer.hpp"
#include "runtime/unexpected.hpp"
#include "runtime/vigil.hpp"

namespace vnode {

/// The other end of a message between two nodes, outside of any collective.
struct Correspondence {
  Rank peer = 0;  ///< a node of the team
  std::uint32_t tag = 0;
  std::uint16_t context = Context::messages;  ///< that of a group's messages
  std::uint16_t generation = 0;               ///< of the group, among those that have had its context
  std::uint32_t signature = 0;                ///< of the element type
  std::size_t element_bytes = 1;

  Head head(Kind kind = Kind::data) const {
    return {tag,        signature, context,
            generation, kind,      0};  // the generation is where collectives have the round
  }
  MessagePattern pattern() const { return {peer, tag, context, generation}; }
  Awaited awaited(std::uint64_t progress, const char* message) const {
    return {nullptr, context, tag, 0, peer, 0, progress, nullptr, message};
  }
};

/// What an end of a message announces.
struct MessageMemory {
  std::byte* data;
  bool shared;  ///< both ends copy
};

/// Sends a short message at once, in lines: the same as Sending::advance(). False if that cannot be. Only
/// while Endpoint::is_plain().
[[gnu::always_inline]] inline bool send_at_once(Endpoint& endpoint, const Correspondence& with,
                                                const std::byte* data, std::size_t bytes) {
  LineRing* const lines = endpoint.lines_to(with.peer);
  Head head = with.head();
  head.bytes = static_cast<std::uint16_t>(bytes);
  if (lines == nullptr || !lines->push(head, data)) return false;
  endpoint.fabric().ring(with.peer);
  return true;
}

/// Receives a message that is the next in the channel's lines, and fits; `expect` waits for one for a short
/// time, as Waiter::expect(). False if there is none: nothing has been done. Only while Endpoint::is_plain().
template <class Expect>
[[gnu::always_inline]] inline bool receive_at_once(Endpoint& endpoint, const Correspondence& with,
                                                   std::byte* data, std::size_t room, std::size_t& bytes,
                                                   Expect&& expect) {
  LineRing* const lines = endpoint.lines_from(with.peer);
  const Head head = with.head();
  if (lines == nullptr || !expect([&] { return lines->has_front(); }) ||
      !lines->is_front(head.stamp(), head.name(), bytes) || bytes > room)
    return false;
  const std::byte* const payload = lines->payload(bytes, data);
  if (payload != data) copy_small(data, payload, bytes);
  if (lines->pop(bytes)) endpoint.fabric().ring(with.peer);
  return true;
}

/// How a message is sent.
struct SendMode {
  bool stays = true;         ///< the sender waits, and may copy a part of a long one itself
  bool synchronous = false;  ///< its data may be reused only when the receiver has begun to receive
  bool copies = false;       ///< its data are copied first
};

/// One message on its way out: eager if it is short, else by rendezvous, which is shared if the sender stays
/// and the message is long enough. As an Execution, it never blocks.
class Sending {
 public:
  static constexpr bool inwards = false;

  Sending(Endpoint& endpoint, const Correspondence& with, const Buffer& sent, const ElementType& type,
          const Profile& profile, SendMode mode = {})
      : endpoint_(endpoint),
        with_(with),
        elements_(sent, type, mode.copies),
        eager_(elements_.bytes() <= profile.max_inline && !mode.synchronous),
        shared_(mode.stays && elements_.bytes() >= profile.min_shared &&
                endpoint.remote(with.peer) == nullptr),
        synchronous_(mode.synchronous) {
    elements_.pack();
  }

  /// Does the same as advance(), of a message that goes in lines at once. Only while Endpoint::is_plain().
  bool at_once() {
    if (!eager_ || !send_at_once(endpoint_, with_, elements_.data(), bytes())) return false;
    stage_ = Stage::done;
    return true;
  }
  /// True when the data may be reused.
  bool advance();
  /// The receiver will get it before later messages.
  bool announced() const { return stage_ != Stage::send; }
  const Correspondence& with() const { return with_; }
  std::size_t bytes() const { return elements_.bytes(); }
  const std::atomic<std::uint64_t>* watch() const;
  Awaited awaited() const { return with_.awaited(static_cast<std::uint64_t>(stage_), "send"); }

 private:
  enum class Stage : std::uint8_t { send, serve, await, done };
  bool send();
  bool announce();
  bool serve();

  Endpoint& endpoint_;
  Correspondence with_;
  PackedElements elements_;
  bool eager_, shared_, synchronous_;
  Stage stage_ = Stage::send;
  Ticket ticket_;
};

/// One message on its way in. Its source or tag may be open until it is matched: then it goes on as any
/// other.
class Receiving {
 public:
  static constexpr bool inwards = true;

  /// `senders`: the group, which stays until the receive has been matched; then the peer and tag of `with`
  /// may be those of a MessagePattern.
  Receiving(Endpoint& endpoint, const Correspondence& with, const Buffer& room, const ElementType& type,
            const Context* senders = nullptr)
      : endpoint_(endpoint),
        with_(with),
        elements_(room, type),
        senders_(senders),
        stage_(senders != nullptr ? Stage::match : Stage::receive) {}
  /// `message` has been taken out of channel and store.
  Receiving(Endpoint& endpoint, const Correspondence& with, const Buffer& room, const ElementType& type,
            UnexpectedMessages::Owned message)
      : Receiving(endpoint, with, room, type) {
    taken_ = std::move(message);
    stage_ = Stage::take;
  }

  /// Does the same as advance(), of a message that is not open: see receive_at_once().
  template <class Expect>
  bool at_once(Expect&& expect) {
    if (!receive_at_once(endpoint_, with_, elements_.data(), elements_.bytes(), bytes_, expect)) return false;
    stage_ = Stage::done;
    elements_.unpack(bytes_ / with_.element_bytes);
    return true;
  }
  /// True when the message is there. Throws Mismatch if it is of another type or longer than the room.
  bool advance();
  /// Later messages may be received.
  bool announced() const { return stage_ > Stage::receive; }
  /// Of an open one: it is matched with the oldest message of this node with this tag, which is there.
  void bind(Rank from, std::uint32_t tag) {
    if (stage_ != Stage::match) return;
    with_.peer = from;
    with_.tag = tag;
    stage_ = Stage::receive;
  }
  /// From the next look on an open one misses nothing that is there.
  void look_everywhere() { everywhere_ = true; }
  const Correspondence& with() const { return with_; }
  /// Bytes received, when the message is there.
  std::size_t bytes() const { return bytes_; }
  const std::atomic<std::uint64_t>* watch() const;
  Awaited awaited() const {
    Awaited awaited = with_.awaited(static_cast<std::uint64_t>(stage_), "recv");
    if (stage_ == Stage::match && awaited.peer == MessagePattern::any_source) awaited.senders = senders_;
    return awaited;
  }

 private:
  enum class Stage : std::uint8_t { match, receive, take, remote, expose, pull, await, done };
  bool match();
  bool receive();
  void take();
  bool receive_remotely();
  void carried(const std::byte* payload, std::size_t bytes);
  void announced(const Announcement<MessageMemory>& theirs);
  void announced(const Remote::Announcement& theirs);
  bool expose();
  void pull();
  void expect(std::size_t bytes);

  Endpoint& endpoint_;
  Correspondence with_;
  PackedElements elements_;
  const Context* senders_;
  Stage stage_;
  bool everywhere_ = true;
  UnexpectedMessages::Owned taken_;
  Announcement<MessageMemory> theirs_{};
  Remote::Announcement remote_{};  // if it comes from another process
  Ticket ticket_;
  std::size_t bytes_ = 0;
};

/// A message out and one in, both at once.
struct Exchange {
  Sending& outgoing;
  Receiving& incoming;
  bool sent = false, arrived = false;

  bool advance() {
    sent = sent || outgoing.advance();
    arrived = arrived || incoming.advance();
    return sent && arrived;
  }
  Awaited awaited() const {
    Awaited next = arrived ? outgoing.awaited() : incoming.awaited();
    next.progress = outgoing.awaited().progress + incoming.awaited().progress;
    return next;
  }
  const std::atomic<std::uint64_t>* watch() const { return arrived ? outgoing.watch() : incoming.watch(); }
  void look_everywhere() { incoming.look_everywhere(); }
};

/// The bytes of a message's elements, wherever these are.
std::size_t bytes_of(Endpoint& endpoint, const Endpoint::Found& found);

}  // namespace vnode
