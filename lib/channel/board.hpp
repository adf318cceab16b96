#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "channel/line.hpp"

namespace vnode {

/// Shows what one node has to many: a publication is written once and read by every reader, instead of once
/// per channel.
///
/// Invariant: a slot is written only when all readers of its last publication have taken it, and its stamp
/// changes last. A publication sits in the slot that its call and round name, so that a reader looks at one
/// line. The owner never writes to a line that readers write: that would hold up its later stores.
class Board {
 public:
  static constexpr std::size_t slots = 4;
  static constexpr std::size_t max_inline = first_payload;

  /// Owner: shows `payload` to `readers` nodes. Returns false while the slot's last publication has not been
  /// taken by all of its readers.
  bool publish(const Head& head, const std::byte* payload, std::uint32_t readers) {
    if (!vacant(index(head))) return false;
    Slot& slot = at(head);
    Expected& expected = expected_[index(head)];
    expected.lone = readers == 1 ? stamp(head) : 0;
    if (readers != 1) expected.count += readers;
    slot.about = std::uint64_t{head.signature} << 32 | std::uint64_t{head.bytes} << 16 |
                 std::uint64_t(head.kind) << 8 | std::uint64_t{readers == 1};
    copy_small(slot.payload, payload, head.bytes);
    slot.stamp.store(stamp(head), std::memory_order_release);  // (a) publishes the slot
    return true;
  }
  /// Owner: returns whether every reader has taken this publication. They have taken one that a later one has
  /// replaced, even if some are still reading that later one.
  bool taken(const Head& published) const {
    // Relaxed: the owner's own store.
    return at(published).stamp.load(std::memory_order_relaxed) != stamp(published) ||
           vacant(index(published));
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
  /// Reader: tells that it is done with the publication. The only reader need not count the others.
  void take(const Head& head) {
    Slot& slot = at(head);
    if ((slot.about & 1) != 0)
      slot.lone.store(stamp(head), std::memory_order_release);  // pairs with (b)
    else
      slot.count.fetch_add(1,
                           std::memory_order_acq_rel);  // pairs with (b); each carries the earlier ones' past
  }

  /// Returns the oldest publication that not all of its readers have taken. Is called by the owner, or when
  /// nobody is using the board.
  std::optional<Head> untaken() const {
    std::optional<Head> oldest;
    for (std::size_t i = 0; i < slots; ++i) {
      // Relaxed: the owner's own store.
      const std::uint64_t shown = slots_[i].stamp.load(std::memory_order_relaxed);
      if (shown == 0 || vacant(i)) continue;
      const Head head{static_cast<std::uint32_t>((shown - 1) >> 32),
                      static_cast<std::uint32_t>(slots_[i].about >> 32),
                      static_cast<std::uint16_t>((shown - 1) >> 16), static_cast<std::uint16_t>(shown - 1)};
      if (!oldest || static_cast<std::int32_t>(head.call - oldest->call) < 0) oldest = head;
    }
    return oldest;
  }

  /// Forgets all publications. Is called when nobody is using the board.
  void clear() {
    expected_ = {};
    for (Slot& slot : slots_) {
      slot.count.store(0, std::memory_order_relaxed);
      slot.lone.store(0, std::memory_order_relaxed);
      slot.stamp.store(0, std::memory_order_relaxed);
    }
  }

 private:
  /// Owner: returns whether every reader has taken the slot's last publication.
  bool vacant(std::size_t index) const {
    const Slot& slot = slots_[index];
    const Expected& expected = expected_[index];
    if (expected.lone != 0)
      return slot.lone.load(std::memory_order_acquire) == expected.lone;  // (b) what was read has been read
    return slot.count.load(std::memory_order_acquire) == expected.count;  // (b)
  }

  struct Slot {
    alignas(cache_line) std::atomic<std::uint64_t> stamp{0};
    std::uint64_t about = 0;  // signature, bytes, kind, and whether there is one reader only
    std::byte payload[max_inline]{};
    // The readers' line: it holds how many have ever taken a publication from here, or the stamp that the
    // only reader took.
    alignas(cache_line) std::atomic<std::uint64_t> lone{0};
    std::atomic<std::uint32_t> count{0};
  };
  struct Expected {  // what the two above are when all have taken the slot's last publication
    std::uint64_t lone = 0;
    std::uint32_t count = 0;
  };

  // Returns a number that is never 0 and different for every (call, round, context): these, counted from 1.
  static std::uint64_t stamp(const Head& head) {
    return (std::uint64_t{head.call} << 32 | std::uint64_t{head.context} << 16 | head.round) + 1;
  }
  static std::size_t index(const Head& head) { return (head.call + head.round) % slots; }
  Slot& at(const Head& head) { return slots_[index(head)]; }
  const Slot& at(const Head& head) const { return slots_[index(head)]; }

  std::array<Slot, slots> slots_;
  alignas(cache_line) std::array<Expected, slots> expected_;  // the owner's own
};

}
