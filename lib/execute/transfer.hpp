#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include <vnode/arena.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/operator.hpp>

#include "base/prefetch.hpp"
#include "transport/endpoint.hpp"

namespace vnode {

// This is how the bytes of a message get from one node to another: in collectives, in those with a count for
// each rank, and in messages between two nodes. Nothing here blocks: what cannot be done yet is tried again.
//
// Eager: the payload travels in the lines of the channel, or of the sender's board.
//
// Rendezvous: the sender announces where the payload is (Kind::source, a request to send). The receiver pulls
// it and tells the sender that it is done. Where both ends share the work, the receiver also announces where
// the payload goes (Kind::destination, clear to send); it pulls the first part, the sender pushes the rest,
// and each tells the other. What was announced stays where it is until its owner has been told.
//
// Between processes a long payload is announced, too (Kind::remote), and comes by itself when the receiver
// asks for it (transport/remote.hpp).

/// An announcement is what one end tells the other of its memory. On a board it has no ticket: its readers
/// are counted.
template <class Memory>
struct Announcement {
  Memory memory;
  std::size_t bytes = 0;  ///< in a collective: bytes that its node copies for itself; else the message's
  Ticket ticket{};        ///< for the other end, when it is done with the memory

  static Announcement in(const std::byte* payload) {
    Announcement announcement;
    std::memcpy(&announcement, payload, sizeof announcement);
    return announcement;
  }
  const std::byte* payload() const { return reinterpret_cast<const std::byte*>(this); }
};

namespace transfer {

/// Sends a payload eagerly. Returns false if the channel is full for now.
inline bool eager(Endpoint& endpoint, Rank to, Head head, const std::byte* payload, std::size_t bytes) {
  head.bytes = static_cast<std::uint16_t>(bytes);
  return endpoint.send(to, head, payload);
}

/// Announces memory; Endpoint::ended(ticket) tells when the other end is done with it. Returns false if the
/// channel is full for now.
template <class Memory>
bool announce(Endpoint& endpoint, Rank to, Head head, Kind kind, const Memory& memory, std::size_t bytes,
              Ticket& ticket) {
  static_assert(sizeof(Announcement<Memory>) <= first_payload);
  const Announcement<Memory> made{memory, bytes, endpoint.open_ticket()};
  head.kind = kind;
  head.bytes = sizeof made;
  if (!endpoint.send(to, head, made.payload())) {
    endpoint.close_ticket(made.ticket);
    return false;
  }
  ticket = made.ticket;
  return true;
}

/// Announces and sends a payload to another process; Endpoint::ended(ticket) tells when the payload may
/// change. Returns false if the wire has no room for now. The payload lies at `whole` or, if that is null, is
/// what pack(into) writes. If `awaited`, the ticket does not end before the receiver has begun to receive.
template <class Pack>
bool send_remotely(Endpoint& endpoint, Rank to, const Head& head, const std::byte* whole, std::size_t bytes,
                   bool awaited, Ticket& ticket, Pack&& pack) {
  std::unique_ptr<std::byte[]> packed;
  if (whole == nullptr && bytes != 0) {
    packed.reset(new std::byte[bytes]);
    pack(packed.get());
  }
  const Ticket made = endpoint.open_ticket();
  if (!endpoint.remote()->send(to, head, {whole, bytes}, std::move(packed), awaited, made)) {
    endpoint.close_ticket(made);
    endpoint.relieve(true);
    return false;
  }
  ticket = made;
  return true;
}

/// Takes the message that answers `expected`, and returns whether it was there. Calls carried(payload, bytes)
/// for an eager one, and announced(it) for one that is announced by a node of this process. `place` is where
/// the payload may be gathered, or empty. For one that is announced by a node of another process it calls
/// comes(announcement), which takes the payload once it has come, and then returns true.
template <class Memory, class Carried, class Announced, class Comes>
bool receive(Endpoint& endpoint, Rank from, const Head& expected, std::span<std::byte> place,
             Carried&& carried, Announced&& announced, Comes&& comes) {
  Head head;
  const std::byte* payload = endpoint.receive(from, expected, head, place);
  if (payload == nullptr) return false;
  if (head.kind == Kind::data) {
    carried(payload, head.bytes);
    endpoint.done(from);
    return true;
  }
  if (head.kind == Kind::remote) return comes(Remote::Announcement::in(payload));
  const auto announcement = Announcement<Memory>::in(payload);
  endpoint.done(from);
  announced(announcement);
  return true;
}
/// Takes the message in the same way, but calls carried() for a payload from another process, too, whose
/// announcement stays where it is until it has come.
template <class Memory, class Carried, class Announced>
bool receive(Endpoint& endpoint, Rank from, const Head& expected, std::span<std::byte> place,
             Carried&& carried, Announced&& announced) {
  return receive<Memory>(endpoint, from, expected, place, carried, announced,
                         [&](const Remote::Announcement& announcement) {
                           const std::byte* const payload = endpoint.remote_payload(announcement, place);
                           if (payload == nullptr) return false;
                           carried(payload, announcement.bytes);
                           endpoint.done(from);
                           endpoint.remote()->forget(announcement);
                           return true;
                         });
}

/// Copies or combines, by `body`, what `peer` has announced under this ticket, and tells it.
template <class Body>
void finish(Endpoint& endpoint, Rank peer, const Ticket& ticket, Body&& body) {
  prefetch_for_write(ticket.cell);
  {
    const Guard guard(endpoint.fabric(), endpoint.rank());
    body();
  }
  endpoint.tell(peer, ticket);
}

}  // namespace transfer

/// Describes a message whose two ends share the work.
struct Shared {
  std::size_t bytes = 0, element_bytes = 1;
  bool combines = false;
  std::size_t senders_own = 0, receivers_own = 0;  ///< bytes that the ends copy for themselves meanwhile
  std::size_t beside = 0;  ///< how many other messages of the receiver are shared, too
};
/// Returns where the receiver's part ends and the sender's begins, so that both are done at the same time.
std::size_t receivers_part(const Shared& message);

/// So many bytes are copied or combined between two looks at the abort; they stay in a core's cache between
/// two operations on them.
inline constexpr std::size_t segment_bytes = 32 << 10;

/// This is the segment for results that are passed on at once: they and their operands stay in the nearest
/// cache.
inline constexpr std::size_t forwarded_bytes = 8 << 10;

/// Returns the bytes of the whole elements in a segment, of one at least.
constexpr std::size_t segment_of(std::size_t element_bytes, std::size_t segment = segment_bytes) {
  return element_bytes >= segment ? element_bytes : segment / element_bytes * element_bytes;
}

/// Does what is done with the bytes of a message. `reduction` may be null if nothing is combined.
struct Work {
  Endpoint& endpoint;
  std::size_t element_bytes;
  const Reduction* reduction = nullptr;

