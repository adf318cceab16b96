#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/pause.hpp"

namespace vnode {

/// Tells what a message carries.
enum class Kind : std::uint8_t {
  data,         ///< the payload itself
  source,       ///< where the sender exposes its payload
  destination,  ///< where the receiver exposes the place for it
  remote,       ///< that the payload comes by itself, over a wire
  word,         ///< what processes tell each other of a run; never in a channel
};

/// Describes a message, in its first line. Two calls that match differ in no field.
struct Head {
  std::uint32_t call = 0;       ///< the number of the call in its context
  std::uint32_t signature = 0;  ///< a hash of what all nodes of the call must agree on
  std::uint16_t context = 0;    ///< the group, or point-to-point
  std::uint16_t round = 0;      ///< point-to-point: the group's generation
  Kind kind = Kind::data;
  std::uint16_t bytes = 0;  ///< bytes of payload, in a channel at most max_inline

  /// Returns everything but call and signature, in the 48 high bits of a stamp; the low 16 are the queue's
  /// own.
  std::uint64_t stamp() const {
    return (std::uint64_t{context} << 48) | (std::uint64_t{round} << 32) | (std::uint64_t{bytes} << 20) |
           (std::uint64_t(kind) << 16);
  }
  /// Returns the stamp of the same message without payload.
  static std::uint64_t without_bytes(std::uint64_t stamp) { return stamp & ~(std::uint64_t{0xfff} << 20); }
  friend bool operator==(const Head&, const Head&) = default;
  std::uint64_t name() const { return (std::uint64_t{signature} << 32) | call; }
  static Head of(std::uint64_t stamp, std::uint64_t name) {
    return {static_cast<std::uint32_t>(name),        static_cast<std::uint32_t>(name >> 32),
            static_cast<std::uint16_t>(stamp >> 48), static_cast<std::uint16_t>(stamp >> 32),
            static_cast<Kind>((stamp >> 16) & 0xf),  static_cast<std::uint16_t>((stamp >> 20) & 0xfff)};
  }
  /// Returns whether this is the message that `expected` waits for. The sender alone decides its length, and
  /// whether the payload came along or is only announced; if the receiver expects something else, the
  /// signatures differ.
  bool answers(const Head& expected) const {
    return call == expected.call && context == expected.context && round == expected.round &&
           (kind == Kind::destination) == (expected.kind == Kind::destination);
  }
};

static_assert(sizeof(Head) == 16);

/// These are the bytes of payload in a message's first line, beside stamp and name, and in each further line,
/// beside its stamp.
inline constexpr std::size_t first_payload = cache_line - 16;
inline constexpr std::size_t next_payload = cache_line - 8;
/// This is the longest payload, in bytes, that travels in lines.
inline constexpr std::size_t max_inline = first_payload + 18 * next_payload;
static_assert(max_inline >= 1024 && max_inline < 4096);

/// Returns how many lines a message with `bytes` of payload takes.
constexpr std::size_t lines_for(std::size_t bytes) {
  return bytes <= first_payload ? 1 : 1 + (bytes - first_payload + next_payload - 1) / next_payload;
}
/// Returns the longest payload that fits in `lines` lines.
constexpr std::size_t payload_of(std::size_t lines) { return first_payload + (lines - 1) * next_payload; }

/// Copies what one further line carries of the `left` bytes of a message.
inline void copy_further(std::byte* to, const std::byte* from, std::size_t left) {
  if (left >= next_payload)
    std::memcpy(to, from, next_payload);  // without a call
  else
    std::memcpy(to, from, left);
}

/// Copies like memcpy, but the likely size of 8 bytes is copied without a call.
inline void copy_small(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 8)
    std::memcpy(to, from, 8);
  else if (bytes != 0)
    std::memcpy(to, from, bytes);
}

}  // namespace vnode
