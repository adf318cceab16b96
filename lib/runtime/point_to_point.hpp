#pragma once

#include <cstddef>
#include <cstdint>

#include <vnode/rank.hpp>

#include "runtime/message_pattern.hpp"
#include "runtime/plan.hpp"
#include "runtime/transfer.hpp"
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

/// One message on its way out: eager if it is short, else by rendezvous, which is shared if the sender stays
/// and the message is long enough. As an Execution, it never blocks.
class Sending {
 public:
  static constexpr bool inwards = false;

  Sending(Endpoint& endpoint, const Correspondence& with, const std::byte* data, std::size_t bytes,
          const Profile& profile, bool stays = true)
      : endpoint_(endpoint),
        with_(with),
        data_(data),
        bytes_(bytes),
        eager_(bytes <= profile.max_inline),
        shared_(stays && bytes >= profile.min_shared && endpoint.remote(with.peer) == nullptr) {}

  /// The same as advance(), of a message that goes in lines at once. Only while Endpoint::is_plain().
  template <class Expect>
  bool at_once(Expect&&) {
    LineRing* const lines = eager_ ? endpoint_.lines_to(with_.peer) : nullptr;
    Head head = with_.head();
    head.bytes = static_cast<std::uint16_t>(bytes_);
    if (lines == nullptr || !lines->push(head, data_)) return false;
    endpoint_.fabric().ring(with_.peer);
    stage_ = Stage::done;
    return true;
  }
  /// True when the data may be reused.
  bool advance();
  /// The receiver will get it before later messages.
  bool announced() const { return stage_ != Stage::send; }
  const Correspondence& with() const { return with_; }
  std::size_t bytes() const { return bytes_; }
  /// Elements received.
  std::size_t received() const { return 0; }
  const std::atomic<std::uint64_t>* watch() const;
  Awaited awaited() const { return with_.awaited(static_cast<std::uint64_t>(stage_), "send"); }

 private:
  enum class Stage : std::uint8_t { send, serve, await, done };
  bool send();
  bool announce();
  bool serve();

  Endpoint& endpoint_;
  Correspondence with_;
  const std::byte* data_;
  std::size_t bytes_;
  bool eager_, shared_, synchronous_ = false;
  Stage stage_ = Stage::send;
  Ticket ticket_;

 protected:
  void synchronize() {
    eager_ = false;
    synchronous_ = true;
  }
};

/// The same by rendezvous, however short it is: its data may be reused when the receiver has begun to
/// receive.
class SynchronousSending final : public Sending {
 public:
  template <class... Arguments>
  explicit SynchronousSending(Arguments&&... arguments) : Sending(std::forward<Arguments>(arguments)...) {
    synchronize();
  }
};

/// One message on its way in.
class Receiving {
 public:
  static constexpr bool inwards = true;

  Receiving(Endpoint& endpoint, const Correspondence& with, std::byte* data, std::size_t room)
      : endpoint_(endpoint), with_(with), data_(data), room_(room) {}

  /// The same as advance(), of a message that is the next in the channel's lines and fits; `expect` waits for
  /// one for a short time, as Waiter::expect(). Only while Endpoint::is_plain().
  template <class Expect>
  bool at_once(Expect&& expect) {
    LineRing* const lines = endpoint_.lines_from(with_.peer);
    Head head;
    if (lines == nullptr || !expect([&] { return lines->front(head); })) return false;
    Head expected = with_.head();
    expected.bytes = head.bytes;
    if (head != expected || head.bytes > room_) return false;
    const std::byte* const payload = lines->payload(head.bytes, data_);
    if (payload != data_) copy_small(data_, payload, head.bytes);
    bytes_ = head.bytes;
    stage_ = Stage::done;
    if (lines->pop(head.bytes)) endpoint_.fabric().ring(with_.peer);
    return true;
  }
  /// True when the message is there. Throws Mismatch if it is of another type or longer than the room.
  bool advance();
  /// Later messages may be received.
  bool announced() const { return stage_ != Stage::receive; }
  /// From the beginning: whom it receives from, and with which tag.
  void bind(Rank from, std::uint32_t tag) {
    with_.peer = from;
    with_.tag = tag;
  }
  /// From the beginning: it receives this message, which nobody else does. Throws Mismatch as advance().
  void take(const Head& head, const std::byte* payload);
  const Correspondence& with() const { return with_; }
  /// Elements received, when the message is there.
  std::size_t received() const { return bytes_ / with_.element_bytes; }
  std::size_t received_bytes() const { return bytes_; }
  const std::atomic<std::uint64_t>* watch() const;
  Awaited awaited() const { return with_.awaited(static_cast<std::uint64_t>(stage_), "recv"); }

 private:
  enum class Stage : std::uint8_t { receive, remote, expose, pull, await, done };
  bool receive();
  bool receive_remotely();
  void carried(const std::byte* payload, std::size_t bytes);
  void announced(const Announcement<MessageMemory>& theirs);
  void announced(const Remote::Announcement& theirs);
  bool expose();
  void pull();
  void expect(std::size_t bytes);

  Endpoint& endpoint_;
  Correspondence with_;
  std::byte* data_;
  std::size_t room_;
  Stage stage_ = Stage::receive;
  Announcement<MessageMemory> theirs_{};
  Remote::Announcement remote_{};  // if it comes from another process
  Ticket ticket_;
  std::size_t bytes_ = 0;
};

/// A message out and one in, both at once.
template <class Incoming>
struct Exchange {
  Sending& outgoing;
  Incoming& incoming;
  bool sent = false, arrived = false;

  template <class Expect>
  bool at_once(Expect&& expect) requires requires(Incoming& message) {
    message.at_once(expect);
  }
  {
    // What comes may be sent in answer to what goes.
    sent = outgoing.at_once(expect);
    arrived = sent && incoming.at_once(expect);
    return arrived;
  }
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
  void look_everywhere() requires requires(Incoming& message) { message.look_everywhere(); }
  { incoming.look_everywhere(); }
};

}  // namespace vnode
