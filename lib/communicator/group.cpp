#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/group.hpp>
#include <vnode/node.hpp>

#include "communicator/member.hpp"

namespace vnode {
namespace {

void check_tag(int tag) {
  if (tag < 0) throw UsageError(fmt::format("tag {} is negative: tags are 0 to 2147483647", tag));
}

/// Whether these are another node and a tag: as in most calls. All else is looked at by who refuses it.
bool is_plain(Rank peer, int tag, const Member& member) {
  return static_cast<unsigned>(peer) < static_cast<unsigned>(member.size()) && peer != member.rank() &&
         tag >= 0;
}
/// The same, or this node.
bool is_plain_or_own(Rank peer, int tag, const Member& member) {
  return static_cast<unsigned>(peer) < static_cast<unsigned>(member.size()) && tag >= 0;
}

/// Of a message out: a node or no_rank.
void check_receiver(Rank to, int tag, const Member& member) {
  if (to == any_source)
    throw UsageError(fmt::format("any_source is no receiver: receives and probes take it; ranks are 0 to {}",
                                 member.size() - 1));
  if (to != no_rank) check_rank("receiver", to, member.size());
  if (tag == any_tag)
    throw UsageError("any_tag is no tag to send with: receives and probes take it; tags are 0 to 2147483647");
  check_tag(tag);
}

/// Of a message in: a node, any_source or no_rank.
void check_sender(Rank from, int tag, const Member& member) {
  if (from != any_source && from != no_rank) check_rank("sender", from, member.size(), ", or any_source");
  if (tag != any_tag) check_tag(tag);
}

void check_apart(const char* call, const std::byte* sent, std::size_t sent_bytes, const std::byte* received,
                 std::size_t received_bytes) {
  if (overlap(sent, sent_bytes, received, received_bytes))
    throw UsageError(fmt::format("{}: in and out overlap: what arrives would change what is sent", call));
}

[[noreturn]] void refuse_empty(const Member& own, Rank from) {
  throw Mismatch(fmt::format("node {} receives one element from {}, whose message has none", own.rank(),
                             from == any_source ? "any source"
                             : from == no_rank  ? "no_rank"
                                                : fmt::format("node {}", from)));
}

}

Member& Group::member() const {
  if (member_ == nullptr) throw UsageError("this is no group: its split gave this node no color");
  member_->check_thread();
  return *member_;
}

Rank Group::rank() const { return member_ == nullptr ? -1 : member_->rank(); }
int Group::size() const { return member_ == nullptr ? 0 : member_->size(); }
const Topology& Group::topology() const { return member().group().topology; }
std::string_view Group::last_algorithm() const { return member().last_algorithm(); }

int Group::last_segments() const { return member().last_segments(); }

Rank Group::team_rank(Rank rank) const {
  check_rank("rank", rank, member().size());
  return member().group().context.node(rank);
}

void Group::perform(const Arguments& call) {
  Member& own = member();
  own.engine().call([&] { own.call(call); });
}

Nonblocking Group::nonblocking() const {
  member();
  return Nonblocking(member_);
}
Planning Group::persistent() const {
  member();
  return Planning(member_);
}

Rank Nonblocking::rank() const { return member_->rank(); }
int Nonblocking::size() const { return member_->size(); }
Request Nonblocking::perform(const Arguments& call) {
  member_->check_thread();
  return member_->engine().call([&] { return Member::start(member_, call); });
}

Rank Planning::rank() const { return member_->rank(); }
int Planning::size() const { return member_->size(); }
Persistent Planning::perform(const Arguments& call) {
  member_->check_thread();
  return member_->engine().call([&] { return Member::plan(member_, call); });
}

void Group::perform(const LaidArguments& call) {
  Member& own = member();
  own.engine().call([&] { own.call(call); });
}
void Group::perform(const ExchangeArguments& call) {
  Member& own = member();
  own.engine().call([&] { own.exchange(call); });
}
Request Nonblocking::perform(const LaidArguments& call) {
  member_->check_thread();
  return member_->engine().call([&] { return Member::start(member_, call); });
}
Request Nonblocking::perform(const ExchangeArguments& call) {
  member_->check_thread();
  return member_->engine().call([&] { return Member::start(member_, call); });
}
Persistent Planning::perform(const LaidArguments& call) {
  member_->check_thread();
  return member_->engine().call([&] { return Member::plan(member_, call); });
}
Persistent Planning::perform(const ExchangeArguments& call) {
  member_->check_thread();
  return member_->engine().call([&] { return Member::plan(member_, call); });
}

Group Group::split(int color, int key, const Shape& shape) const {
  Member& own = member();
  return own.engine().call([&] { return Group(own.split(color, key, shape)); });
}

void Group::send_elements(const void* data, std::size_t count, const ElementType& type, Rank to, int tag) {
  Member& own = member();
  own.engine().call([&] {
    const auto* const sent = static_cast<const std::byte*>(data);
    if (is_plain(to, tag, own)) [[likely]]
      return own.send(sent, count * type.bytes, type, to, tag);
    check_receiver(to, tag, own);
    if (to != no_rank) own.send_to_self(sent, count * type.bytes, type, tag);
  });
}

std::size_t Group::receive_elements(void* data, std::size_t count, const ElementType& type, Rank from,
                                    int tag) {
  Member& own = member();
  return own.engine().call([&] {
    auto* const received = static_cast<std::byte*>(data);
    if (is_plain(from, tag, own)) [[likely]]
      return own.receive(received, count * type.bytes, type, from, tag);
    check_sender(from, tag, own);
    if (from == no_rank) return std::size_t{0};
    return own.receive_open(received, count * type.bytes, type, from, tag).bytes / type.bytes;
  });
}

void Group::receive_one(void* value, const ElementType& type, Rank from, int tag) {
  if (receive_elements(value, 1, type, from, tag) == 0) refuse_empty(member(), from);
}

std::size_t Group::exchange_elements(const void* out, std::size_t out_count, Rank to, void* in,
                                     std::size_t in_count, Rank from, const ElementType& type, int tag) {
  Member& own = member();
  return own.engine().call([&] {
    const auto* const sent = static_cast<const std::byte*>(out);
    auto* const received = static_cast<std::byte*>(in);
    const std::size_t out_bytes = out_count * type.bytes, in_bytes = in_count * type.bytes;
    if (!is_plain_or_own(to, tag, own) || !is_plain_or_own(from, tag, own)) [[unlikely]]
      return exchange_messages(out, out_count, to, tag, in, in_count, from, tag, type).bytes / type.bytes;
    check_apart("sendrecv", sent, out_bytes, received, in_bytes);
    return own.exchange(sent, out_bytes, to, received, in_bytes, from, type, tag);
  });
}

Request Group::start_sending(const void* data, std::size_t count, const ElementType& type, Rank to, int tag) {
  Member& own = member();
  return own.engine().call([&] {
    if (!is_plain_or_own(to, tag, own)) [[unlikely]] {
      check_receiver(to, tag, own);
      return Member::sent_to_nobody();
    }
    return own.start_sending(static_cast<const std::byte*>(data), count * type.bytes, type, to, tag);
  });
}

Request Group::start_receiving(void* data, std::size_t count, const ElementType& type, Rank from, int tag) {
  Member& own = member();
  return own.engine().call([&] {
    auto* const received = static_cast<std::byte*>(data);
    if (is_plain_or_own(from, tag, own)) [[likely]]
      return own.start_receiving(received, count * type.bytes, type, from, tag);
    check_sender(from, tag, own);
    if (from == no_rank) return Member::received_from_nobody();
    return Member::start_receiving_open(member_, received, count * type.bytes, type, from, tag);
  });
}

MessageInfo Group::receive_message(void* data, std::size_t count, const ElementType& type, Rank from,
                                   int tag) {
  Member& own = member();
  return own.engine().call([&] {
    auto* const received = static_cast<std::byte*>(data);
    if (is_plain(from, tag, own))
      return MessageInfo{from, tag, own.receive(received, count * type.bytes, type, from, tag) * type.bytes};
    check_sender(from, tag, own);
    return from == no_rank ? MessageInfo() : own.receive_open(received, count * type.bytes, type, from, tag);
  });
}

MessageInfo Group::receive_one_message(void* value, const ElementType& type, Rank from, int tag) {
  const MessageInfo info = receive_message(value, 1, type, from, tag);
  if (info.bytes == 0) refuse_empty(member(), from);
  return info;
}

void Group::send_synchronously(const void* data, std::size_t count, const ElementType& type, Rank to,
                               int tag) {
  Member& own = member();
  own.engine().call([&] {
    check_receiver(to, tag, own);
    if (to != no_rank)
      own.send_synchronously(static_cast<const std::byte*>(data), count * type.bytes, type, to, tag);
  });
}

Request Group::start_sending_synchronously(const void* data, std::size_t count, const ElementType& type,
                                           Rank to, int tag) {
  Member& own = member();
  return own.engine().call([&] {
    check_receiver(to, tag, own);
    if (to == no_rank) return Member::sent_to_nobody();
    return own.start_sending_synchronously(static_cast<const std::byte*>(data), count * type.bytes, type, to,
                                           tag);
  });
}

std::optional<MessageInfo> Group::probe_message(Rank from, int tag, bool wait) {
  Member& own = member();
  return own.engine().call([&] {
    check_sender(from, tag, own);
    return from == no_rank ? MessageInfo() : own.probe(from, tag, wait);
  });
}

MatchedMessage Group::match_message(Rank from, int tag, bool wait) {
  Member& own = member();
  return own.engine().call([&] {
    check_sender(from, tag, own);
    return Member::match(member_, from, tag, wait);
  });
}

MessageInfo Group::exchange_messages(const void* out, std::size_t out_count, Rank to, int out_tag, void* in,
                                     std::size_t in_count, Rank from, int in_tag, const ElementType& type) {
  Member& own = member();
  return own.engine().call([&] {
    check_receiver(to, out_tag, own);
    check_sender(from, in_tag, own);
    if (to == no_rank) return receive_message(in, in_count, type, from, in_tag);
    if (from == no_rank) {
      send_elements(out, out_count, type, to, out_tag);
      return MessageInfo();
    }
    const auto* const sent = static_cast<const std::byte*>(out);
    auto* const received = static_cast<std::byte*>(in);
    const std::size_t out_bytes = out_count * type.bytes, in_bytes = in_count * type.bytes;
    check_apart("sendrecv", sent, out_bytes, received, in_bytes);
    return own.exchange_open(sent, out_bytes, to, out_tag, received, in_bytes, from, in_tag, type);
  });
}

MessageInfo Group::replace_elements(void* data, std::size_t count, const ElementType& type, Rank to,
                                    int out_tag, Rank from, int in_tag) {
  const auto* const sent = static_cast<const std::byte*>(data);
  const std::vector<std::byte> copy(sent, sent + (to == no_rank ? 0 : count * type.bytes));
  return exchange_messages(copy.data(), count, to, out_tag, data, count, from, in_tag, type);
}

void Group::send_laid(const LaidElements& data, const ElementType& type, Rank to, int tag) {
  Member& own = member();
  own.engine().call([&] {
    check_receiver(to, tag, own);
    if (to != no_rank) own.send(data, type, to, tag);
  });
}

MessageInfo Group::receive_laid(const LaidElements& data, const ElementType& type, Rank from, int tag) {
  Member& own = member();
  return own.engine().call([&] {
    check_sender(from, tag, own);
    check_once("recv", data);
    if (from == no_rank) return MessageInfo();
    if (is_plain(from, tag, own))
      return MessageInfo{from, tag, own.receive(data, type, from, tag) * type.bytes};
    return own.receive_open(data, type, from, tag);
  });
}

/// What is sent is packed before anything arrives, unless neither is laid here: so they may overlap.
MessageInfo Group::exchange_laid(const LaidElements& out, Rank to, int out_tag, const LaidElements& in,
                                 Rank from, int in_tag, const ElementType& type) {
  Member& own = member();
  return own.engine().call([&] {
    check_receiver(to, out_tag, own);
    check_sender(from, in_tag, own);
    check_once("sendrecv", in);
    if (to == no_rank) return receive_laid(in, type, from, in_tag);
    if (from == no_rank) {
      own.send(out, type, to, out_tag);
      return MessageInfo();
    }
    return own.exchange_open(out, to, out_tag, in, from, in_tag, type);
  });
}

Request Group::start_sending_laid(const LaidElements& data, const ElementType& type, Rank to, int tag) {
  Member& own = member();
  return own.engine().call([&] {
    check_receiver(to, tag, own);
    return to == no_rank ? Member::sent_to_nobody() : own.start_sending(data, type, to, tag);
  });
}

Request Group::start_receiving_laid(const LaidElements& data, const ElementType& type, Rank from, int tag) {
  Member& own = member();
  return own.engine().call([&] {
    check_sender(from, tag, own);
    check_once("irecv", data);
    if (from == no_rank) return Member::received_from_nobody();
    if (is_plain_or_own(from, tag, own)) return own.start_receiving(data, type, from, tag);
    return Member::start_receiving_open(member_, data, type, from, tag);
  });
}

void Group::send_laid_synchronously(const LaidElements& data, const ElementType& type, Rank to, int tag) {
  Member& own = member();
  own.engine().call([&] {
    check_receiver(to, tag, own);
    if (to != no_rank) own.send_synchronously(data, type, to, tag);
  });
}

Request Group::start_sending_laid_synchronously(const LaidElements& data, const ElementType& type, Rank to,
                                                int tag) {
  Member& own = member();
  return own.engine().call([&] {
    check_receiver(to, tag, own);
    return to == no_rank ? Member::sent_to_nobody() : own.start_sending_synchronously(data, type, to, tag);
  });
}

Arena& Node::arena() const {
  Arena* const arena = member().engine().arena();
  if (arena != nullptr) return *arena;
  throw UsageError(
      "this team's nodes have no arenas: set TeamOptions::arenas, to DomainLevel::numa for instance, or "
      "VNODE_ARENAS=numa");
}

}  // namespace vnode
