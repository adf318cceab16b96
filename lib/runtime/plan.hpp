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

#include <vnode/lab/contract.hpp>
#include <vnode/lab/schedule.hpp>
#include <vnode/rank.hpp>

#include "runtime/block_sizes.hpp"
#include "runtime/messages.hpp"

namespace vnode {

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

/// A place in one of a node's memories. Offsets, never pointers: a plan serves every call like its first one.
struct Spot {
  Place place : 8 = Place::input;
  std::size_t offset : 56 = 0;

  constexpr Spot() = default;
  constexpr Spot(Place where, std::size_t at) : place(where), offset(at & ((std::size_t{1} << 56) - 1)) {}
};
static_assert(sizeof(Spot) == 8);

/// The next bytes of a message, where its sender has them.
struct Source {
  std::size_t bytes = 0;
  Spot theirs;
};
/// Bytes [at, at + bytes) of a message at its receiver, where they become into = own op theirs (or theirs op
/// own, or theirs).
struct Piece {
  std::size_t at = 0, bytes = 0;
  Spot own, into;
  Effect effect = Effect::replace;
};
/// What a node copies within its own memory.
struct OwnCopy {
  std::size_t bytes = 0;
  Spot from, into;
};

/// One end of a message: what its node needs to know of it. The other end's node knows the rest, and a node
/// looks at its program when it needs that (Plan::sources, Plan::pieces).
struct MessageEnd {
  Rank peer = 0;
  std::uint16_t round = 0;
  Carriage carriage = Carriage::lines;
  bool copies = false;       ///< in this round this node copies data of its own, too: Program::own_bytes
  std::uint16_t beside = 0;  ///< if shared: as many of the receiver's other messages are, too
  std::uint32_t number = 0;  ///< among those of the same two nodes in the round
  std::uint32_t first = 0, count = 0;  ///< in Program::sources or pieces
  std::size_t bytes = 0;               ///< longer than what one piece covers where a message feeds two places
};
struct Incoming;
/// Sent, and its other end, once that has been looked up by the node's thread, which alone does.
struct Outgoing : MessageEnd {
  mutable const Incoming* theirs = nullptr;
};
/// Received, and its other end, likewise.
struct Incoming : MessageEnd {
  mutable const Outgoing* theirs = nullptr;
  bool remote = false;  ///< from another process
  Spot landing{};       ///< if it is that, and gathered: where its payload waits for the others, in scratch
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
  /// In Program: of outgoing, incoming, gathers or copies; arrive, await_release: the first of the two
  /// rounds.
  std::uint32_t first = 0;
  std::uint32_t count = 0;  ///< publish: readers; arrive: nodes
  /// Send, expose, await_done: the ticket, if there is something to wait for; await_taken: the publication;
  /// arrive, await_release: the central barrier's owner.
  std::uint32_t index = 0;
  Rank peer = -1;  ///< whom it waits for; -1: several or nobody
};

/// What a place is combined from, in one pass: one message's pieces for it.
struct Operand {
  std::uint32_t incoming = 0;
  std::uint32_t first_piece = 0, pieces = 0;
};

/// The n-ary combines that a node waits for together.
struct Gather {
  std::uint32_t first_source = 0, sources = 0;    ///< in Program::gathered, by rank
  std::uint32_t first_combine = 0, combines = 0;  ///< in Program::combines
};
/// One of them: operands by rank. The result is forwarded, segment by segment, to where some of the operands'
/// nodes want it.
struct Combine {
  std::uint32_t first_operand = 0, operands = 0;  ///< in Program::operands
  std::uint32_t first_forward = 0, forwards = 0;  ///< in Program::forwards
};

/// What one node does in a call.
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

  std::size_t scratch_bytes = 0;
  std::uint32_t publications = 0;  ///< on its board
  std::uint32_t meetings = 0;      ///< at a central barrier
  std::size_t tickets = 0;         ///< messages, at most, whose other end it waits for at the same time
  std::size_t own_bytes = 0;  ///< what it brings itself and copies to its output, unless that is in place:
  Spot own, own_into;         ///< where that begins

