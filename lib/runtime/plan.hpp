#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <vnode/lab/contract.hpp>
#include <vnode/lab/schedule.hpp>
#include <vnode/rank.hpp>

#include "runtime/layout.hpp"

namespace vnode {

/// The memories of one node that a call touches. Input is only read; input and output may be the same memory.
enum class Place : std::uint8_t { input, output, scratch };
inline constexpr std::size_t place_count = 3;

/// A stretch of bytes in one of a node's memories. Offsets, never pointers: a plan is shared by all nodes.
struct Spot {
  Place place = Place::input;
  std::size_t offset = 0;
};

/// A contiguous part of a movement: bytes [at, at + bytes) of the message, `theirs` at the sender, which
/// become into = own op theirs (or theirs op own, or theirs) at the receiver.
struct Piece {
  std::size_t at = 0, bytes = 0;
  Spot theirs, own, into;
  Effect effect = Effect::replace;
};

/// How a message travels.
enum class Carriage : std::uint8_t {
  lines,   ///< in the channel's lines
  pull,    ///< the receiver reads the sender's memory
  shared,  ///< the receiver pulls the first part, the sender pushes the rest
};

/// One message of the schedule, with everything both ends need to know of it.
struct Movement {
  Rank from = 0, to = 0;
  std::uint16_t tag = 0;  ///< the round; on a board, the number of the publication among its node's
  Carriage carriage = Carriage::lines;
  std::uint32_t first_part = 0, parts = 0;  ///< in Plan::parts
  std::size_t bytes = 0;  ///< longer than what one part covers where a message feeds two places
  // If shared:
  std::uint16_t beside = 0;  ///< as many of the receiver's other messages are, too
  bool sender_copies = false,
       receiver_copies = false;  ///< in this round, too, its own data: Program::own_bytes
};

/// What a node does next. Every step may find that it cannot be done yet, and is then tried again.
struct Step {
  enum class Kind : std::uint8_t {
    copy,           ///< within the node's own memory
    send,           ///< push the payload, or where it lies, into the channel
    publish,        ///< show the payload, or where it lies, on the own board
    expose,         ///< tell the sender where its part goes
    receive,        ///< take a message from the channel, pull what it announces, tell the sender
    take,           ///< the same from the sender's board
    gather,         ///< wait for several publications and combine them, each place in one pass
    serve,          ///< wait until the receiver has exposed its place, push the rest, tell it
    await_done,     ///< until the other end of a movement is done
    await_taken,    ///< until all readers of a publication are done
    arrive,         ///< at the rendezvous; the last releases all
    await_release,  ///< until the last has arrived
  };
  Kind kind = Kind::copy;
  std::uint16_t round = 0;
  /// Movement; gather: in Plan::gathers; copy: piece; arrive, await_release: the first of the two rounds.
  std::uint32_t first = 0;
  std::uint32_t count = 0;  ///< publish: readers; arrive: nodes
  /// Send, expose, await_done: the ticket, if there is something to wait for; await_taken: the publication;
  /// arrive, await_release: the rendezvous' owner.
  std::uint32_t index = 0;
  Rank peer = -1;  ///< whom it waits for; -1: several or nobody
};

/// What a place is combined from, in one pass: one movement's parts for it.
struct Operand {
  std::uint32_t movement = 0;
  std::uint32_t first_part = 0, parts = 0;  ///< in Plan::parts
};

/// The n-ary combines that a node waits for together.
struct Gather {
  std::uint32_t first_movement = 0, movements = 0;  ///< in Plan::gathered, by rank
  std::uint32_t first_combine = 0, combines = 0;    ///< in Plan::combines
};
/// One of them: operands by rank. The result is forwarded, segment by segment, to where some of the operands'
/// nodes want it.
struct Combine {
  std::uint32_t first_operand = 0, operands = 0;  ///< in Plan::operands
  std::uint32_t first_forward = 0, forwards = 0;  ///< movements, in Plan::gathered
};

/// What one node does in a call.
struct Program {
  std::vector<Step> steps;
  std::size_t scratch_bytes = 0;
  std::uint32_t publications = 0;  ///< on its board
  std::uint32_t meetings = 0;      ///< at a rendezvous
  std::size_t tickets = 0;         ///< movements, at most, whose other end it waits for at the same time
  std::size_t own_bytes = 0;  ///< what it brings itself and copies to its output, unless that is in place:
  Spot own, own_into;         ///< where that begins
};

/// A schedule for messages of a given size, projected on every rank.
struct Plan {
  std::vector<Program> programs;
  std::vector<Movement> movements;
  std::vector<Gather> gathers;
  std::vector<std::uint32_t> gathered;  ///< movements
  std::vector<Combine> combines;
  std::vector<Operand> operands;
  std::vector<Piece> parts;
  bool canonical = false;  ///< as in the profile
};

/// What all nodes know of the team, and choices are functions of.
struct Profile {
  std::size_t max_inline = 0;     ///< payload that a channel carries in lines
  std::size_t max_published = 0;  ///< payload that a board carries in its line
  std::size_t min_shared = 0;     ///< payload from which both ends copy; SIZE_MAX: never
  bool canonical = false;  ///< n-ary combines are trees, lowest bit first, instead of from left to right
};

/// Rounds that a schedule to be run may have, at most: messages bear their number in 16 bits.
inline constexpr int most_rounds = 65535;

/// The schedule for blocks of these sizes. O(transfers x blocks in them). Throws std::bad_alloc, and
/// UsageError for a schedule of more than most_rounds.
Plan make_plan(const Schedule& schedule, const Contract& contract, const BlockSizes& sizes, Aliasing aliasing,
               const Profile& profile);

}  // namespace vnode
