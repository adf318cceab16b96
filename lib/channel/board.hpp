#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "channel/line.hpp"

namespace vnode {

/// What one node shows to many: a publication is written once and read by every reader, instead of once per
/// channel.
///
/// Invariant: a slot is written only when all readers of its last publication have taken it, and its stamp
/// changes last. A publication sits in the slot that its call and round name, so that a reader looks at one
/// line.
class Board {
 public:
  static constexpr std::size_t slots = 4;
  static constexpr std::size_t max_inline = first_payload;

  /// Owner: shows `payload` to `readers` nodes; false while the slot's last publication has not been taken by
  /// all.
  bool publish(const Head& head, const std::byte* payload, std::uint32_t readers) {
    Slot& slot = at(head);
    if (!taken(head)) return false;
    slot.readers = readers;
    slot.taken.store(0, std::memory_order_relaxed);  // readers come only after (a)
    slot.about = std::uint64_t{head.signature} << 32 | std::uint64_t{head.bytes} << 16 |
                 std::uint64_t(head.kind) << 8 | std::uint64_t{readers == 1};
    copy_small(slot.payload, payload, head.bytes);
    slot.stamp.store(stamp(head), std::memory_order_release);  // (a) publishes the slot
    return true;
  }
  /// Owner: whether every reader has taken the last publication of the slot that `head` names.
  bool taken(const Head& head) const {
    const Slot& slot = at(head);
    return slot.taken.load(std::memory_order_acquire) == slot.readers;  // (b) what they read, they have read
  }

  /// Reader: the head of the publication that `expected` waits for, or false.
  bool front(const Head& expected, Head& head) const {
    const Slot& slot = at(expected);
    if (slot.stamp.load(std::memory_order_acquire) != stamp(expected)) return false;  // pairs with (a)
    head = expected;
    head.signature = static_cast<std::uint32_t>(slot.about >> 32);
    head.bytes = static_cast<std::uint16_t>(slot.about >> 16);
    head.kind = static_cast<Kind>((slot.about >> 8) & 0xff);
    return true;
  }
  const std::byte* payload(const Head& head) const { return at(head).payload; }
  /// Reader: done with it. The only reader need not count the others.
  void take(const Head& head) {
    Slot& slot = at(head);
    if ((slot.about & 1) != 0)
      slot.taken.store(1, std::memory_order_release);  // pairs with (b)
    else
      slot.taken.fetch_add(1,
                           std::memory_order_acq_rel);  // pairs with (b); each carries the earlier ones' past
  }

  /// Nobody is using it: forgets all publications.
  void clear() {
    for (Slot& slot : slots_) {
      slot.readers = 0;
      slot.taken.store(0, std::memory_order_relaxed);
      slot.stamp.store(0, std::memory_order_relaxed);
    }
  }

 private:
  struct Slot {
    alignas(cache_line) std::atomic<std::uint64_t> stamp{0};
    std::uint64_t about = 0;  // signature, bytes, kind, and whether there is one reader only
    std::byte payload[max_inline]{};
    // Beside the line that all poll: what only takers and owner touch.
    alignas(cache_line) std::atomic<std::uint32_t> taken{0};
    std::uint32_t readers = 0;
  };

  // Never 0, and another for every (call, round, context): context, round, and call counted from 1.
  static std::uint64_t stamp(const Head& head) {
    return (std::uint64_t{head.call} << 32 | std::uint64_t{head.context} << 16 | head.round) + 1;
  }
  Slot& at(const Head& head) { return slots_[(head.call + head.round) % slots]; }
  const Slot& at(const Head& head) const { return slots_[(head.call + head.round) % slots]; }

  std::array<Slot, slots> slots_;
};

}  // namespace vnode
