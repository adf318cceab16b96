#pragma once

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <utility>
#include <variant>

#include "base/prefetch.hpp"
#include "channel/line.hpp"
#include "channel/memory.hpp"
#include "channel/wire_queue.hpp"

namespace vnode {

/// Is a ring of cache lines for a single producer and a single consumer. Flag and payload share a line, so
/// that a message of one line costs one coherence miss.
///
/// Invariant: the slot of position i holds the lap number of i in the low 16 bits of its stamp from the
/// moment the line is there, and an older one before. The producer is never more than the capacity ahead of
/// `out_`, the position below which the consumer has given slots back; the consumer gives back half a ring at
/// a time, so that line is shared rarely. What the consumer keeps back is less than half the ring: a message
/// of half a ring fits whenever the consumer has read all that was sent.
class LineRing {
 public:
  /// Makes a ring of `capacity` lines, a power of two >= 4.
  LineRing(std::size_t capacity, LineMemory& memory)
      : mask_(capacity - 1), shift_(static_cast<unsigned>(__builtin_ctzll(capacity))) {
    auto* lines = memory.allocate(capacity * sizeof(Slot));
    slots_ = reinterpret_cast<Slot*>(lines);
    for (std::size_t i = 0; i < capacity; ++i) new (slots_ + i) Slot;
  }

  /// Producer: pushes a message. Returns false when there is no room for all of it.
  bool push(const Head& head, const std::byte* payload) {
    return push(head.stamp(), head.name(), payload, head.bytes);
  }
  /// Producer: pushes a message, given by the two words of its head. Returns false when there is no room.
  [[gnu::always_inline]] bool push(std::uint64_t stamp, std::uint64_t name, const std::byte* payload,
                                   std::size_t bytes) {
    if (bytes > first_payload) return push_lines(stamp, name, payload, bytes);
    if (!has_room(1)) return false;
    const std::uint64_t position = in_++;
    write_first(position, stamp, name, payload, bytes);
    prefetch_for_write(&slots_[(position + 1) & mask_]);
    return true;
  }

  /// Consumer: sets `head` to that of the oldest message; returns false if there is none.
  bool front(Head& head) const {
    const Slot& slot = slots_[next_ & mask_];
    const std::uint64_t stamp = slot.stamp.load(std::memory_order_acquire);  // pairs with (a)
    if ((stamp & 0xffff) != lap(next_)) return false;
    head = Head::of(stamp, slot.name());
    return true;
  }
  /// Consumer: returns whether there is a message.
  [[gnu::always_inline]] bool has_front() const {
    // Relaxed: who reads it looks again, and acquires.
    return (slots_[next_ & mask_].stamp.load(std::memory_order_relaxed) & 0xffff) == lap(next_);
  }
  /// Consumer: returns the payload of the oldest message, as payload() does, if its head has these two words;
  /// else null.
  [[gnu::always_inline]] const std::byte* payload(std::uint64_t stamp, std::uint64_t name, std::size_t bytes,
                                                  std::byte* room) const {
    const Slot& slot = slots_[next_ & mask_];
    if (slot.stamp.load(std::memory_order_acquire) != (stamp | lap(next_)) ||  // pairs with (a)
        slot.name() != name)
      return nullptr;
    return bytes <= first_payload ? slot.rest + 8 : gathered(bytes, room);
  }
  /// Consumer: copies the oldest message to `data` if its head has these two words but for its length, which
  /// is stored in `bytes`, and it fits into `room` bytes; `stamp` is that of a message without payload.
  /// `expect` waits for a message for a short time, as Waiter::expect(). Returns false if it has done
  /// nothing. The message is dropped by pop().
  template <class Expect>
  [[gnu::always_inline]] bool read(std::uint64_t stamp, std::uint64_t name, std::byte* data, std::size_t room,
                                   std::size_t& bytes, Expect&& expect) const {
    const Slot& slot = slots_[next_ & mask_];
    const std::uint64_t empty = stamp | lap(next_);
    // Relaxed: it is looked at again.
    if (!expect([&] { return ((slot.stamp.load(std::memory_order_relaxed) ^ empty) & 0xffff) == 0; }))
      return false;
    const std::uint64_t found = slot.stamp.load(std::memory_order_acquire);  // pairs with (a)
    const std::size_t length = Head::of(found, 0).bytes;
    if (Head::without_bytes(found) != empty || slot.name() != name || length > room) return false;
    bytes = length;
    if (length > first_payload)
      gathered(length, data);
    else
      copy_small(data, slot.rest + 8, length);
    return true;
  }

