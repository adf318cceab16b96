#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/group.hpp>
#include <vnode/node.hpp>

#include "communicator/member.hpp"

namespace vnode {
namespace {

void check_tag(int tag) {
  if (tag < 0) throw UsageError(fmt::format("tag {} is negative: tags are 0 to 2147483647", tag));
}

void check_peer(const char* what, Rank peer, const Member& member) {
  check_rank(what, peer, member.size());
  if (peer == member.rank())
    throw UsageError(fmt::format(
        "node {} cannot send to or receive from itself; sendrecv can do both at once, isend and irecv too",
        peer));
}

}

Member& Group::member() const {
  if (member_ == nullptr) throw UsageError("this is no group: its split gave this node no color");
  member_->check_run();
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
  member_->check_run();
  return member_->engine().call([&] { return Member::start(member_, call); });
}

Rank Planning::rank() const { return member_->rank(); }
int Planning::size() const { return member_->size(); }
Persistent Planning::perform(const Arguments& call) {
  member_->check_run();
  return member_->engine().call([&] { return Member::plan(member_, call); });
}

Group Group::split(int color, int key, const Shape& shape) const {
  Member& own = member();
  return own.engine().call([&] { return Group(own.split(color, key, shape)); });
}

void Group::send_elements(const void* data, std::size_t count, const ElementType& type, Rank to, int tag) {
  Member& own = member();
  own.engine().call([&] {
    check_peer("receiver", to, own);
    check_tag(tag);
    own.send(static_cast<const std::byte*>(data), count * type.bytes, type, to, tag);
  });
}

std::size_t Group::receive_elements(void* data, std::size_t count, const ElementType& type, Rank from,
                                    int tag) {
  Member& own = member();
  return own.engine().call([&] {
    check_peer("sender", from, own);
    check_tag(tag);
    return own.receive(static_cast<std::byte*>(data), count * type.bytes, type, from, tag);
  });
}

void Group::receive_one(void* value, const ElementType& type, Rank from, int tag) {
  if (receive_elements(value, 1, type, from, tag) == 0)
    throw Mismatch(fmt::format("node {} receives one element from node {}, whose message has none",
                               member().rank(), from));
}

std::size_t Group::exchange_elements(const void* out, std::size_t out_count, Rank to, void* in,
                                     std::size_t in_count, Rank from, const ElementType& type, int tag) {
  Member& own = member();
  return own.engine().call([&] {
    check_rank("receiver", to, own.size());
    check_rank("sender", from, own.size());
    check_tag(tag);
    const auto* const sent = static_cast<const std::byte*>(out);
    auto* const received = static_cast<std::byte*>(in);
    const std::size_t out_bytes = out_count * type.bytes, in_bytes = in_count * type.bytes;
    if (overlap(sent, out_bytes, received, in_bytes))
      throw UsageError("sendrecv: in and out overlap: what arrives would change what is sent");
    return own.exchange(sent, out_bytes, to, received, in_bytes, from, type, tag);
  });
}

Request Group::start_sending(const void* data, std::size_t count, const ElementType& type, Rank to, int tag) {
  Member& own = member();
  return own.engine().call([&] {
    check_rank("receiver", to, own.size());
    check_tag(tag);
    return own.start_sending(static_cast<const std::byte*>(data), count * type.bytes, type, to, tag);
  });
}

Request Group::start_receiving(void* data, std::size_t count, const ElementType& type, Rank from, int tag) {
  Member& own = member();
  return own.engine().call([&] {
    check_rank("sender", from, own.size());
    check_tag(tag);
    return own.start_receiving(static_cast<std::byte*>(data), count * type.bytes, type, from, tag);
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
