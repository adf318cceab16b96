#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>

#include "runtime/endpoint.hpp"
#include "runtime/plan.hpp"

namespace vnode {

/// A node's memories in a call, by Place.
using Memories = std::array<std::byte*, place_count>;

/// The payload of a message that announces memory instead of carrying it. On a board there is no ticket: its
/// readers are counted.
struct Exposed {
  Memories memories;
  Ticket ticket;
  std::size_t own_bytes;  ///< that its node copies meanwhile
};
static_assert(sizeof(Exposed) <= first_payload);

inline Exposed exposed_in(const std::byte* payload) {
  Exposed exposed;
  std::memcpy(&exposed, payload, sizeof exposed);
  return exposed;
}

/// Where a spot is.
inline std::byte* at(const Memories& memories, const Spot& spot) {
  return memories[static_cast<std::size_t>(spot.place)] + spot.offset;
}

/// The parts of a movement's message.
inline std::span<const Piece> parts_of(const Plan& plan, const Movement& movement) {
  return std::span(plan.parts).subspan(movement.first_part, movement.parts);
}

/// The one of some parts that has byte `at` of the message.
inline const Piece& part_at(std::span<const Piece> parts, std::size_t at) {
  return *std::ranges::find_if(parts,
                               [=](const Piece& part) { return at >= part.at && at < part.at + part.bytes; });
}

}  // namespace vnode
