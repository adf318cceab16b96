#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <vnode/rank.hpp>

#include "channel/line.hpp"

namespace vnode {

/// Numbers a round of a call among all rounds of all calls of a context, in their order. Calls are counted in
/// 48 bits, which do not begin again: a member may not read for billions of calls, nor a slot be used.
using Point = std::uint64_t;
constexpr Point point(std::uint64_t call, std::uint32_t round) { return call << 16 | round; }
/// Returns the number that the call of a point has in messages.
constexpr std::uint32_t call_of(Point point) { return static_cast<std::uint32_t>(point >> 16); }

/// Shows what one node has to many: a publication is written once and read by every reader, instead of once
/// per channel. No reader acknowledges it: each member of the context has one word for all boards, its own,
/// in which it says up to which point it has read all that it had to read.
///
/// Invariant: a slot is written only when the words of all readers of its last publication have reached that,
/// and its stamp changes last. A publication sits in the slot that its call and round name, so that a reader
/// looks at one line. Nobody but the owner writes to a board.
///
/// `Words` gives the words of the context's members: words[rank], acquired; size(), of members; and owner().
class Board {
 public:
  static constexpr std::size_t slots = 16;
  /// A slot is so many lines: who shows less, or looks at the first, touches the first only.
  static constexpr std::size_t lines = 4;
  static constexpr std::size_t max_inline = first_payload + (lines - 1) * cache_line;
  /// Lists who reads a publication; empty: all members but the owner.
  using Readers = std::span<const Rank>;

  /// Says where a publication is and what its slot then holds: all that a reader looks for.
  struct Name {
    explicit Name(const Head& head)
        : slot(index(head)), stamp(Board::stamp(head)), about(Board::about(head)) {}
    std::size_t slot;
    std::uint64_t stamp, about;
  };

  /// Owner: shows `payload`, of the round `at`, to the readers. Returns false while the slot's last
  /// publication has not been read by all of its readers. Throws std::bad_alloc.
  template <class Words>
  bool publish(const Head& head, Point at, const std::byte* payload, Readers readers, const Words& words) {
    Shown& shown = shown_[index(head)];
    if (!shown.is_over && !is_read(shown, words)) return false;
    shown.only = readers.size() == 1 ? readers.front() : -1;
    if (readers.size() > 1 || !shown.several.empty()) [[unlikely]]
      shown.list(readers);
    shown.at = at;
    shown.is_over = false;
    Slot& slot = slots_[index(head)];
    slot.about = about(head);
    copy_small(slot.payload, payload, head.bytes);
    slot.stamp.store(stamp(head), std::memory_order_release);  // (a) publishes the slot
    return true;
  }
  /// Owner: returns whether all these readers have read up to this point.
  template <class Words>
  bool have_read(Readers readers, Point at, const Words& words) {
    if (seen_ >= at) return true;
    if (readers.empty()) [[unlikely]]
      return all_have_read(at, words);
    for (const Rank reader : readers)
      if (words[reader] < at) return false;
    return true;
  }

  /// Reader: sets `head` to that of the publication that `expected` waits for; returns false while there is
  /// none.
  bool front(const Head& expected, Head& head) const {
    const Slot& slot = at(expected);
    if (slot.stamp.load(std::memory_order_acquire) != stamp(expected)) return false;  // pairs with (a)
    head = expected;
    head.signature = static_cast<std::uint32_t>(slot.about >> 32);
    head.bytes = static_cast<std::uint16_t>(slot.about >> 16);
    head.kind = static_cast<Kind>((slot.about >> 8) & 0xff);
    return true;
  }
  /// Reader: returns the word that changes when the publication comes that `expected` waits for.
  const std::atomic<std::uint64_t>* watch(const Head& expected) const { return &at(expected).stamp; }
  const std::byte* payload(const Head& head) const { return at(head).payload; }
  /// Reader: returns the payload of the publication of this name, or null while it is not there, or something
  /// else is in its place.
  const std::byte* payload(const Name& name) const {
    const Slot& slot = slots_[name.slot];
    if (slot.stamp.load(std::memory_order_acquire) != name.stamp) return nullptr;  // pairs with (a)
    return slot.about == name.about ? slot.payload : nullptr;
  }