  /// Consumer: returns the word that changes when the next message comes.
  const std::atomic<std::uint64_t>* watch() const { return &slots_[next_ & mask_].stamp; }

  /// Consumer: returns whether more than half of the ring is taken, as it is while a producer waits for room.
  /// Relaxed: nothing is read by it but this answer, and a producer that waits has stored the stamp before.
  bool crowded() const {
    const std::uint64_t position = given_ + mask_ / 2 + 1;
    const std::uint64_t stamp = slots_[position & mask_].stamp.load(std::memory_order_relaxed);
    return (stamp & 0xffff) == lap(position);
  }

  /// Consumer, after front(): returns the payload of `bytes`: in the line itself if it is one line, else
  /// gathered in `room`.
  const std::byte* payload(std::size_t bytes, std::byte* room) const {
    return bytes <= first_payload ? slots_[next_ & mask_].rest + 8 : gathered(bytes, room);
  }

  /// Consumer: drops the oldest message, which has `bytes` of payload. Returns true if it has given slots
  /// back.
  [[gnu::always_inline]] bool pop(std::size_t bytes) {
    next_ += lines_for(bytes);
    if (next_ - given_ <= mask_ / 2) return false;
    given_ = next_;
    out_.store(next_, std::memory_order_release);  // (b) what was read from these slots was read before
    return true;
  }

  /// Forgets all messages. Is called when neither side is using the queue.
  void clear() {
    seen_out_ = next_ = given_ = in_;
    out_.store(in_, std::memory_order_relaxed);
  }

 private:
  struct alignas(cache_line) Slot {
    std::atomic<std::uint64_t> stamp{0};
    std::byte rest[next_payload]{};  // in a first line: the name, then payload
    std::uint64_t name() const {
      std::uint64_t value;
      std::memcpy(&value, rest, sizeof value);
      return value;
    }
    void set_name(std::uint64_t value) { std::memcpy(rest, &value, sizeof value); }
  };
  static_assert(sizeof(Slot) == cache_line);

  /// Producer: returns whether so many lines fit.
  bool has_room(std::size_t lines) {
    if (in_ + lines - seen_out_ <= mask_ + 1) return true;
    seen_out_ = out_.load(std::memory_order_acquire);  // (b) the slots below are no longer read
    return in_ + lines - seen_out_ <= mask_ + 1;
  }
  /// Producer: pushes a message of several lines. The further ones are published by the first one's stamp:
  /// the consumer reads them only after that. They have stamps of their own because any line may be asked for
  /// its lap: crowded() looks at one wherever messages begin, and a stamp that was left from 65,536 laps ago
  /// would pass for that of a message that begins there now.
  [[gnu::noinline]] bool push_lines(std::uint64_t stamp, std::uint64_t name, const std::byte* payload,
                                    std::size_t bytes) {
    const std::size_t lines = lines_for(bytes);
    if (!has_room(lines)) return false;
    prefetch(lines);
    for (std::size_t line = 1, at = first_payload; line < lines; ++line, at += next_payload) {
      Slot& slot = slots_[(in_ + line) & mask_];
      slot.stamp.store(lap(in_ + line), std::memory_order_relaxed);
      copy_further(slot.rest, payload + at, bytes - at);
    }
    write_first(in_, stamp, name, payload, first_payload);
    in_ += lines;
    prefetch(lines);  // the next message is likely as long
    return true;
  }
  [[gnu::always_inline]] void write_first(std::uint64_t position, std::uint64_t stamp, std::uint64_t name,
                                          const std::byte* payload, std::size_t bytes) {
    Slot& first = slots_[position & mask_];
    first.set_name(name);
    copy_small(first.rest + 8, payload, bytes);
    first.stamp.store(stamp | lap(position), std::memory_order_release);  // (a) publishes the whole message
  }
  /// Consumer: gathers the payload of a message of several lines in `room`, and returns that.
  [[gnu::noinline]] const std::byte* gathered(std::size_t bytes, std::byte* room) const {
    std::memcpy(room, slots_[next_ & mask_].rest + 8, first_payload);
    for (std::size_t line = 1, at = first_payload; at < bytes; ++line, at += next_payload)
      copy_further(room + at, slots_[(next_ + line) & mask_].rest, bytes - at);
    return room;
  }
  /// Producer: asks for the next lines all at once. The consumer still has them, from the last lap, and each
  /// would hold up the store that finds it missing.
  void prefetch(std::size_t lines) const {
    for (std::size_t line = 0; line < lines; ++line) prefetch_for_write(&slots_[(in_ + line) & mask_]);
  }

