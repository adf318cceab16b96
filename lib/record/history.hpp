#pragma once

#include <cstdint>

namespace vnode {

/// This bit marks the context of messages outside of collectives: each context has one beside it.
inline constexpr std::uint16_t message_context = 0x8000;
constexpr bool is_message_context(std::uint16_t id) { return (id & message_context) != 0; }

/// Describes the calls that a member of a context has made there: the number of the newest, and a hash of the
/// signatures of all up to it. After the same call, members whose calls match have the same hash; a member
/// that has once made a different call keeps a different hash, as long as its later calls match.
struct History {
  std::uint32_t call = 0, hash = 0;

  void add(std::uint32_t signature) {
    ++call;
    hash = (hash ^ signature) * 0x9e3779b1u;  // odd, so that different hashes stay different
  }
  /// Tells whether `other` is the newest call, or an earlier one; calls are counted modulo 2^32.
  bool has_begun(std::uint32_t other) const { return static_cast<std::int32_t>(call - other) >= 0; }
  std::uint64_t word() const { return std::uint64_t{call} << 32 | hash; }
  static History of(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
  }
};

}  // namespace vnode
