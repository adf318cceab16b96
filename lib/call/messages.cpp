// Blocking messages between two nodes, counted or not, packed or where they lie.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "call/arguments.hpp"
#include "call/member.hpp"
#include "call/message_activity.hpp"

namespace vnode {
namespace {

using Operation = MessageArguments::Operation;

void check_tag(int tag) {
  if (tag < 0) throw UsageError(fmt::format("tag {} is negative: tags are 0 to 2147483647", tag));
}

}  // namespace

Rank rank_in(Member& group, Rank node) { return group.rank_of(node); }

void check_receiver(Rank to, int tag, int nodes) {
  if (to == any_source)
    throw UsageError(fmt::format(
        "any_source cannot be sent to: only receives and probes take it; ranks are 0 to {}", nodes - 1));
  if (to != no_rank) check_rank("receiver", to, nodes);
  if (tag == any_tag)
    throw UsageError(
        "any_tag cannot be sent with: only receives and probes take it; tags are 0 to 2147483647");
  check_tag(tag);
}

void check_sender(Rank from, int tag, int nodes) {
  if (from != any_source && from != no_rank) check_rank("sender", from, nodes, ", or any_source");
  if (tag != any_tag) check_tag(tag);
}

/// A call of one member that sends or receives messages.
class MessageCall {
 public:
  MessageCall(Member& own, const MessageArguments& call)
      : own_(own),
        engine_(own.engine_),
        call_(call),
        sends_(call.operation != Operation::recv),
        receives_(call.operation != Operation::send && call.operation != Operation::ssend) {}
  /// Makes the receive of a message that has been matched.
  MessageCall(Member& own, const MessageArguments& call, HeldMessage& held) : MessageCall(own, call) {
    held_ = &held;
  }

  MessageInfo complete();

 private:
  bool open() const { return call_.from == any_source || call_.received_tag == any_tag; }

  bool is_plain() const {
    return (!sends_ || own_.is_other(call_.to, call_.sent_tag)) &&
           (!receives_ || own_.is_other(call_.from, call_.received_tag));
  }
  void check();
  void check_apart() const;
  void check_waits() const;
  const CallKind& kind() const {
    if (!receives_) return call_.operation == Operation::ssend ? ssend_kind : send_kind;
    return sends_ ? sendrecv_kind : recv_kind;
  }
  void note() const {
    const int tag = receives_ ? call_.received_tag : call_.sent_tag;
    own_.note(kind(), tag, sends_ ? call_.sent.count : call_.received.count);
  }
  Correspondence to() const {
    return own_.correspondence(own_.pattern(call_.to, call_.sent_tag), *call_.type);
  }
  Correspondence from() const {
    return own_.correspondence(own_.pattern(call_.from, call_.received_tag), *call_.type);
  }
  const Profile& profile() const { return own_.group_->facts.messages; }
  SendMode send_mode() const {
    return {.synchronous = call_.operation == Operation::ssend,
            .copies = call_.operation == Operation::sendrecv_replace};
  }
  /// Calls make(...) with the arguments that the call's Receiving is made of.
  template <class Make>
  void with_receiving(Make&& make) const {
    Endpoint& endpoint = engine_.endpoint();
    if (held_ != nullptr)  // its source and tag are known
      make(endpoint, from(), call_.received, *call_.type, held_->take());
    else
      make(endpoint, from(), call_.received, *call_.type, open() ? &own_.group_->context : nullptr);
  }
  template <class Step>
  void wait_for(Step& step, CallTimes* times) const {
    if (times == nullptr) return engine_.wait(step);
    TimedStep<Step> timed{step, *times};
    engine_.wait(timed);
  }
  bool at_once(bool& sent, MessageInfo& info) const;
  void wait(bool sent, MessageInfo& info, CallTimes* times) const;
  void wait_among_others(MessageInfo& info, CallTimes* times) const;
  [[gnu::cold]] void complete_counted(MessageInfo& info) const;
  MessageInfo info_of(const Receiving& message) const {
    const Correspondence& with = message.with();
    return {open() ? own_.rank_of(with.peer) : call_.from, static_cast<int>(with.tag), message.bytes()};
  }