  /// Sets into = theirs, or own op theirs, or theirs op own, in segments. Throws Aborted between two of them.
  void apply(Effect effect, std::byte* into, const std::byte* own, const std::byte* theirs,
             std::size_t bytes) const;
  void copy(std::byte* into, const std::byte* theirs, std::size_t bytes) const {
    if (bytes <= max_inline) return copy_small(into, theirs, bytes);
    apply(Effect::replace, into, into, theirs, bytes);
  }
  /// Returns whether the arena takes part in so many bytes of this. The segments are the same with it, and so
  /// are all bits of the result.
  bool has_help(Effect effect, std::size_t bytes) const {
    const ArenaHelp& help = endpoint.arena_help();
    return help.arena != nullptr && bytes >= help.from && bytes > segment_bytes &&
           (effect == Effect::replace || reduction->parallel);
  }
  /// Calls, in the arena, body(first, last) for parts of these bytes, each of whole segments but the last.
  template <class Body>
  void divide(std::size_t bytes, std::size_t segment, const Body& body) const {
    endpoint.arena_help().arena->parallel_for(
        0, (bytes + segment - 1) / segment,
        [&](std::size_t first, std::size_t last) { body(first * segment, std::min(last * segment, bytes)); });
  }

 private:
  void apply_alone(Effect effect, std::byte* into, const std::byte* own, const std::byte* theirs,
                   std::size_t bytes) const;
};

}  // namespace vnode
