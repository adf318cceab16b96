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
      in_(static_cast<std::size_t>(fabric.nodes())),
      current_(aside_.end()) {}

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
  aside_.clear();
  current_ = aside_.end();
  overlapping_ = false;
  cells_.clear();
  for (Cell* const piece : made_)
    for (std::size_t i = 0; i < cells_at_once; ++i) cells_.push_back(piece + i);
}

const std::byte* Endpoint::receive_among_others(Rank from, const Head& expected, Head& head) {
  if (!aside_.empty())
    if (const std::byte* payload = find_aside(from, expected, head)) return payload;
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

const std::byte* Endpoint::find_aside(Rank from, const Head& expected, Head& head) {
  for (auto message = aside_.begin(); message != aside_.end(); ++message) {
    if (message->from != from || !message->head.answers(expected)) continue;
    head = message->head;
    check(from, expected, head);
    current_ = message;
    return message->payload;
  }
  return nullptr;
}

void Endpoint::set_aside(Rank from, const Head& head) {
  Channel& channel = in(from);
  Aside& message = aside_.emplace_back();
  message.from = from;
  message.head = head;
  const std::byte* payload = channel.payload(head.bytes, message.payload);
  if (payload != message.payload && head.bytes != 0) std::memcpy(message.payload, payload, head.bytes);
  drop(from, head.bytes);
}

void Endpoint::check(Rank from, const Head& expected, const Head& head) const {
  if (head.signature != expected.signature)
    throw Mismatch(mismatch_text(fabric_, rank_, from, head.context, head.call));
}

std::string Endpoint::unreceived() const {
  if (aside_.empty()) return {};
  const Aside& message = aside_.front();
  return fmt::format("node {} left the run without receiving what node {} sent it", rank_, message.from);
}

}