  Member& own_;
  Engine& engine_;
  const MessageArguments& call_;
  bool sends_, receives_;
  HeldMessage* held_ = nullptr;
};

/// Throws UsageError unless peers and tags are valid: nodes and tags, or values such as no_rank and any_tag
/// where these are allowed. A message to or from no_rank does not become one of the call's.
void MessageCall::check() {
  if (sends_) check_receiver(call_.to, call_.sent_tag, own_.size());
  if (receives_) check_sender(call_.from, call_.received_tag, own_.size());
  sends_ = sends_ && call_.to != no_rank;
  receives_ = receives_ && call_.from != no_rank;
}

void MessageCall::check_apart() const {
  const Buffer &sent = call_.sent, &received = call_.received;
  if (call_.operation != Operation::sendrecv || sent.layout != nullptr || received.layout != nullptr) return;
  const std::size_t bytes = call_.type->bytes;
  if (overlap(static_cast<const std::byte*>(sent.data), sent.count * bytes,
              static_cast<const std::byte*>(received.data), received.count * bytes))
    throw UsageError("sendrecv: in and out overlap: what arrives would change what is sent");
}

/// Throws UsageError if the node would wait for itself: for a message that it has not sent to itself, or
/// until it receives one that it will never receive.
void MessageCall::check_waits() const {
  if (!receives_) {
    const bool would_wait =
        call_.operation == Operation::ssend || call_.sent.count * call_.type->bytes > profile().max_inline;
    const MessagePattern sent = own_.pattern(call_.to, call_.sent_tag);
    if (!would_wait || call_.to != own_.rank_ || engine_.receives(own_.node_, sent)) return;
    throw UsageError(fmt::format(
        "{}: node {} waits until it receives from itself what it sends with tag {}, and has started no "
        "receive for it: irecv comes before, sendrecv does both at once, and isend does not wait",
        kind().collective, own_.rank_, sent.tag));
  }
  if (!sends_) own_.check_sent_to_self(kind(), own_.pattern(call_.from, call_.received_tag));
}

MessageInfo MessageCall::complete() {
  if (held_ == nullptr && !is_plain()) [[unlikely]] {
    const char* const name = kind().collective.data();
    check();
    if (call_.received.layout != nullptr) check_once(name, call_.received);
    if (!sends_ && !receives_) return {};
    check_waits();
  } else if (call_.received.layout != nullptr) {
    check_once(kind().collective.data(), call_.received);
  }
  if (sends_ && receives_) check_apart();
  MessageInfo info{call_.from, call_.received_tag, 0};
  if (engine_.counters() != nullptr) [[unlikely]]
    complete_counted(info);
  else if (engine_.busy())
    wait_among_others(info, nullptr);
  else
    engine_.guarded([&] {
      note();
      bool sent = false;
      if (!engine_.is_plain() || !at_once(sent, info)) wait(sent, info, nullptr);
    });
  return receives_ ? info : MessageInfo();
}

/// Passes messages at once that are short and have no layout, as most are. Returns true if the call is
/// complete; `sent` says whether the message has been sent.
bool MessageCall::at_once(bool& sent, MessageInfo& info) const {
  if (sends_) {
    const std::size_t bytes = call_.sent.count * call_.type->bytes;
    if (call_.operation == Operation::ssend || call_.sent.layout != nullptr || bytes > profile().max_inline)
      return false;
    sent = own_.send_at_once(call_, bytes);
    if (!receives_ || !sent) return sent;
  }
  return held_ == nullptr && call_.received.layout == nullptr && !open() &&
         own_.receive_at_once(call_, info.bytes);
}

/// Waits for the call's messages, the only ones in flight. `sent` says that the outgoing one has been sent.
/// Called within guarded().
void MessageCall::wait(bool sent, MessageInfo& info, CallTimes* times) const {
  const auto send = [&](auto&& then) {
    Sending outgoing(engine_.endpoint(), to(), call_.sent, *call_.type, profile(), send_mode());
    then(outgoing);
  };
  const auto receive = [&](auto&& then) {
    with_receiving([&](auto&&... of) {
      Receiving incoming(std::forward<decltype(of)>(of)...);
      then(incoming);
      info = info_of(incoming);
    });
  };
  if (!receives_) return send([&](Sending& outgoing) { wait_for(outgoing, times); });
  if (!sends_ || sent) return receive([&](Receiving& incoming) { wait_for(incoming, times); });
  send([&](Sending& outgoing) {
    receive([&](Receiving& incoming) {
      Exchange both{outgoing, incoming};
      wait_for(both, times);
    });
  });
}

/// Waits for blocking messages while other calls are in flight: they join these, and all their time is
/// waiting.
[[gnu::noinline]] void MessageCall::wait_among_others(MessageInfo& info, CallTimes* times) const {
  std::optional<MessageActivity<Sending>> outgoing;
  std::optional<MessageActivity<Receiving>> incoming;
  if (sends_) outgoing.emplace(engine_.endpoint(), to(), call_.sent, *call_.type, profile(), send_mode());
  if (receives_) with_receiving([&](auto&&... of) { incoming.emplace(std::forward<decltype(of)>(of)...); });
  const Ticks begin = times != nullptr ? now() : 0;
  engine_.guarded([&] {
    note();
    if (outgoing) engine_.start(*outgoing);
    if (incoming) engine_.start(*incoming);
    if (outgoing) engine_.finish(*outgoing);
    if (incoming) engine_.finish(*incoming);
  });
  if (times != nullptr)
    times->waited(incoming ? incoming->message().with().peer : outgoing->message().with().peer,
                  now() - begin);
  if (receives_) info = info_of(incoming->message());
}

void MessageCall::complete_counted(MessageInfo& info) const {
  CallTimes times(*engine_.counters());
  if (engine_.busy())
    wait_among_others(info, &times);
  else
    engine_.guarded([&] {
      note();
      wait(false, info, &times);
    });
  const std::size_t bytes = sends_ ? call_.sent.count * call_.type->bytes : info.bytes;
  times.end(own_.row_of(kind().collective, bytes), bytes);
}

/// Sends a short message of contiguous elements to another node at once; returns false if it cannot go now.
[[gnu::always_inline]] inline bool Member::send_at_once(const MessageArguments& call, std::size_t bytes) {
  return vnode::send_at_once(engine_.endpoint(), group_->context.node(call.to), message_stamp_,
                             message_name(call.sent_tag, *call.type),
                             static_cast<const std::byte*>(call.sent.data), bytes);
}

/// Receives a short message from another node into contiguous elements, if it comes within a short time.
[[gnu::always_inline]] inline bool Member::receive_at_once(const MessageArguments& call, std::size_t& bytes) {
  return vnode::receive_at_once(
      engine_.endpoint(), group_->context.node(call.from), message_stamp_,
      message_name(call.received_tag, *call.type), static_cast<std::byte*>(call.received.data),
      call.received.count * call.type->bytes, bytes, [&](auto&& ready) { return engine_.expect(ready); });
}

/// Sends or receives one message that cannot be passed at once. `open` says that the source or the tag of a
/// receive is open. Called within guarded().
[[gnu::noinline]] void Member::wait_for_one(const MessageArguments& call, bool open, MessageInfo& info) {
  Endpoint& endpoint = engine_.endpoint();
  const auto with = [&](Rank peer, int tag) { return correspondence(pattern(peer, tag), *call.type); };
  if (call.operation == Operation::send) {
    Sending message(endpoint, with(call.to, call.sent_tag), call.sent, *call.type, group_->facts.messages);
    if (call.sent.layout == nullptr || !message.at_once()) engine_.wait(message);
    return;
  }
  Receiving message(endpoint, with(call.from, call.received_tag), call.received, *call.type,
                    open ? &group_->context : nullptr);
  const auto expect = [&](auto&& ready) { return engine_.expect(ready); };
  if (call.received.layout == nullptr || open || !message.at_once(expect)) engine_.wait(message);
  info.bytes = message.bytes();
  if (!open) return;
  info.source = rank_of(message.with().peer);
  info.tag = static_cast<int>(message.with().tag);
}

/// Sends a message to another node, or receives one, as most calls do while the node does nothing else.
/// Returns false if the call is another one; then nothing has been done.
template <bool receives>
[[gnu::always_inline]] inline bool Member::pass_one(const MessageArguments& call, MessageInfo& info) {
  const Rank peer = receives ? call.from : call.to;
  const int tag = receives ? call.received_tag : call.sent_tag;
  const Buffer& buffer = receives ? call.received : call.sent;
  const bool open = !is_other(peer, tag);
  if (open && !(receives && (peer == any_source || is_other(peer, 0)) && (tag >= 0 || tag == any_tag)))
    return false;
  if (!engine_.is_idle()) return false;
  if (receives && buffer.layout != nullptr) check_once("recv", buffer);
  if (receives) info = {peer, tag, 0};
  note(receives ? recv_kind : send_kind, tag, buffer.count);
  if (!open && buffer.layout == nullptr) {
    const std::size_t bytes = buffer.count * call.type->bytes;
    if (receives ? receive_at_once(call, info.bytes)
                 : bytes <= group_->facts.messages.max_inline && send_at_once(call, bytes)) {
      engine_.journal().end();
      return true;
    }
  }
  engine_.guarded([&] { wait_for_one(call, open, info); });
  return true;
}

MessageInfo Member::call(const MessageArguments& arguments) {
  return MessageCall(*this, arguments).complete();
}

Correspondence Member::correspondence(const MessagePattern& with, const ElementType& type) {
  return {with.from, with.tag, with.context, with.generation, static_cast<std::uint32_t>(type.hash),
          type.bytes};
}

Rank Member::rank_of(Rank node) {
  if (ranks_.empty()) {
    const std::vector<Rank>& nodes = group_->context.nodes();
    ranks_.resize(static_cast<std::size_t>(*std::ranges::max_element(nodes)) + 1, no_rank);
    for (Rank rank = 0; rank < size(); ++rank) at(ranks_, at(nodes, rank)) = rank;
  }
  return at(ranks_, node);
}

MessagePattern Member::pattern(Rank from, int tag) const {
  static_assert(static_cast<std::uint32_t>(any_tag) == MessagePattern::any_tag);
  return {from == any_source ? MessagePattern::any_source : group_->context.node(from),
          static_cast<std::uint32_t>(tag), static_cast<std::uint16_t>(group_->context.id() | message_context),
          group_->generation};
}

void Member::check_sent_to_self(const CallKind& kind, const MessagePattern& pattern) {
  if (pattern.from != node_ || engine_.busy()) return;
  bool sent = false;
  engine_.guarded([&] { sent = engine_.find(pattern, true).has_value(); });
  if (sent) return;
  throw UsageError(fmt::format(
      "{}: node {} waits for a message from itself with {}, and has sent none: isend or a short send "
      "comes before, sendrecv does both at once, and irecv does not wait",
      kind.collective, rank_, tag_text(pattern.tag)));
}

MessageInfo Member::receive(HeldMessage& held, const MessageArguments& arguments) {
  return MessageCall(*held.member(), arguments, held).complete();
}

MessageInfo Group::perform(const MessageArguments& call) {
  Member& own = member();
  MessageInfo info;
  using enum MessageArguments::Operation;
  if (call.operation == send   ? own.pass_one<false>(call, info)
      : call.operation == recv ? own.pass_one<true>(call, info)
                               : false)
    return info;
  return own.engine().call([&] { return own.call(call); });
}

void Group::refuse_empty(Rank from) const {
  throw Mismatch(fmt::format("node {} receives one element from {}, whose message has none", rank(),
                             from == any_source ? "any source"
                             : from == no_rank  ? "no_rank"
                                                : fmt::format("node {}", from)));
}

}  // namespace vnode
