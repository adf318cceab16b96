#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include <vnode/rank.hpp>

#include "channel/line.hpp"

namespace vnode {

/// Messages that have arrived before anybody asked for them, found by who sent them and what they answer, in
/// the order in which they came. Each takes its payload and about a hundred bytes. One thread's.
class UnexpectedMessages {
 public:
  class Message {
   public:
    const Head& head() const { return head_; }
    /// Aligned to 16 bytes, head().bytes of them.
    std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }

   private:
    friend class UnexpectedMessages;
    Message(const Head& head, std::uint64_t number) : head_(head), number_(number) {}
    Head head_;
    Message* next_ = nullptr;  // of the same lane
    std::uint64_t number_;
  };
  static_assert(sizeof(Message) % 16 == 0);

  UnexpectedMessages() = default;
  ~UnexpectedMessages() { clear(); }
  UnexpectedMessages(const UnexpectedMessages&) = delete;
  UnexpectedMessages& operator=(const UnexpectedMessages&) = delete;

  bool empty() const { return lanes_.empty(); }
  /// The newest of its lane, whose payload the caller fills in. Throws std::bad_alloc, and has added nothing.
  Message& add(Rank from, const Head& head);
  /// The oldest that answers `expected`, or nullptr.
  Message* find(Rank from, const Head& expected) const;
  /// `message` was found as one from this node.
  void remove(Rank from, Message& message);
  /// Who has sent the oldest of all, and its head.
  std::optional<std::pair<Rank, Head>> oldest() const;
  void clear();

 private:
  /// What messages have in common that answer the same: they are taken in order.
  struct Key {
    Rank from;
    std::uint32_t call;
    std::uint16_t context, round;
    bool destination;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct Lane {
    Message* first;
    Message* last;
  };
  static Key key(Rank from, const Head& head) {
    return {from, head.call, head.context, head.round, head.kind == Kind::destination};
  }
  static void release(Message* message);

  std::unordered_map<Key, Lane, Hash> lanes_;  // none of them empty
  std::uint64_t added_ = 0;
};

}  // namespace vnode
