#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>
#include <vector>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "communicator/laid_messages.hpp"
#include "communicator/member.hpp"
#include "communicator/message_calls.hpp"

namespace vnode {
namespace {

/// A receive in flight whose source its group has to name: it keeps the group.
template <class Message>
class NamingActivity final : public MessageActivity<Message> {
 public:
  template <class... Arguments>
  explicit NamingActivity(std::shared_ptr<Member> member, Arguments&&... arguments)
      : MessageActivity<Message>(std::forward<Arguments>(arguments)...), member_(std::move(member)) {}

  std::size_t received(MessageInfo& info) const override {
    info.source = member_->rank_of(this->message_.with().peer);
    info.tag = static_cast<int>(this->message_.with().tag);
    return MessageActivity<Message>::received(info);
  }

 private:
  std::shared_ptr<Member> member_;
};

/// Waits for a message without receiving it.
struct Probing {
  Engine& engine;
  const MessagePattern& pattern;
  const Context& senders;
  std::optional<Endpoint::Found> found{};
  bool everywhere = true;

  bool advance() {
    found = engine.find(pattern, everywhere);
    everywhere = false;
    return found.has_value();
  }
  /// A wait that has become long misses nothing.
  void look_everywhere() { everywhere = true; }
  const std::atomic<std::uint64_t>* watch() const { return nullptr; }
  Awaited awaited() const {
    return {nullptr,
            pattern.context,
            pattern.tag,
            0,
            pattern.from,
            0,
            0,
            pattern.from == MessagePattern::any_source ? &senders : nullptr,
            "probe"};
  }
};

}  // namespace

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
          static_cast<std::uint32_t>(tag),
          static_cast<std::uint16_t>(group_->context.id() | Context::messages), group_->generation};
}

/// Throws UsageError if the node would wait for itself: nothing that it has sent itself fits.
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

/// Throws UsageError if nobody would ever receive what the node sends itself and waits with.
void Member::check_received_by_self(const CallKind& kind, const MessagePattern& sent) {
  if (sent.from != node_ || engine_.receives(node_, sent)) return;
  throw UsageError(fmt::format(
      "{}: node {} waits until it receives from itself what it sends with tag {}, and has started no "
      "receive for it: irecv comes before, sendrecv does both at once, and isend does not wait",
      kind.collective, rank_, sent.tag));
}

void Member::send_to_self(const std::byte* data, std::size_t bytes, const ElementType& type, int tag) {
  if (bytes > group_->facts.messages.max_inline) check_received_by_self(kinds::send, pattern(rank_, tag));
  send(data, bytes, type, rank_, tag);
}

void Member::send_synchronously(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to,
                                int tag) {
  check_received_by_self(kinds::ssend, pattern(to, tag));
  SynchronousSending message(engine_.endpoint(), correspondence(to, tag, type), data, bytes,
                             group_->facts.messages);
  complete(kinds::ssend, tag, bytes / type.bytes, message, message);
}

Request Member::start_sending_synchronously(const std::byte* data, std::size_t bytes, const ElementType& type,
                                            Rank to, int tag) {
  return start<SynchronousSending>(kinds::ssend, tag, bytes / type.bytes, correspondence(to, tag, type), data,
                                   bytes, group_->facts.messages, false);
}

Correspondence Member::correspondence(const MessagePattern& with, const ElementType& type) {
  return {with.from, with.tag, with.context, with.generation, static_cast<std::uint32_t>(type.hash),
          type.bytes};
}

template <class Message>
MessageInfo Member::info_of(const Message& message) {
  return {rank_of(message.with().peer), static_cast<int>(message.with().tag), message.received_bytes()};
}

MessageInfo Member::receive_open(std::byte* data, std::size_t room, const ElementType& type, Rank from,
                                 int tag) {
  const MessagePattern wanted = pattern(from, tag);
  check_sent_to_self(kinds::recv, wanted);
  OpenReceiving message(engine_.endpoint(), correspondence(wanted, type), data, room, group_->context);
  complete(kinds::recv, tag, room / type.bytes, message, message);
  return info_of(message);
}

MessageInfo Member::exchange_open(const std::byte* out, std::size_t out_bytes, Rank to, int out_tag,
                                  std::byte* in, std::size_t room, Rank from, int in_tag,
                                  const ElementType& type) {
  Sending outgoing(engine_.endpoint(), correspondence(to, out_tag, type), out, out_bytes,
                   group_->facts.messages);
  OpenReceiving incoming(engine_.endpoint(), correspondence(pattern(from, in_tag), type), in, room,
                         group_->context);
  Exchange<OpenReceiving> both{outgoing, incoming};
  complete(kinds::sendrecv, in_tag, out_bytes / type.bytes, both, outgoing, incoming);
  return info_of(incoming);
}

Request Member::start_receiving_open(const std::shared_ptr<Member>& self, std::byte* data, std::size_t room,
                                     const ElementType& type, Rank from, int tag) {
  return self->start_activity<NamingActivity<OpenReceiving>>(
      kinds::recv, tag, room / type.bytes, self, self->engine_.endpoint(),
      correspondence(self->pattern(from, tag), type), data, room, self->group_->context);
}