  std::span<const Source> sources_of(const Outgoing& message) const {
    return std::span(sources).subspan(message.first, message.count);
  }
  std::span<const Piece> pieces_of(const Incoming& message) const {
    return std::span(pieces).subspan(message.first, message.count);
  }
  /// All that it holds.
  std::size_t bytes() const;
};

/// A schedule and its contract; or, where all nodes are alike, the transfers of one node and its share.
struct Planned {
  Schedule schedule;
  Contract contract;
};
/// The memory that a contract's shares take, in bytes.
std::size_t held_by(const Contract& contract);

/// How long the messages of a call are.
struct Lengths {
  std::size_t count = 0;                  ///< of every message, in elements
  std::span<const std::size_t> counts{};  ///< or of each; they live as long as the plan
  std::size_t element_bytes = 1;

  BlockSizes of(const Contract& contract) const {
    return counts.empty() ? BlockSizes(contract, count, element_bytes)
                          : BlockSizes(contract, counts, element_bytes);
  }
};

/// A schedule for messages of a given size: the programs of its nodes, each of them made when it is first
/// asked for, as a rule by its own node. Of a schedule whose nodes are alike that takes O(n log n) for the n
/// blocks that go through the node. Of another one the first to ask makes the whole schedule, in as much for
/// all nodes, and the last lets it go.
///
/// Invariant: a slot changes once, from none to a program, which stays what it is until the plan ends, but
/// for what its own node looks up. Programs are functions of what the plan is made of: two nodes that make
/// one at the same time make the same, and one of them is kept.
class Plan {
 public:
  /// Builds the transfers and the share of one node; of all, if there is none.
  using Build = std::function<Planned(std::optional<Rank>)>;

  /// `alike`: the nodes are, and every block has the same count of elements or one more.
  Plan(int nodes, bool alike, Build build, const Lengths& lengths, Aliasing aliasing, const Profile& profile);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// Throws std::bad_alloc; UsageError for a schedule that cannot be run (why_no_plan() says when), or that
  /// has more than most_rounds.
  const Program& program(Rank rank) const {
    // Acquire: pairs with (a) in make().
    const Program* const made = programs_[static_cast<std::size_t>(rank)].load(std::memory_order_acquire);
    return made != nullptr ? *made : make(rank);
  }
  /// Whether program() would find it.
  bool has(Rank rank) const {
    // Relaxed: nothing is read by it.
    return programs_[static_cast<std::size_t>(rank)].load(std::memory_order_relaxed) != nullptr;
  }
  /// The other ends of messages of node `rank`, on its own thread.
  std::span<const Source> sources(Rank rank, const Incoming& message) const {
    if (message.theirs == nullptr) look_up(rank, message);
    return program(message.peer).sources_of(*message.theirs);
  }
  std::span<const Piece> pieces(Rank rank, const Outgoing& message) const {
    if (message.theirs == nullptr) look_up(rank, message);
    return program(message.peer).pieces_of(*message.theirs);
  }

  int nodes() const { return nodes_; }
  bool canonical() const { return profile_.canonical; }
  /// What its programs hold by now, and the whole schedule as long as it is kept.
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
  const Lengths lengths_;
  const Aliasing aliasing_;
  const Profile profile_;
  std::unique_ptr<std::atomic<const Program*>[]> programs_;  // by rank
  mutable std::atomic<std::size_t> bytes_{0};                // relaxed: nothing is read by its value
  mutable std::mutex mutex_;                                 // of what follows
  mutable std::shared_ptr<const Whole> whole_;               // until all programs have been made of it
  mutable int made_ = 0;                                     // programs
};

/// Why a schedule that keeps its contract cannot be run, as sentences: one for the first transfer that
/// carries a block into the place of one that may be of another size (BlockSizes; if counts vary, any two
/// blocks may), and one for the first place that several transfers of a round, or one of them twice, go to by
/// different lists of blocks. None: a plan can be made.
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

/// The one of some pieces that has byte `at` of the message.
inline const Piece& piece_at(std::span<const Piece> pieces, std::size_t at) {
  return *std::ranges::find_if(
      pieces, [=](const Piece& piece) { return at >= piece.at && at < piece.at + piece.bytes; });
}

}  // namespace vnode
