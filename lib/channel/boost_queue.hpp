#pragma once

#include <boost/lockfree/spsc_queue.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "channel/line.hpp"
#include "channel/memory.hpp"

namespace vnode {

/// The same messages through boost::lockfree::spsc_queue: its elements are lines, its two indices are the
/// flags, so a message costs the line's miss and the index's.
class BoostQueue {
 public:
  /// `capacity`: lines.
  BoostQueue(std::size_t capacity, LineMemory& memory)
      : queue_(capacity, LineAllocator<Line>(memory)), half_(capacity / 2) {}

  /// Producer: false when there is no room for the whole message.
  bool push(const Head& head, const std::byte* payload) {
    const std::size_t lines = lines_for(head.bytes);
    if (queue_.write_available() < lines) return false;
    Line message[lines_for(max_inline)];
    message[0].words[0] = head.stamp();
    message[0].words[1] = head.name();
    copy_small(message[0].bytes() + 16, payload, head.bytes < first_payload ? head.bytes : first_payload);
    for (std::size_t line = 1, at = first_payload; line < lines; ++line, at += next_payload) {
      const std::size_t left = head.bytes - at;
      std::memcpy(message[line].bytes() + 8, payload + at, left < next_payload ? left : next_payload);
    }
    queue_.push(message, lines);  // all lines become visible at once
    return true;
  }

  /// Consumer: the head of the oldest message, or false.
  bool front(Head& head) {
    if (queue_.read_available() == 0) return false;
    const Line& line = queue_.front();
    head = Head::of(line.words[0], line.words[1]);
    return true;
  }

  /// Consumer: whether more than half of the queue is taken, as it is while a producer waits for room.
  bool crowded() const { return queue_.read_available() > half_; }

  /// Consumer, after front(): the payload of `bytes`, in the line itself where it is one line, else gathered
  /// in `room`, which drops the lines after the first.
  const std::byte* payload(std::size_t bytes, std::byte* room) {
    if (bytes <= first_payload) return queue_.front().bytes() + 16;
    std::memcpy(room, queue_.front().bytes() + 16, first_payload);
    for (std::size_t at = first_payload; at < bytes; at += next_payload) {
      queue_.pop();  // the last line stays for pop()
      const std::size_t left = bytes - at;
      std::memcpy(room + at, queue_.front().bytes() + 8, left < next_payload ? left : next_payload);
    }
    gathered_ = true;
    return room;
  }

  /// Consumer: drops the oldest message, of `bytes` of payload. True: the producer has room for it again.
  bool pop(std::size_t bytes) {
    const std::size_t lines = gathered_ ? 1 : lines_for(bytes);
    for (std::size_t line = 0; line < lines; ++line) queue_.pop();
    gathered_ = false;
    return true;
  }

  /// Neither side is using it: forgets all messages.
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

}  // namespace vnode