  /// Returns the oldest publication that not all of its readers have read. Is called by the owner, or when
  /// nobody is using the board.
  template <class Words>
  std::optional<Head> unread(const Words& words) {
    std::optional<Head> oldest;
    for (std::size_t i = 0; i < slots; ++i) {
      const Shown& shown = shown_[i];
      if (shown.is_over || is_read(shown, words)) continue;
      // Relaxed: the owner's own store.
      const std::uint64_t name = slots_[i].stamp.load(std::memory_order_relaxed) - 1;
      const Head head{static_cast<std::uint32_t>(name >> 32),
                      static_cast<std::uint32_t>(slots_[i].about >> 32),
                      static_cast<std::uint16_t>(name >> 16), static_cast<std::uint16_t>(name)};
      if (!oldest || static_cast<std::int32_t>(head.call - oldest->call) < 0) oldest = head;
    }
    return oldest;
  }

  /// Forgets all publications. Is called when nobody is using the board.
  void clear() {
    for (Slot& slot : slots_) slot.stamp.store(0, std::memory_order_relaxed);
    for (Shown& shown : shown_) shown.is_over = true;
    seen_ = 0;
    least_ = most;
    next_ = 0;
  }

 private:
  struct alignas(cache_line) Slot {
    std::atomic<std::uint64_t> stamp{0};
    std::uint64_t about = 0;  // signature, bytes, kind
    std::byte payload[max_inline]{};
  };
  static_assert(sizeof(Slot) == lines * cache_line);
  struct Shown {  // what a slot shows, and to whom
    Point at = 0;
    bool is_over = true;  // nothing has been shown
    Rank only = -1;       // the only reader; else -1
    std::vector<Rank> several{};

    [[gnu::noinline]] void list(Readers readers) {
      several.clear();
      if (readers.size() > 1) several.assign(readers.begin(), readers.end());
    }
  };
  template <class Words>
  bool is_read(const Shown& shown, const Words& words) {
    return have_read(shown.only >= 0 ? Readers(&shown.only, 1) : Readers(shown.several), shown.at, words);
  }

  /// Looks at the words of all members, and keeps the least, which spares looks later on. One that is still
  /// behind is where the next look begins: words only grow.
  template <class Words>
  [[gnu::noinline]] bool all_have_read(Point at, const Words& words) {
    for (; next_ < words.size(); ++next_) {
      if (next_ == words.owner()) continue;
      const Point read = words[next_];
      if (read < at) return false;
      least_ = std::min(least_, read);
    }
    seen_ = std::exchange(least_, most);
    next_ = 0;
    return seen_ >= at;
  }

  // Returns a number that is never 0 and different for every (call, round, context): these, counted from 1.
  static std::uint64_t stamp(const Head& head) {
    return (std::uint64_t{head.call} << 32 | std::uint64_t{head.context} << 16 | head.round) + 1;
  }
  static std::uint64_t about(const Head& head) {
    return std::uint64_t{head.signature} << 32 | std::uint64_t{head.bytes} << 16 |
           std::uint64_t(head.kind) << 8;
  }
  static std::size_t index(const Head& head) { return (head.call + head.round) % slots; }
  Slot& at(const Head& head) { return slots_[index(head)]; }
  const Slot& at(const Head& head) const { return slots_[index(head)]; }

  std::array<Slot, slots> slots_;
  // The owner's own:
  alignas(cache_line) std::array<Shown, slots> shown_;
  static constexpr Point most = std::numeric_limits<Point>::max();
  Point seen_ = 0;      // all members have read up to here
  Point least_ = most;  // of the words that the present look has seen
  Rank next_ = 0;       // whose word is to be looked at next
};

}