  // Laps begin at 1, so that a fresh slot, which is all zero, belongs to no lap. Comparing 16 bits suffices:
  // a slot holds this lap or the last.
  std::uint64_t lap(std::uint64_t position) const { return ((position >> shift_) + 1) & 0xffff; }

  // Read by both, written by neither.
  alignas(cache_line) std::uint64_t mask_;
  unsigned shift_;
  Slot* slots_;
  // Only the producer uses these.
  alignas(cache_line) std::uint64_t in_ = 0;
  std::uint64_t seen_out_ = 0;
  // Only the consumer uses these.
  alignas(cache_line) std::uint64_t next_ = 0;
  std::uint64_t given_ = 0;
  // The consumer writes this twice a lap, and the producer reads it as often.
  alignas(cache_line) std::atomic<std::uint64_t> out_{0};
};

/// Carries the same messages through boost::lockfree::spsc_queue: its elements are lines, its two indices are
/// the flags, so a message costs the line's miss and the index's.
class BoostQueue {
 public:
  /// Makes a queue of `capacity` lines.
  BoostQueue(std::size_t capacity, LineMemory& memory)
      : queue_(capacity, LineAllocator<Line>(memory)), half_(capacity / 2) {}

  /// Producer: pushes a message. Returns false when there is no room for all of it.
  bool push(const Head& head, const std::byte* payload) {
    const std::size_t lines = lines_for(head.bytes);
    if (queue_.write_available() < lines) return false;
    Line message[lines_for(max_inline)];
    message[0].words[0] = head.stamp();
    message[0].words[1] = head.name();
    copy_small(message[0].bytes() + 16, payload, head.bytes < first_payload ? head.bytes : first_payload);
    for (std::size_t line = 1, at = first_payload; line < lines; ++line, at += next_payload)
      copy_further(message[line].bytes() + 8, payload + at, head.bytes - at);
    queue_.push(message, lines);  // all lines become visible at once
    return true;
  }

  /// Consumer: sets `head` to that of the oldest message; returns false if there is none.
  bool front(Head& head) {
    if (queue_.read_available() == 0) return false;
    const Line& line = queue_.front();
    head = Head::of(line.words[0], line.words[1]);
    return true;
  }

  /// Consumer: returns whether more than half of the queue is taken, as it is while a producer waits for
  /// room.
  bool crowded() const { return queue_.read_available() > half_; }

  /// Consumer, after front(): returns the payload of `bytes`: in the line itself if it is one line, else
  /// gathered in `room`, which drops all lines but the last.
  const std::byte* payload(std::size_t bytes, std::byte* room) {
    if (bytes <= first_payload) return queue_.front().bytes() + 16;
    std::memcpy(room, queue_.front().bytes() + 16, first_payload);
    for (std::size_t at = first_payload; at < bytes; at += next_payload) {
      queue_.pop();  // the last line stays for pop()
      copy_further(room + at, queue_.front().bytes() + 8, bytes - at);
    }
    gathered_ = true;
    return room;
  }

