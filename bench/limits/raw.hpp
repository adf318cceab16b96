#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <vnode/operator.hpp>
#include <vnode/rank.hpp>

#include "data/vectors.hpp"
#include "data/work.hpp"
#include "limits/flag.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// The largest size at which the limit between two callers is the time of a loop by hand, raw().
inline constexpr std::size_t most_raw_bytes = 8192;

/// Carries messages of one size from one caller to another: each is copied into a slot, and used or copied
/// out there.
///
/// Slots take turns. A slot begins with the number of the last message in it; `taken_` lags behind what has
/// been taken by less than half of the slots, so that the writer rarely reads it.
class Mailbox {
 public:
  /// Makes a mailbox for messages of `bytes` bytes; up to 48 bytes travel in the line that carries the flag.
  /// If `answered`, the reader of message n also sends one, after it has taken message n - 1, and the writer
  /// waits for it before n + 1: so two slots are enough, and nobody has to say what is taken.
  Mailbox(std::size_t bytes, bool answered, bool relaxing);

  /// Returns to the writer where the next message goes, once there is room.
  std::byte* next();
  /// Tells the reader, from the writer, that the message is there.
  void post();
  /// Returns to the reader the slot of the next message, once it is there.
  std::size_t await();
  /// Tells the writer, from the reader, that the message is no longer needed.
  void take();

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
  struct alignas(128) {
    std::uint64_t taken = 0;
  } reader_;
  Flag taken_;
};

/// Returns the time of a loop by hand, of flags and memcpy, that does this work between two callers, and in
/// which nobody leaves whose data are still needed: what the other needs is put into a mailbox (mail); or,
/// once both are there, each takes it from where it is (pull), or both do half of everything (share). If
/// `meeting`, each waits for the other's message even if it needs none of its data.
Limit raw(const Work& work, std::array<Rank, 2> callers, Arithmetic datatype, StandardOperator op,
          bool meeting);

/// Describes one way to pass a vector from one caller to another.
struct RawLink {
  std::string name;
  std::function<void(const std::byte* from)> send;
  std::function<void(std::byte* to)> receive;
};
/// Returns all ways by hand: the vector goes through a mailbox, or the receiver copies it while the sender
/// waits.
std::vector<RawLink> raw_links(std::size_t bytes);

}  // namespace vnode::bench
