#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/rank.hpp>

#include "compile/messages.hpp"
#include "schedule/block_sizes.hpp"

namespace vnode {

/// Describes where a block of a node lies in the user's memory: the blocks lie one after the other in
/// ascending order, and copies lie where their originals do.
struct Position {
  int block;
  std::size_t offset;
};
std::vector<Position> positions(const Contract& contract, const BlockSizes& sizes,
                                const std::vector<Interval>& share);

/// Tells whether a call's output may be memory of its input.
enum class Aliasing : std::uint8_t {
  none,      ///< it is not memory of the input
  by_block,  ///< it may be the same memory, and then every block lies at the same place in both
  in_place,  ///< both begin at the same address, and blocks may lie elsewhere in the output than in the input
};

/// Names the memories of one node that a call touches. Input is only read; input and output may be the same
/// memory.
enum class Place : std::uint8_t { input, output, scratch };
inline constexpr std::size_t place_count = 3;

/// Describes a place in one of a node's memories. It is an offset, never a pointer, so that a plan serves
/// every call like its first one.
struct Spot {
  Place place : 8 = Place::input;
  std::size_t offset : 56 = 0;

  constexpr Spot() = default;
  constexpr Spot(Place where, std::size_t at) : place(where), offset(at & ((std::size_t{1} << 56) - 1)) {}
};
static_assert(sizeof(Spot) == 8);

/// Describes the next bytes of a message, where its sender has them.
struct Source {
  std::size_t bytes = 0;
  Spot theirs;
};
/// Describes what happens to bytes [at, at + bytes) of a message at its receiver: into = own op theirs (or
/// theirs op own, or theirs).
struct Piece {
  std::size_t at = 0, bytes = 0;
  Spot own, into;
  Effect effect = Effect::replace;
};
/// Describes what a node copies within its own memory.
struct OwnCopy {
  std::size_t bytes = 0;
  Spot from, into;
};

/// Describes one end of a message: what its node needs to know of it. The node of the other end knows the
/// rest; when a node needs that, it looks into the other one's program (Plan::sources, Plan::pieces).
struct MessageEnd {
  Rank peer = 0;
  std::uint16_t round = 0;
  Carriage carriage = Carriage::lines;
  bool packed = false;       ///< is one of several in a publication
  bool copies = false;       ///< this node also copies data of its own in this round: Program::own_bytes
  std::uint16_t beside = 0;  ///< if shared: number of other shared messages of the receiver
  std::uint32_t number = 0;  ///< counts the messages of the same two nodes in the round
  std::uint32_t first = 0, count = 0;  ///< in Program::sources or pieces
  std::size_t bytes = 0;               ///< its pieces cover these once for each place that it feeds
};
struct Incoming;
/// Describes a message that is sent, and its other end, once the node's thread has looked that up; no other
/// thread does.
struct Outgoing : MessageEnd {
  mutable const Incoming* theirs = nullptr;
  // Of a publication:
  std::uint32_t readers = 0;  ///< where its readers begin in Program::readers
  std::size_t at = 0,
              all_bytes = 0;  ///< of one that is packed: where it begins, and how long all are together
};
/// Describes a message that is received, and its other end, which is looked up in the same way.
struct Incoming : MessageEnd {
  mutable const Outgoing* theirs = nullptr;
  bool lands = false;  ///< Message::lands()
  Spot landing{};      ///< if it is gathered, and so: where in scratch its payload waits for the others
};

/// Describes what a node does next. Every step may find that it cannot be done yet, and is then tried again.
struct Step {
  enum class Kind : std::uint8_t {
    copy,           ///< copy within the node's own memory
    send,           ///< push the payload, or where it lies, into the channel
    publish,        ///< show the payload, or where it lies, on the own board
    expose,         ///< tell the sender where its part goes
    receive,        ///< take a message from the channel, pull what it announces, tell the sender
    take,           ///< take a message from the sender's board, and pull what it announces
    gather,         ///< wait for several messages and combine them, each place in one pass
    signal,         ///< wake who waits for the node to have begun the call, which its history tells
    await_begun,    ///< wait until several others have begun the call
    serve,          ///< wait until the receiver has exposed its place, push the rest, tell it
    await_done,     ///< wait until the other end of a transfer is done
    await_taken,    ///< wait until all readers of a publication are done
    arrive,         ///< count the node at the central barrier; the last one releases all
    await_release,  ///< wait until the last has arrived at the central barrier
    open,           ///< tell all others where the memory is that they may read
    read_all,       ///< copy from the opened memory of each other one
    bring,          ///< arrive; the last of each carrier, and of all, take in what has been opened
    take_brought,   ///< copy what all have brought
  };
  Kind kind = Kind::copy;
  std::uint16_t round = 0;
  /// Is the first index in Program::outgoing, incoming, gathers (also for await_begun) or copies, also for
  /// open, read_all and take_brought; for arrive, bring and await_release, the first of the two rounds, or
  /// another number that is the meeting's own.
  std::uint32_t first = 0;
  /// Counts the readers of publish and await_taken in Program::readers, 0 if all others read; the nodes of
  /// arrive; 1 for the last take of a round, or gather, after which the node tells what it has read, and for
  /// bring and take_brought if values are gathered, 0 if they are combined.
  std::uint32_t count = 0;
  /// Names the ticket of send, expose and await_done, if there is something to wait for; the node's
  /// publications, and the rounds in which it reads, in their order; the owner of the central barrier of
  /// arrive, bring and await_release.
  std::uint32_t index = 0;
  Rank peer = -1;  ///< whom it waits for; -1: several or nobody
};

/// Describes one operand that a place is combined from, in one pass: one message's pieces for it.
struct Operand {
  std::uint32_t incoming = 0;
  std::uint32_t first_piece = 0, pieces = 0;
};

/// Describes the n-ary combines that a node waits for together, or signals, which are combined to nothing.
struct Gather {
  std::uint32_t first_source = 0, sources = 0;    ///< in Program::gathered; of combines, by rank
  std::uint32_t first_combine = 0, combines = 0;  ///< in Program::combines
};
/// Describes one n-ary combine, with its operands by rank. The result is forwarded, segment by segment, to
/// where some of the operands' nodes want it.
struct Combine {
  std::uint32_t first_operand = 0, operands = 0;  ///< in Program::operands
  std::uint32_t first_forward = 0, forwards = 0;  ///< in Program::forwards
  bool kept = true;  ///< whether the node itself needs the result; if not, nothing is written at its place
  bool goes_on = false;  ///< whether all that the combine before is made of are its first terms
};

/// Holds what one node does in a call.
struct Program {
  std::vector<Step> steps;
  std::vector<Outgoing> outgoing;  ///< by round
  std::vector<Incoming> incoming;  ///< by round
  std::vector<Source> sources;     ///< of outgoing messages
  std::vector<Piece> pieces;       ///< of incoming ones
  std::vector<OwnCopy> copies;
  std::vector<Gather> gathers;
  std::vector<std::uint32_t> gathered;  ///< incoming messages
  std::vector<Combine> combines;
  std::vector<Operand> operands;
  std::vector<std::uint32_t> forwards;  ///< outgoing messages
  std::vector<Rank> readers;            ///< of publications that not all others read