  /// Consumer: drops the oldest message, which has `bytes` of payload. Returns true: the producer has its
  /// room again.
  bool pop(std::size_t bytes) {
    const std::size_t lines = gathered_ ? 1 : lines_for(bytes);
    for (std::size_t line = 0; line < lines; ++line) queue_.pop();
    gathered_ = false;
    return true;
  }

  /// Forgets all messages. Is called when neither side is using the queue.
  void clear() {
    while (queue_.pop()) {
    }
    gathered_ = false;
  }

 private:
  struct alignas(cache_line) Line {
    std::uint64_t words[cache_line / 8];
    std::byte* bytes() { return reinterpret_cast<std::byte*>(words); }
    const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(words); }
  };

  boost::lockfree::spsc_queue<Line, boost::lockfree::allocator<LineAllocator<Line>>> queue_;
  std::size_t half_;
  bool gathered_ = false;
};

/// Holds a directed link's queue of messages, for one producer thread and one consumer thread, with the
/// engine chosen at run time. Messages are at most max_inline bytes and at most half the capacity; larger
/// payloads are announced, not carried. Between processes either end has a queue of its own, and a wire is
/// between them.
class Channel {
 public:
  template <class Engine>
  Channel(std::in_place_type_t<Engine> engine, std::size_t capacity, LineMemory& memory)
      : engine_(engine, capacity, memory) {}
  Channel(Wire& wire, Rank to) : engine_(std::in_place_type<WireQueue>, wire, to) {}

  bool push(const Head& head, const std::byte* payload) {
    if (auto* ring = std::get_if<LineRing>(&engine_)) return ring->push(head, payload);
    if (auto* queue = remote()) return queue->push(head, payload);
    return std::get_if<BoostQueue>(&engine_)->push(head, payload);
  }
  bool front(Head& head) {
    if (auto* ring = std::get_if<LineRing>(&engine_)) return ring->front(head);
    if (auto* queue = remote()) return queue->front(head);
    return std::get_if<BoostQueue>(&engine_)->front(head);
  }
  /// Returns the ring of lines, if that is the engine; else null.
  LineRing* lines() { return std::get_if<LineRing>(&engine_); }
  /// Returns the queue if the link is between processes, whose wire has to be polled; else null.
  WireQueue* remote() { return std::get_if<WireQueue>(&engine_); }
  /// Returns the word that changes when the next message comes, or nullptr if the engine has none.
  const std::atomic<std::uint64_t>* watch() const {
    const auto* ring = std::get_if<LineRing>(&engine_);
    return ring != nullptr ? ring->watch() : nullptr;
  }
  /// Consumer: returns whether the producer may be waiting for room; true whenever it is.
  bool crowded() const {
    if (const auto* ring = std::get_if<LineRing>(&engine_)) return ring->crowded();
    const auto* queue = std::get_if<BoostQueue>(&engine_);
    return queue != nullptr && queue->crowded();
  }
  const std::byte* payload(std::size_t bytes, std::byte* room) {
    if (auto* ring = std::get_if<LineRing>(&engine_)) return ring->payload(bytes, room);
    if (auto* queue = remote()) return queue->payload();
    return std::get_if<BoostQueue>(&engine_)->payload(bytes, room);
  }
  /// Drops the oldest message. Returns true if the producer has more room now.
  bool pop(std::size_t bytes) {
    if (auto* ring = std::get_if<LineRing>(&engine_)) return ring->pop(bytes);
    if (auto* queue = remote()) return queue->pop(), false;
    return std::get_if<BoostQueue>(&engine_)->pop(bytes);
  }
  void clear() {
    if (auto* ring = std::get_if<LineRing>(&engine_)) return ring->clear();
    if (auto* queue = remote()) return queue->clear();
    std::get_if<BoostQueue>(&engine_)->clear();
  }

 private:
  std::variant<LineRing, BoostQueue, WireQueue> engine_;
};

}  // namespace vnode
