#include "transport/endpoint.hpp"

#include <cstring>
#include <new>

#include <vnode/error.hpp>

namespace vnode {

namespace {

constexpr std::size_t cells_at_once = 16;

}

Endpoint::Endpoint(Fabric& fabric, Rank rank)
    : fabric_(fabric),
      rank_(rank),
      out_(&fabric.link(rank, 0)),
      in_(&fabric.link(0, rank)),
      nodes_(fabric.nodes()) {}

void Endpoint::connect(Wire& wire) {
  remote_ = std::make_unique<Remote>(fabric_, rank_, wire);
  fabric_.watch().add(*remote_);
}

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

void Endpoint::quiesce() {
  fabric_.quiesce(rank_);
  if (remote_ == nullptr) return;
  try {
    remote_->tell_abort();
  } catch (const std::exception&) {
    // There was no memory, or the wire has failed: the others learn of the abort at the end of the run.
  }
  remote_->quiesce();
}

void Endpoint::reset() {
  if (remote_ != nullptr) remote_->reset();
  unexpected_.clear();
  current_ = nullptr;
  aside_last_ = false;
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
  while (channel.front(head) || comes(channel, head)) {
    if (head.answers(expected)) {
      check(from, expected, head);
      current_bytes_ = head.bytes;
      return channel.payload(head.bytes, gathered_.bytes);
    }
    if (!overlapping_ && head.context == expected.context && !is_message_context(head.context) &&
        static_cast<std::int32_t>(head.call - expected.call) < 0)
      refuse(from, head);
    set_aside(from, head);
  }
  return nullptr;
}

std::optional<Endpoint::Found> Endpoint::find_aside(const MessagePattern& pattern) {
  const auto [from, message] = unexpected_.find(pattern);
  if (message == nullptr) return {};
  return Found{from, message->head(), message};
}

std::optional<Endpoint::Found> Endpoint::find_arriving(const MessagePattern& pattern, bool everywhere) {
  std::optional<Found> found;
  const auto visit = [&](Rank from) {
    Head head;
    while (front(from, head)) {
      if (pattern.fits(from, head)) {
        found = Found{from, head, nullptr};
        return true;
      }
      set_aside(from, head);
    }
    return false;
  };
  if (pattern.from != MessagePattern::any_source)
    visit(pattern.from);
  else
    each_source(visit, everywhere);
  return found;
}

// Messages that were set aside are looked at first, but by receives from any source only every other time:
// otherwise a node whose messages are set aside, since it sends more than its channel holds, would starve the
// others.
std::optional<Endpoint::Found> Endpoint::find(const MessagePattern& pattern, bool everywhere) {
  const bool channels_first = pattern.from == MessagePattern::any_source && std::exchange(aside_last_, false);
  if (!channels_first)
    if (auto found = find_aside(pattern)) {
      aside_last_ = pattern.from == MessagePattern::any_source;
      return found;
    }
  auto found = find_arriving(pattern, everywhere);
  if (!channels_first) return found;
  if (!found) return find_aside(pattern);
  // The message must not overtake what the same node has sent before.
  MessagePattern of_same = pattern;
  of_same.from = found->from;
  if (auto older = find_aside(of_same)) return older;
  return found;
}

UnexpectedMessages::Owned Endpoint::take(const Found& found) {
  if (found.aside != nullptr) return unexpected_.take(found.from, *found.aside);
  set_aside(found.from, found.head);
  return unexpected_.take(found.from, *unexpected_.find(found.from, found.head));
}

void Endpoint::set_aside(Rank from, const Head& head) {
  UnexpectedMessages::Message& message = unexpected_.add(from, head);
  if (notes_arrivals_ && is_message_context(head.context) && head.kind != Kind::destination)
    arrivals_.push_back({from, head, message.number()});
  Channel& channel = in(from);
  std::byte* const room = message.payload();
  const std::byte* payload = channel.payload(head.bytes, room);
  if (payload != room && head.bytes != 0) std::memcpy(room, payload, head.bytes);
  drop(from, head.bytes);
}

void Endpoint::relieve(bool all) {
  if (remote_ != nullptr) all ? remote_->poll() : remote_->poll_at_times();
  Head head;
  for (const ChannelRecord* made = fabric_.newest_to(rank_); made != nullptr; made = made->earlier)
    if (made->channel->crowded())
      while (front(made->from, head)) set_aside(made->from, head);
}

void Endpoint::check(Rank from, const Head& expected, const Head& head) const {
  if (head.signature != expected.signature) refuse(from, head);
}

void Endpoint::refuse(Rank from, const Head& head) const {
  if (!fabric_.is_here(from)) fabric_.note_different({rank_, from, head.context, head.call});
  throw Mismatch(fabric_.watch().mismatch(rank_, from, head.context, head.call));
}

std::string Endpoint::unreceived() const {
  const auto message = unexpected_.oldest();
  if (!message) return {};
  return fabric_.watch().unreceived(rank_, message->first, message->second);
}

}  // namespace vnode
