#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "channel/boost_queue.hpp"
#include "channel/line_ring.hpp"

namespace vnode {

/// A directed link's queue of messages, one producer thread and one consumer thread, with the engine chosen
/// at run time. Messages are at most max_inline bytes and at most half the capacity; larger payloads are
/// announced, not carried.
class Channel {
 public:
  template <class Engine>
  Channel(std::in_place_type_t<Engine> engine, std::size_t capacity, LineMemory& memory)
      : engine_(engine, capacity, memory) {}

  bool push(const Head& head, const std::byte* payload) {
    if (auto* ring = std::get_if<LineRing>(&engine_)) return ring->push(head, payload);
    return std::get_if<BoostQueue>(&engine_)->push(head, payload);
  }
  bool front(Head& head) {
    if (auto* ring = std::get_if<LineRing>(&engine_)) return ring->front(head);
    return std::get_if<BoostQueue>(&engine_)->front(head);
  }
  /// The word that changes when the next message comes; nullptr where the engine shows none.
  const std::atomic<std::uint64_t>* watch() const {
    const auto* ring = std::get_if<LineRing>(&engine_);
    return ring != nullptr ? ring->watch() : nullptr;
  }
  /// Consumer: whether the producer may be waiting for room; true whenever it is.
  bool crowded() const {
    if (const auto* ring = std::get_if<LineRing>(&engine_)) return ring->crowded();
    return std::get_if<BoostQueue>(&engine_)->crowded();
  }
  const std::byte* payload(std::size_t bytes, std::byte* room) {
    if (auto* ring = std::get_if<LineRing>(&engine_)) return ring->payload(bytes, room);
    return std::get_if<BoostQueue>(&engine_)->payload(bytes, room);
  }
  /// True if the producer has more room now.
  bool pop(std::size_t bytes) {
    if (auto* ring = std::get_if<LineRing>(&engine_)) return ring->pop(bytes);
    return std::get_if<BoostQueue>(&engine_)->pop(bytes);
  }
  void clear() {
    if (auto* ring = std::get_if<LineRing>(&engine_)) return ring->clear();
    std::get_if<BoostQueue>(&engine_)->clear();
  }

 private:
  std::variant<LineRing, BoostQueue> engine_;
};

}  // namespace vnode