  std::size_t scratch_bytes = 0;
  std::uint32_t publications = 0;  ///< on its board
  std::uint32_t readings = 0;      ///< rounds in which it reads boards
  std::uint32_t meetings = 0;      ///< at a central barrier
  std::size_t tickets = 0;    ///< for at most so many messages it waits for the other end at the same time
  std::size_t own_bytes = 0;  ///< what it brings itself and copies to its output, unless that is in place:
  Spot own, own_into;         ///< where that begins

  std::span<const Source> sources_of(const Outgoing& message) const {
    return std::span(sources).subspan(message.first, message.count);
  }
  std::span<const Piece> pieces_of(const Incoming& message) const {
    return std::span(pieces).subspan(message.first, message.count);
  }
  /// Returns how many bytes the program takes.
  std::size_t bytes() const;
  /// Gives back what its lists have reserved.
  void shrink_to_fit();
};

/// Holds a schedule and its contract; or, if all nodes are alike, the transfers of one node and its share.
struct Planned {
  Schedule schedule;
  Contract contract;
};
/// Returns the memory that a contract's shares take, in bytes.
std::size_t held_by(const Contract& contract);

/// Describes how long the messages of a call are.
struct Lengths {
  std::size_t count = 0;                  ///< elements of every message
  std::span<const std::size_t> counts{};  ///< or elements of each message; they live as long as the plan
  std::size_t element_bytes = 1;

  BlockSizes of(const Contract& contract) const {
    return counts.empty() ? BlockSizes(contract, count, element_bytes)
                          : BlockSizes(contract, counts, element_bytes);
  }
};

/// Holds a schedule for messages of a given size as the programs of its nodes. Each is made when it is first
/// asked for, as a rule by its own node. If the nodes of the schedule are alike, that takes O(n log n) for
/// the n blocks that go through the node. Otherwise the first to ask makes the whole schedule, in as much
/// time for all nodes, and it is freed when the last program has been made.
///
/// Invariant: a slot changes once, from null to a program, which does not change until the plan ends, but for
/// what its own node looks up. Programs are functions of what the plan is made of: two nodes that make one at
/// the same time make the same, and one of them is kept.
class Plan {
 public:
  /// Builds the transfers and the share of one node, or of all nodes if none is given.
  using Build = std::function<Planned(std::optional<Rank>)>;
  /// Makes the program of a node that no schedule is replayed for.
  using Direct = std::function<Program(Rank)>;

