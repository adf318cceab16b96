#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <vnode/rank.hpp>

#include "compile/plan.hpp"
#include "execute/laid_copy.hpp"
#include "execute/transfer.hpp"
#include "transport/message_pattern.hpp"
#include "transport/unexpected.hpp"
#include "watch/wait_monitor.hpp"

namespace vnode {

/// Describes the other end of a message between two nodes, outside of any collective.
struct Correspondence {
  Rank peer = 0;  ///< a node of the team
  std::uint32_t tag = 0;
  std::uint16_t context = message_context;  ///< that of a group's messages
  std::uint16_t generation = 0;             ///< number of the group among those that have had its context
  std::uint32_t signature = 0;              ///< of the element type
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

/// Describes the memory that one end of a message announces.
struct MessageMemory {
  std::byte* data;
  bool shared;  ///< both ends copy a part each
};

/// Sends a short message at once, in lines, as Sending::advance() would; `stamp` and `name` are the words of
/// the head of one without payload. Returns false if that cannot be done now. Called only while
/// Endpoint::is_plain().
[[gnu::always_inline]] inline bool send_at_once(Endpoint& endpoint, Rank to, std::uint64_t stamp,
                                                std::uint64_t name, const std::byte* data,
                                                std::size_t bytes) {
  LineRing* const lines = endpoint.lines_to(to);
  if (lines == nullptr ||
      !lines->push(stamp | Head{.bytes = static_cast<std::uint16_t>(bytes)}.stamp(), name, data, bytes))
    return false;
  endpoint.fabric().ring(to);
  return true;
}

/// Receives a message if it is the next in the channel's lines and fits into `room` bytes; `expect` waits for
/// one for a short time, as Waiter::expect(). Returns false if it is not, and then has done nothing. Called
/// only while Endpoint::is_plain().
template <class Expect>
[[gnu::always_inline]] inline bool receive_at_once(Endpoint& endpoint, Rank from, std::uint64_t stamp,
                                                   std::uint64_t name, std::byte* data, std::size_t room,
                                                   std::size_t& bytes, Expect&& expect) {
  LineRing* const lines = endpoint.lines_from(from);
  if (lines == nullptr || !lines->read(stamp, name, data, room, bytes, expect)) return false;
  if (lines->pop(bytes)) endpoint.fabric().ring(from);
  return true;
}

/// Describes how a message is sent.
struct SendMode {
  bool stays = true;         ///< the sender waits, and may copy a part of a long message itself
  bool synchronous = false;  ///< its data may be reused only when the receiver has begun to receive
  bool copies = false;       ///< its data are copied first
};

/// Sends one message: eagerly if it is short, else by rendezvous, which is shared if the sender stays and the
/// message is long enough. Like an Execution, it never blocks.
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

  /// Sends, as advance() would, a message that can go in lines at once; returns false if it cannot. Is called
  /// only while Endpoint::is_plain().
  bool at_once() {
    const Head head = with_.head();
    if (!eager_ || !send_at_once(endpoint_, with_.peer, head.stamp(), head.name(), elements_.data(), bytes()))
      return false;
    stage_ = Stage::done;
    return true;
  }
  /// Does what can be done now, and returns whether the data may be reused.
  bool advance();
  /// Returns whether the receiver will get it before later messages.
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

/// Receives one message. Its source or tag may be open until it is matched with a message; from then on it
/// goes on like any other.
class Receiving {
 public:
  static constexpr bool inwards = true;

  /// Takes where the message comes from and goes to. If `senders` is given, it is the group, which stays
  /// until the receive has been matched, and the peer and tag of `with` may be those of a MessagePattern.
  Receiving(Endpoint& endpoint, const Correspondence& with, const Buffer& room, const ElementType& type,
            const Context* senders = nullptr)
      : endpoint_(endpoint),
        with_(with),
        elements_(room, type),
        senders_(senders),
        stage_(senders != nullptr ? Stage::match : Stage::receive) {}
  /// Receives `message`, which has been taken out of its channel or the store.
  Receiving(Endpoint& endpoint, const Correspondence& with, const Buffer& room, const ElementType& type,
            UnexpectedMessages::Owned message)
      : Receiving(endpoint, with, room, type) {
    taken_ = std::move(message);
    stage_ = Stage::take;
  }

  /// Receives at once, as advance() would, if source and tag are not open: see receive_at_once().
  template <class Expect>
  bool at_once(Expect&& expect) {
    const Head head = with_.head();
    if (!receive_at_once(endpoint_, with_.peer, head.stamp(), head.name(), elements_.data(),
                         elements_.bytes(), bytes_, expect))
      return false;
    stage_ = Stage::done;
    elements_.unpack(bytes_ / with_.element_bytes);
    return true;
  }
  /// Does what can be done now, and returns whether the message is there. Throws Mismatch if it is of another
  /// type or longer than the room.
  bool advance();
  /// Returns whether later messages may be received.
  bool announced() const { return stage_ > Stage::receive; }
  /// Matches an open receive with the oldest message of node `from` with this tag, which is there.
  void bind(Rank from, std::uint32_t tag) {
    if (stage_ != Stage::match) return;
    with_.peer = from;
    with_.tag = tag;
    stage_ = Stage::receive;
  }
  /// Makes an open receive look at all channels in the next look, so that it misses nothing that is there.
  void look_everywhere() { everywhere_ = true; }
  const Correspondence& with() const { return with_; }
  /// Returns the bytes received, when the message is there.
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

/// Sends a message and receives another at the same time.
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

/// Returns how many bytes a message's elements have, wherever these are.
std::size_t bytes_of(Endpoint& endpoint, const Endpoint::Found& found);

}  // namespace vnode