/// What is packed is unpacked when it is there.
MessageInfo Member::receive_open(const LaidElements& data, const ElementType& type, Rank from, int tag) {
  PackedElements packed(data, type);
  const MessageInfo info = receive_open(packed.data(), packed.bytes(), type, from, tag);
  packed.unpack(info.bytes / type.bytes);
  return info;
}

MessageInfo Member::exchange_open(const LaidElements& out, Rank to, int out_tag, const LaidElements& in,
                                  Rank from, int in_tag, const ElementType& type) {
  PackedElements sent(out, type), packed(in, type);
  sent.pack();
  const MessageInfo info = exchange_open(sent.data(), sent.bytes(), to, out_tag, packed.data(),
                                         packed.bytes(), from, in_tag, type);
  packed.unpack(info.bytes / type.bytes);
  return info;
}

Request Member::start_receiving_open(const std::shared_ptr<Member>& self, const LaidElements& data,
                                     const ElementType& type, Rank from, int tag) {
  return self->start_activity<NamingActivity<LaidReceiving<OpenReceiving>>>(
      kinds::recv, tag, data.count, self, self->engine_.endpoint(),
      self->correspondence(self->pattern(from, tag), type), data, type, self->group_->context);
}

void Member::send_synchronously(const LaidElements& data, const ElementType& type, Rank to, int tag) {
  PackedElements packed(data, type);
  packed.pack();
  send_synchronously(packed.data(), packed.bytes(), type, to, tag);
}

Request Member::start_sending_synchronously(const LaidElements& data, const ElementType& type, Rank to,
                                            int tag) {
  return start<LaidSending<SynchronousSending>>(kinds::ssend, tag, data.count, correspondence(to, tag, type),
                                                data, type, group_->facts.messages);
}

std::optional<Endpoint::Found> Member::found(const CallKind& kind, Rank from, int tag, bool wait) {
  const MessagePattern wanted = pattern(from, tag);
  std::optional<Endpoint::Found> found;
  if (wait) check_sent_to_self(kind, wanted);
  engine_.guarded([&] {
    if (!wait) {
      engine_.poll();
      found = engine_.find(wanted, true);
      return;
    }
    Probing probe{engine_, wanted, group_->context};
    note(kind, tag, 0);
    engine_.wait(probe);
    found = probe.found;
  });
  return found;
}

std::optional<MessageInfo> Member::probe(Rank from, int tag, bool wait) {
  const auto there = found(kinds::probe, from, tag, wait);
  if (!there) return {};
  return MessageInfo{rank_of(there->from), static_cast<int>(there->head.call),
                     bytes_of(engine_.endpoint(), *there)};
}

MatchedMessage Member::match(const std::shared_ptr<Member>& self, Rank from, int tag, bool wait) {
  if (from == no_rank) return {std::make_unique<HeldMessage>(self), MessageInfo()};
  const auto there = self->found(kinds::mprobe, from, tag, wait);
  if (!there) return {};
  Engine& engine = self->engine_;
  const MessageInfo info{self->rank_of(there->from), static_cast<int>(there->head.call),
                         bytes_of(engine.endpoint(), *there)};
  std::unique_ptr<HeldMessage> held;
  engine.guarded([&] {
    held = std::make_unique<HeldMessage>(self, engine.held(), there->from, engine.endpoint().take(*there));
  });
  return {std::move(held), info};
}

std::size_t Member::receive_held(HeldMessage& held, int tag, std::byte* data, std::size_t room,
                                 const ElementType& type) {
  HeldReceiving message(engine_.endpoint(), correspondence(rank_of(held.from()), tag, type), data, room,
                        held.take());
  complete(kinds::recv, tag, room / type.bytes, message, message);
  return message.received();
}

Request Member::start_receiving_held(HeldMessage& held, int tag, std::byte* data, std::size_t room,
                                     const ElementType& type) {
  const std::shared_ptr<Member> self = held.member();
  const Rank from = self->rank_of(held.from());
  return self->start_activity<NamingActivity<HeldReceiving>>(
      kinds::recv, tag, room / type.bytes, self, self->engine_.endpoint(),
      self->correspondence(from, tag, type), data, room, held.take());
}

std::size_t Member::receive_held(HeldMessage& held, int tag, const LaidElements& data,
                                 const ElementType& type) {
  PackedElements packed(data, type);
  const std::size_t received = receive_held(held, tag, packed.data(), packed.bytes(), type);
  packed.unpack(received);
  return received;
}

Request Member::start_receiving_held(HeldMessage& held, int tag, const LaidElements& data,
                                     const ElementType& type) {
  const std::shared_ptr<Member> self = held.member();
  const Rank from = self->rank_of(held.from());
  return self->start_activity<NamingActivity<LaidReceiving<HeldReceiving>>>(
      kinds::recv, tag, data.count, self, self->engine_.endpoint(), self->correspondence(from, tag, type),
      data, type, held.take());
}

}  // namespace vnode
