#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/vectors.hpp"
#include "limits/flag.hpp"

namespace vnode::bench {

/// Carries messages of one size from one caller to others: each is copied into a slot, and used or copied out
/// there by all readers.
///
/// Slots take turns. A slot begins with the number of the last message in it; what a reader says that it has
/// taken lags behind by less than half of the slots, so that the writer rarely reads it.
class Mailbox {
 public:
  /// Makes a mailbox for messages of `bytes` bytes; up to 48 bytes travel in the line that carries the flag.
  /// If `answered`, each reader of message n also sends one, to the writer or to whom the writer hears from,
  /// after it has taken message n - 1, and the writer waits for it before n + 1: so two slots are enough, and
  /// nobody has to say what is taken.
  Mailbox(std::size_t bytes, bool answered, bool relaxing, std::size_t readers = 1);

  /// Returns to the writer where the next message goes, once there is room.
  std::byte* next();
  /// Tells the readers, from the writer, that the message is there.
  void post();
  /// Returns to a reader the slot of the next message, once it is there.
  std::size_t await(std::size_t reader = 0);
  /// Tells the writer, from a reader, that the message is no longer needed.
  void take(std::size_t reader = 0);

  std::size_t slots() const { return slots_; }
  const std::byte* message(std::size_t slot) const { return memory_[0] + slot * stride_ + offset_; }

 private:
  std::byte* slot(std::uint64_t number) { return memory_[0] + number % slots_ * stride_; }

  const std::size_t offset_, stride_, slots_;
  const bool answered_, relaxing_;
  Vectors memory_;
  struct alignas(128) {
    std::uint64_t posted = 0, seen = 0;
  } writer_;
  struct Reader {
    Flag has_taken;
    alignas(128) std::uint64_t taken = 0;
  };
  std::vector<Reader> readers_;
};

}  // namespace vnode::bench
