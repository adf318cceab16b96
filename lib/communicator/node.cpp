#include <fmt/format.h>
#include <functional>

#include <vnode/error.hpp>
#include <vnode/node.hpp>

#include "communicator/member.hpp"

namespace vnode {
namespace {

void check_rank(const char* what, Rank rank, int nodes) {
  if (rank < 0 || rank >= nodes)
    throw UsageError(
        fmt::format("{} {} is not a node of a team of {}: ranks are 0 to {}", what, rank, nodes, nodes - 1));
}

void check_peer(const char* what, Rank peer, Rank me, int nodes) {
  check_rank(what, peer, nodes);
  if (peer == me)
    throw UsageError(
        fmt::format("node {} cannot send to or receive from itself; sendrecv can do both at once", me));
}

void check_tag(int tag) {
  if (tag < 0) throw UsageError(fmt::format("tag {} is negative: tags are 0 to 2147483647", tag));
}

/// Two ranges of `bytes` bytes that overlap without being the same.
bool overlap(const std::byte* a, const std::byte* b, std::size_t bytes) {
  const std::less<const std::byte*> before;
  return a != b && before(a, b + bytes) && before(b, a + bytes);
}

CallKey key_of(Collective collective, std::size_t count, const ElementType& type, Rank root,
               const CallOptions& options) {
  CallKey key;
  key.collective = collective;
  key.root = root;
  key.count = count;
  key.element_bytes = type.bytes;
  key.element_alignment = type.alignment;
  key.element_hash = type.hash;
  key.element = type.name;
  key.algorithm = options.algorithm;
  return key;
}

}

int Node::size() const { return topology().nodes(); }
const Topology& Node::topology() const { return member_->topology(); }
std::string_view Node::last_algorithm() const { return member_->last_algorithm(); }

void Node::broadcast_elements(void* data, std::size_t count, const ElementType& type, Rank root,
                              const CallOptions& options) {
  check_rank("root", root, size());
  auto* bytes = static_cast<std::byte*>(data);
  member_->collective(key_of(Collective::broadcast, count, type, root, options), bytes, bytes, nullptr);
}

void Node::reduce_elements(const void* in, void* out, std::size_t count, std::size_t out_count,
                           const ElementType& type, const Reduction& reduction, Rank root,
                           const CallOptions& options) {
  check_rank("root", root, size());
  const auto* input = static_cast<const std::byte*>(in);
  auto* output = static_cast<std::byte*>(out);
  if (rank_ == root) {
    if (out_count != count)
      throw UsageError(fmt::format("reduce: out has {} elements on the root, in has {}: they must be equal",
                                   out_count, count));
    if (overlap(input, output, count * type.bytes))
      throw UsageError("reduce: in and out overlap: they must be the same range or disjoint");
  }
  CallKey key = key_of(Collective::reduce, count, type, root, options);
  key.operator_hash = reduction.hash;
  key.op = reduction.name;
  key.keep_order = !reduction.commutative;
  member_->collective(key, input, output, &reduction);
}

void Node::barrier(CallOptions options) {
  constexpr ElementType no_data{};
  member_->collective(key_of(Collective::barrier, 0, no_data, -1, options), nullptr, nullptr, nullptr);
}

void Node::send_elements(const void* data, std::size_t count, const ElementType& type, Rank to, int tag) {
  check_peer("receiver", to, rank_, size());
  check_tag(tag);
  member_->send(static_cast<const std::byte*>(data), count * type.bytes, type, to, tag);
}

std::size_t Node::receive_elements(void* data, std::size_t count, const ElementType& type, Rank from,
                                   int tag) {
  check_peer("sender", from, rank_, size());
  check_tag(tag);
  return member_->receive(static_cast<std::byte*>(data), count * type.bytes, type, from, tag);
}

std::size_t Node::exchange_elements(const void* out, std::size_t out_count, Rank to, void* in,
                                    std::size_t in_count, Rank from, const ElementType& type, int tag) {
  check_rank("receiver", to, size());
  check_rank("sender", from, size());
  check_tag(tag);
  return member_->exchange(static_cast<const std::byte*>(out), out_count * type.bytes, to,
                           static_cast<std::byte*>(in), in_count * type.bytes, from, type, tag);
}

}
