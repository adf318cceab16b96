#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include <vnode/rank.hpp>

#include "channel/line.hpp"
#include "channel/wire.hpp"

namespace vnode {

/// Holds the messages of a link between two processes. At its sender's end they leave by the node's wire; at
/// its receiver's end the wire has brought them, and they have not been received yet. One thread uses it at
/// either end.
class WireQueue {
 public:
  /// Makes an end of a link: `wire` is that of the node at this end, `to` the link's receiver.
  WireQueue(Wire& wire, Rank to) : wire_(wire), to_(to) {}
  ~WireQueue() { clear(); }
  WireQueue(const WireQueue&) = delete;
  WireQueue& operator=(const WireQueue&) = delete;

  /// Sender: sends a message. Returns false when the wire has no room now.
  bool push(const Head& head, const std::byte* payload) {
    return wire_.send(to_, std::as_bytes(std::span(&head, 1)), {payload, head.bytes});
  }

  /// Receiver: appends what the wire has brought. Throws std::bad_alloc.
  void bring(const Head& head, const std::byte* payload) {
    auto* const made = new (::operator new(sizeof(Message) + head.bytes)) Message{head, nullptr};
    if (head.bytes != 0) std::memcpy(made + 1, payload, head.bytes);
    (first_ == nullptr ? first_ : last_->next) = made;
    last_ = made;
  }
  /// Receiver: sets `head` to that of the oldest message; returns false if there is none.
  bool front(Head& head) const {
    if (first_ == nullptr) return false;
    head = first_->head;
    return true;
  }
  /// Receiver, after front(): returns the payload of the oldest message.
  std::byte* payload() const { return reinterpret_cast<std::byte*>(first_ + 1); }
  /// Receiver: drops the oldest message.
  void pop() { ::operator delete(std::exchange(first_, first_->next)); }
  void clear() {
    while (first_ != nullptr) pop();
  }

 private:
  struct alignas(16) Message {  // its payload follows
    Head head;
    Message* next;
  };
  Wire& wire_;
  Rank to_;
  Message* first_ = nullptr;
  Message* last_ = nullptr;
};

}  // namespace vnode