  /// Makes a plan without programs. If `alike`, the nodes are alike, and all blocks have the same count of
  /// elements or one more. If `direct` makes programs, nothing is built.
  Plan(int nodes, bool alike, Build build, const Lengths& lengths, Aliasing aliasing, const Profile& profile,
       Direct direct = {});
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// Returns the program of a node. Throws std::bad_alloc, and UsageError for a schedule that cannot be run
  /// (why_no_plan() says when) or that has more than most_rounds.
  const Program& program(Rank rank) const {
    // Acquire: pairs with (a) in make().
    const Program* const made = programs_[static_cast<std::size_t>(rank)].load(std::memory_order_acquire);
    return made != nullptr ? *made : make(rank);
  }
  /// Returns whether the program of a node has been made.
  bool has(Rank rank) const {
    // Relaxed: nothing is read by it.
    return programs_[static_cast<std::size_t>(rank)].load(std::memory_order_relaxed) != nullptr;
  }
  /// Return the other end's parts of a message of node `rank`. Are called on that node's own thread.
  std::span<const Source> sources(Rank rank, const Incoming& message) const {
    if (message.theirs == nullptr) look_up(rank, message);
    return program(message.peer).sources_of(*message.theirs);
  }
  std::span<const Piece> pieces(Rank rank, const Outgoing& message) const {
    if (message.theirs == nullptr) look_up(rank, message);
    return program(message.peer).pieces_of(*message.theirs);
  }

  /// Returns the other end of a message that is packed. Is called on that node's own thread.
  const Outgoing& packed(Rank rank, const Incoming& message) const {
    if (message.theirs == nullptr) look_up(rank, message);
    return *message.theirs;
  }

  int nodes() const { return nodes_; }
  bool canonical() const { return profile_.canonical; }
  /// Returns whether a combine may go on from another one's result: it is neither a tree nor rounded once.
  bool may_go_on() const { return !profile_.canonical && !profile_.rounded_once; }
  /// Returns how many bytes its programs take by now, and the whole schedule as long as it is kept.
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Whole;
  const Program& make(Rank rank) const;
  std::shared_ptr<const Whole> whole() const;
  void look_up(Rank rank, const Incoming& message) const;
  void look_up(Rank rank, const Outgoing& message) const;

  const int nodes_;
  const bool alike_;
  const Build build_;
  const Direct direct_;
  const Lengths lengths_;
  const Aliasing aliasing_;
  const Profile profile_;
  std::unique_ptr<std::atomic<const Program*>[]> programs_;  // by rank
  mutable std::atomic<std::size_t> bytes_{0};                // relaxed: nothing is read by its value
  mutable std::mutex mutex_;                                 // guards what follows
  mutable std::shared_ptr<const Whole> whole_;               // kept until all programs have been made of it
  mutable int made_ = 0;                                     // how many programs have been made
};

/// Says in sentences why a schedule that keeps its contract cannot be run: one for the first transfer that
/// carries a block into the place of one that may be of another size (BlockSizes; if counts vary, any two
/// blocks may be), and one for the first place that several transfers of a round, or one of them twice, go to
/// by different lists of blocks. If it returns none, a plan can be made.
std::vector<std::string> why_no_plan(const Schedule& schedule, const Contract& contract, bool varying);

/// Returns "round 2: node 2 sends block 5 into block 0 of node 1, which may be of another size".
std::string of_other_size(int round, const Transfer& transfer, int what, int into);
/// Returns "round 1: what goes into block 1 of node 0 at the same time must come in equal lists of blocks".
std::string cut_otherwise(int round, Rank node, int block);

/// Holds a node's memories in a call, by Place.
using Memories = std::array<std::byte*, place_count>;

/// Returns the address of a spot.
inline std::byte* at(const Memories& memories, const Spot& spot) {
  return memories[static_cast<std::size_t>(spot.place)] + spot.offset;
}

/// Returns the piece that has byte `at` of the message.
inline const Piece& piece_at(std::span<const Piece> pieces, std::size_t at) {
  return *std::ranges::find_if(
      pieces, [=](const Piece& piece) { return at >= piece.at && at < piece.at + piece.bytes; });
}

}  // namespace vnode
