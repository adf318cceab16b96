#include "runtime/endpoint.hpp"

#include <cstring>
#include <fmt/format.h>
#include <new>

#include <vnode/error.hpp>

#include "runtime/mismatch.hpp"

namespace vnode {

std::size_t UnexpectedMessages::Hash::operator()(const Key& key) const noexcept {
  const auto from = static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.from));
  const std::uint64_t where = (from << 1 | std::uint64_t{key.destination}) << 32 |
                              std::uint64_t{key.context} << 16 | std::uint64_t{key.round};
  // Tags and calls are numbers that follow each other: the odd factor spreads what else there is among them.
  return static_cast<std::size_t>(where * 0x9e3779b97f4a7c15u + key.call);
}

UnexpectedMessages::Message& UnexpectedMessages::add(Rank from, const Head& head) {
  void* const room = ::operator new(sizeof(Message) + head.bytes);
  Message* const message = new (room) Message(head, ++added_);
  try {
    const auto [known, fresh] = lanes_.try_emplace(key(from, head), Lane{message, message});
    if (!fresh) known->second.last = known->second.last->next_ = message;
  } catch (...) {
    release(message);
    throw;
  }
  return *message;
}

UnexpectedMessages::Message* UnexpectedMessages::find(Rank from, const Head& expected) const {
  const auto known = lanes_.find(key(from, expected));
  return known == lanes_.end() ? nullptr : known->second.first;
}

void UnexpectedMessages::remove(Rank from, Message& message) {
  const auto known = lanes_.find(key(from, message.head()));
  known->second.first = message.next_;
  if (message.next_ == nullptr) lanes_.erase(known);
  release(&message);
}

std::optional<std::pair<Rank, Head>> UnexpectedMessages::oldest() const {
  const Message* oldest = nullptr;
  Rank from = -1;
  for (const auto& [key, lane] : lanes_)
    if (oldest == nullptr || lane.first->number_ < oldest->number_) {
      oldest = lane.first;
      from = key.from;
    }
  if (oldest == nullptr) return {};
  return std::pair(from, oldest->head());
}

void UnexpectedMessages::clear() {
  for (const auto& [key, lane] : lanes_)
    for (Message* message = lane.first; message != nullptr;) {
      Message* const next = message->next_;
      release(message);
      message = next;
    }
  lanes_.clear();
}

void UnexpectedMessages::release(Message* message) { ::operator delete(message); }

namespace {

constexpr std::size_t cells_at_once = 16;

}

Endpoint::Endpoint(Fabric& fabric, Rank rank)
    : fabric_(fabric),
      rank_(rank),
      out_(static_cast<std::size_t>(fabric.nodes())),
      in_(static_cast<std::size_t>(fabric.nodes())) {}

Ticket Endpoint::open_ticket() {
  if (cells_.empty()) {
    made_.reserve(made_.size() + 1);
    cells_.reserve((made_.size() + 1) * cells_at_once);
    made_.push_back(fabric_.make_cells(rank_, cells_at_once));
    for (std::size_t i = 0; i < cells_at_once; ++i) cells_.push_back(made_.back() + i);
  }
  Cell* const cell = cells_.back();
  cells_.pop_back();
  return {cell, ++tokens_};
}

void Endpoint::reset() {
  unexpected_.clear();
  current_ = nullptr;
  note_arrivals(false);
  overlapping_ = false;
  cells_.clear();
  for (Cell* const piece : made_)
    for (std::size_t i = 0; i < cells_at_once; ++i) cells_.push_back(piece + i);
}

const std::byte* Endpoint::receive_among_others(Rank from, const Head& expected, Head& head) {
  if (UnexpectedMessages::Message* const message = unexpected_.find(from, expected)) {
    head = message->head();
    check(from, expected, head);
    current_ = message;
    return message->payload();
  }
  Channel& channel = in(from);
  while (channel.front(head)) {
    if (head.answers(expected)) {
      check(from, expected, head);
      current_bytes_ = head.bytes;
      return channel.payload(head.bytes, gathered_.bytes);
    }
    if (!overlapping_ && head.context == expected.context && !Context::is_messages(head.context) &&
        static_cast<std::int32_t>(head.call - expected.call) < 0)
      throw Mismatch(mismatch_text(fabric_, rank_, from, head.context, head.call));
    set_aside(from, head);
  }
  return nullptr;
}

void Endpoint::set_aside(Rank from, const Head& head) {
  if (notes_arrivals_ && Context::is_messages(head.context) && head.kind != Kind::destination)
    arrivals_.push_back({from, head});
  Channel& channel = in(from);
  std::byte* const room = unexpected_.add(from, head).payload();
  const std::byte* payload = channel.payload(head.bytes, room);
  if (payload != room && head.bytes != 0) std::memcpy(room, payload, head.bytes);
  drop(from, head.bytes);
}

void Endpoint::relieve() {
  Head head;
  for (const Made* made = fabric_.newest_to(rank_); made != nullptr; made = made->earlier)
    if (made->channel->crowded())
      while (front(made->from, head)) set_aside(made->from, head);
}

void Endpoint::check(Rank from, const Head& expected, const Head& head) const {
  if (head.signature != expected.signature)
    throw Mismatch(mismatch_text(fabric_, rank_, from, head.context, head.call));
}

std::string Endpoint::unreceived() const {
  const auto message = unexpected_.oldest();
  if (!message) return {};
  return fmt::format("node {} left the run without receiving what node {} sent it", rank_, message->first);
}

}  // namespace vnode
