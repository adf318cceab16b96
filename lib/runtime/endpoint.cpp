#include "runtime/endpoint.hpp"

#include <cstring>
#include <fmt/format.h>

#include <vnode/error.hpp>

#include "runtime/mismatch.hpp"

namespace vnode {
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

}
