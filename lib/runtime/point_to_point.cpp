#include "runtime/point_to_point.hpp"

#include <cstring>
#include <fmt/format.h>

#include <vnode/error.hpp>

#include "runtime/copy.hpp"

namespace vnode {
namespace {

/// Where one end's memory lies, and what it wants to be told when the other is done; `bytes` is the sender's
/// to say.
struct Offer {
  std::byte* data;
  std::size_t bytes;
  std::uint64_t token;
};

std::uint32_t sending_cell(const Fabric& fabric) { return cells_per_call(fabric.nodes()); }
std::uint32_t receiving_cell(const Fabric& fabric) { return cells_per_call(fabric.nodes()) + 1; }

/// Where the receiver's half ends, if both ends copy.
std::size_t half(std::size_t bytes, std::size_t element_bytes) {
  const std::size_t grain = element_bytes * cache_line;
  return bytes / 2 / grain * grain;
}

void copy(Endpoint& endpoint, std::size_t element_bytes, std::byte* to, const std::byte* from,
          std::size_t bytes) {
  const Guard guard(endpoint.fabric(), endpoint.rank());
  Work{endpoint.fabric(), nullptr, element_bytes}.apply(Effect::replace, to, to, from, bytes);
}

}

bool Sending::advance() {
  if (stage_ == Stage::announce && !announce()) return false;
  if (stage_ == Stage::serve && !serve()) return false;
  if (stage_ == Stage::await) {
    if (!endpoint_.told(sending_cell(endpoint_.fabric()), token_)) return false;
    stage_ = Stage::done;
  }
  return true;
}

const std::atomic<std::uint64_t>* Sending::watch() const {
  if (stage_ == Stage::serve) return endpoint_.watch(with_.peer);
  return stage_ == Stage::await ? endpoint_.watch_cell(sending_cell(endpoint_.fabric())) : nullptr;
}

bool Sending::announce() {
  if (bytes_ <= profile_.max_inline) {
    if (!endpoint_.send(with_.peer, with_.head(Kind::data, bytes_), data_)) return false;
    stage_ = Stage::done;
    return true;
  }
  token_ = endpoint_.next_token();
  const Offer offer{const_cast<std::byte*>(data_), bytes_, token_};
  if (!endpoint_.send(with_.peer, with_.head(Kind::source, sizeof offer),
                      reinterpret_cast<const std::byte*>(&offer)))
    return false;
  stage_ = bytes_ >= profile_.min_shared ? Stage::serve : Stage::await;
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
  endpoint_.tell(with_.peer, receiving_cell(endpoint_.fabric()), offer.token);
  stage_ = Stage::await;
  return true;
}

bool Receiving::advance() {
  if (stage_ == Stage::receive && !receive()) return false;
  if (stage_ == Stage::expose && !expose()) return false;
  if (stage_ == Stage::pull) pull();
  if (stage_ == Stage::await) {
    if (!endpoint_.told(receiving_cell(endpoint_.fabric()), token_)) return false;
    stage_ = Stage::done;
  }
  return true;
}

const std::atomic<std::uint64_t>* Receiving::watch() const {
  if (stage_ == Stage::receive) return endpoint_.watch(with_.peer);
  return stage_ == Stage::await ? endpoint_.watch_cell(receiving_cell(endpoint_.fabric())) : nullptr;
}

bool Receiving::receive() {
  Head head;
  const std::byte* payload = endpoint_.receive(with_.peer, with_.head(Kind::data, 0), head);
  if (payload == nullptr) return false;
  Offer offer{nullptr, head.bytes, 0};
  if (head.kind == Kind::source) std::memcpy(&offer, payload, sizeof offer);
  if (offer.bytes > room_)
    throw Mismatch(fmt::format(
        "a message of {} elements from node {} with tag {} does not fit the {} elements of node {}",
        offer.bytes / with_.element_bytes, with_.peer, with_.tag, room_ / with_.element_bytes,
        endpoint_.rank()));
  bytes_ = offer.bytes;
  source_ = offer.data;
  sender_token_ = offer.token;
  if (head.kind == Kind::data && bytes_ != 0) std::memcpy(data_, payload, bytes_);
  endpoint_.done(with_.peer);
  if (head.kind == Kind::data)
    stage_ = Stage::done;
  else
    stage_ = bytes_ >= profile_.min_shared ? Stage::expose : Stage::pull;
  return true;
}

bool Receiving::expose() {
  token_ = endpoint_.next_token();
  const Offer offer{data_, bytes_, token_};
  if (!endpoint_.send(with_.peer, with_.head(Kind::destination, sizeof offer),
                      reinterpret_cast<const std::byte*>(&offer)))
    return false;
  stage_ = Stage::pull;
  return true;
}

void Receiving::pull() {
  const bool shared = bytes_ >= profile_.min_shared;
  copy(endpoint_, with_.element_bytes, data_, source_, shared ? half(bytes_, with_.element_bytes) : bytes_);
  endpoint_.tell(with_.peer, sending_cell(endpoint_.fabric()), sender_token_);
  stage_ = shared ? Stage::await : Stage::done;
}

}
