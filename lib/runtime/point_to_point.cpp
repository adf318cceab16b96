#include "runtime/point_to_point.hpp"

#include <cstring>
#include <fmt/format.h>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "runtime/copy.hpp"

namespace vnode {
namespace {

/// Where one end's memory lies, and where it wants to be told that the other is done; `bytes` is the sender's
/// to say, and so is whether it copies half of them.
struct Offer {
  std::byte* data;
  std::size_t bytes;
  Ticket ticket;
  bool serves;
};
static_assert(sizeof(Offer) <= first_payload);

/// Where the receiver's half ends, if both ends copy.
std::size_t half(std::size_t bytes, std::size_t element_bytes) {
  const std::size_t grain = element_bytes * cache_line;
  return bytes / 2 / grain * grain;
}

void copy(Endpoint& endpoint, std::size_t element_bytes, std::byte* to, const std::byte* from,
          std::size_t bytes) {
  const Guard guard(endpoint.fabric(), endpoint.rank());
  Work{endpoint.fabric(), endpoint.arena_help(), nullptr, element_bytes}.apply(Effect::replace, to, to, from,
                                                                               bytes);
}

}

bool Sending::advance() {
  if (stage_ == Stage::announce && !announce()) return false;
  if (stage_ == Stage::serve && !serve()) return false;
  if (stage_ == Stage::await) {
    if (!Endpoint::told(ticket_)) return false;
    endpoint_.close_ticket(ticket_);
    stage_ = Stage::done;
  }
  return true;
}

const std::atomic<std::uint64_t>* Sending::watch() const {
  if (stage_ == Stage::serve) return endpoint_.watch(with_.peer);
  return stage_ == Stage::await ? &ticket_.cell->done : nullptr;
}

bool Sending::announce() {
  if (bytes_ <= max_inline_) {
    if (!endpoint_.send(with_.peer, with_.head(Kind::data, bytes_), data_)) return false;
    stage_ = Stage::done;
    return true;
  }
  const Offer offer{const_cast<std::byte*>(data_), bytes_, endpoint_.open_ticket(), serves_};
  if (!endpoint_.send(with_.peer, with_.head(Kind::source, sizeof offer),
                      reinterpret_cast<const std::byte*>(&offer))) {
    endpoint_.close_ticket(offer.ticket);
    return false;
  }
  ticket_ = offer.ticket;
  stage_ = serves_ ? Stage::serve : Stage::await;
  return true;
}

bool Sending::serve() {
  Head head;
  const std::byte* payload = endpoint_.receive(with_.peer, with_.head(Kind::destination, 0), head);
  if (payload == nullptr) return false;
  Offer offer;
  std::memcpy(&offer, payload, sizeof offer);
  const std::size_t middle = half(bytes_, with_.element_bytes);
  copy(endpoint_, with_.element_bytes, offer.data + middle, data_ + middle, bytes_ - middle);
  endpoint_.done(with_.peer);
  endpoint_.tell(with_.peer, offer.ticket);
  stage_ = Stage::await;
  return true;
}

bool Receiving::advance() {
  if (stage_ == Stage::receive && !receive()) return false;
  if (stage_ == Stage::expose && !expose()) return false;
  if (stage_ == Stage::pull) pull();
  if (stage_ == Stage::await) {
    if (!Endpoint::told(ticket_)) return false;
    endpoint_.close_ticket(ticket_);
    stage_ = Stage::done;
  }
  return true;
}

const std::atomic<std::uint64_t>* Receiving::watch() const {
  if (stage_ == Stage::receive) return endpoint_.watch(with_.peer);
  return stage_ == Stage::await ? &ticket_.cell->done : nullptr;
}

bool Receiving::receive() {
  Head head;
  const std::byte* payload = endpoint_.receive(with_.peer, with_.head(Kind::data, 0), head);
  if (payload == nullptr) return false;
  Offer offer{nullptr, head.bytes, {}, false};
  if (head.kind == Kind::source) std::memcpy(&offer, payload, sizeof offer);
  if (offer.bytes > room_)
    throw Mismatch(fmt::format("a message of {} from node {} with tag {} does not fit the {} of node {}",
                               counted(offer.bytes / with_.element_bytes, "element"), with_.peer, with_.tag,
                               counted(room_ / with_.element_bytes, "element"), endpoint_.rank()));
  bytes_ = offer.bytes;
  source_ = offer.data;
  sender_ = offer.ticket;
  served_ = offer.serves;
  if (head.kind == Kind::data && bytes_ != 0) std::memcpy(data_, payload, bytes_);
  endpoint_.done(with_.peer);
  if (head.kind == Kind::data)
    stage_ = Stage::done;
  else
    stage_ = served_ ? Stage::expose : Stage::pull;
  return true;
}

bool Receiving::expose() {
  const Offer offer{data_, bytes_, endpoint_.open_ticket(), true};
  if (!endpoint_.send(with_.peer, with_.head(Kind::destination, sizeof offer),
                      reinterpret_cast<const std::byte*>(&offer))) {
    endpoint_.close_ticket(offer.ticket);
    return false;
  }
  ticket_ = offer.ticket;
  stage_ = Stage::pull;
  return true;
}

void Receiving::pull() {
  copy(endpoint_, with_.element_bytes, data_, source_, served_ ? half(bytes_, with_.element_bytes) : bytes_);
  endpoint_.tell(with_.peer, sender_);
  stage_ = served_ ? Stage::await : Stage::done;
}

}
