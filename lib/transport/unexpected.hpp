#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include <vnode/rank.hpp>

#include "channel/line.hpp"
#include "transport/message_pattern.hpp"

namespace vnode {

/// Holds messages that have arrived before the node asked for them (unexpected, in MPI). They are found by
/// who sent them and what they answer, in the order in which they came. Each takes its payload and about a
/// hundred bytes. Once somebody has looked for one from any source, or with any tag, those that such a look
/// may find stand in lists for it too, so that no look takes longer if there are more of them. One thread
/// uses it.
class UnexpectedMessages {
 public:
  class Message {
   public:
    const Head& head() const { return head_; }
    /// Returns the payload of head().bytes bytes, aligned to 16 bytes.
    std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
    /// Returns the message's number among all that have come, from 1.
    std::uint64_t number() const { return number_; }

   private:
    friend class UnexpectedMessages;
    Message(const Head& head, std::uint64_t number) : head_(head), number_(number) {}
    Head head_;
    Message* next_ = nullptr;  // the next in the same lane
    std::uint64_t number_;
  };
  static_assert(sizeof(Message) % 16 == 0);

  UnexpectedMessages() = default;
  ~UnexpectedMessages() { clear(); }
  UnexpectedMessages(const UnexpectedMessages&) = delete;
  UnexpectedMessages& operator=(const UnexpectedMessages&) = delete;

  bool empty() const { return lanes_.empty(); }
  /// Adds a message as the newest of its lane; the caller fills in its payload. Throws std::bad_alloc, and
  /// then has added nothing.
  Message& add(Rank from, const Head& head);
  /// Returns the oldest message that answers `expected`, or nullptr.
  Message* find(Rank from, const Head& expected) const;
  /// Returns the oldest message that fits, and who has sent it, or {-1, nullptr} if none does. Throws
  /// std::bad_alloc; then only clear() may be called.
  std::pair<Rank, Message*> find(const MessagePattern& pattern);
  /// Removes `message`, which was found as one from node `from`.
  void remove(Rank from, Message& message) { take(from, message); }
  /// Frees a message that take() has removed and given to the caller.
  struct Free {
    void operator()(Message* message) const { release(message); }
  };
  using Owned = std::unique_ptr<Message, Free>;
  Owned take(Rank from, Message& message);
  /// Returns how many messages have ever been added.
  std::uint64_t added() const { return added_; }
  /// Calls visit(from, head) for all, in no order.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const auto& [key, lane] : lanes_)
      for (const Message* message = lane.first; message != nullptr; message = message->next_)
        visit(key.from, message->head());
  }
  /// Returns who has sent the oldest of all, and its head.
  std::optional<std::pair<Rank, Head>> oldest() const;
  void clear();

 private:
  /// Holds what messages that answer the same have in common; these are taken in order.
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

  /// Tells what a look leaves open.
  enum class Open : std::size_t { source, tag, both };
  static constexpr std::array all_open{Open::source, Open::tag, Open::both};
  /// Tells where a message stands in the lists, of which there is one for each Open.
  struct Place {
    Rank from;
    std::array<Message*, 3> before, after;
  };
  static Key key(Open open, Rank from, const Head& head);
  static bool is_listed(const Head& head);
  void keep_lists(Open open);
  void append(Open open, Message& message, Place& place);
  void list(Rank from, Message& message);
  void unlist(Message& message);

  std::unordered_map<Key, Lane, Hash> lanes_;  // none of them empty
  // What somebody has looked for:
  bool any_listed_ = false;
  std::array<bool, 3> listed_{};
  std::unordered_map<Key, Lane, Hash> lists_;  // none of these is empty, either
  std::unordered_map<const Message*, Place> places_;
  std::uint64_t added_ = 0;
};

}  // namespace vnode
