#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <vnode/lab/contract.hpp>
#include <vnode/lab/schedule.hpp>
#include <vnode/rank.hpp>

namespace vnode {

/// How many bytes the blocks of a schedule have: the messages of a contract are cut into equally many blocks
/// each, the first ones an element longer where it does not come out even.
class BlockSizes {
 public:
  /// Every message has `count` elements.
  BlockSizes(const Contract& contract, std::size_t count, std::size_t element_bytes)
      : contract_(&contract), count_(count), element_bytes_(element_bytes) {}
  /// Message i has counts[i] elements.
  BlockSizes(const Contract& contract, std::span<const std::size_t> counts, std::size_t element_bytes)
      : contract_(&contract), counts_(counts), element_bytes_(element_bytes) {}

  std::size_t bytes(int block) const {
    const int original = contract_->original(block);
    const auto parts = static_cast<std::size_t>(contract_->message_blocks);
    const auto message = static_cast<std::size_t>(original) / parts,
               part = static_cast<std::size_t>(original) % parts;
    const std::size_t count = counts_.empty() ? count_ : counts_[message];
    return (count / parts + (part < count % parts)) * element_bytes_;
  }

 private:
  const Contract* contract_;
  std::span<const std::size_t> counts_;
  std::size_t count_ = 0;
  std::size_t element_bytes_;
};

/// Where a node's blocks lie in a user's memory: one after the other in ascending order, copies where their
/// originals are.
struct Position {
  int block;
  std::size_t offset;
};
std::vector<Position> positions(const Contract& contract, const BlockSizes& sizes,
                                const std::vector<Interval>& share);

/// Whether a call's output may be memory of its input.
enum class Aliasing : std::uint8_t {
  none,      ///< it is not
  by_block,  ///< it may be, and then every block lies at the same place in both
  in_place,  ///< both begin at the same address, and blocks may lie elsewhere in the output than in the input
};

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
    arrive,         ///< at the central barrier; the last releases all
    await_release,  ///< until the last has arrived
  };
  Kind kind = Kind::copy;
  std::uint16_t round = 0;
  /// Movement; gather: in Plan::gathers; copy: piece; arrive, await_release: the first of the two rounds.
  std::uint32_t first = 0;
  std::uint32_t count = 0;  ///< publish: readers; arrive: nodes
  /// Send, expose, await_done: the ticket, if there is something to wait for; await_taken: the publication;
  /// arrive, await_release: the central barrier's owner.
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
  std::uint32_t meetings = 0;      ///< at a central barrier
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

/// Adds a part to those of a movement, which begin at `first`; joins it to the last if it goes on where that
/// ends. A part without bytes is none.
void append(std::vector<Piece>& parts, std::uint32_t first, const Piece& part);

/// Why a schedule that keeps its contract cannot be run, as sentences: one for the first transfer that
/// carries a block into the place of one that may be of another size (BlockSizes; if counts vary, any two
/// blocks may), and one for the first place that several transfers of a round, or one of them twice, go to by
/// different lists of blocks. None: make_plan has nothing against it.
std::vector<std::string> why_no_plan(const Schedule& schedule, const Contract& contract, bool varying);

/// "round 2: node 2 sends block 5 into block 0 of node 1, which may be of another size".
std::string of_other_size(int round, const Transfer& transfer, int what, int into);
/// "round 1: what goes into block 1 of node 0 at the same time must come in equal lists of blocks".
std::string cut_otherwise(int round, Rank node, int block);

/// A node's memories in a call, by Place.
using Memories = std::array<std::byte*, place_count>;

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
