#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/rank.hpp>

#include "compile/plan.hpp"
#include "compile/scratch.hpp"

namespace vnode {

/// Keeps track of one node's memory while a plan is made: where the newest version of each block lies, who
/// may still be reading which memory, and the steps that the node takes. It numbers the blocks that it knows,
/// in the order in which it gets to know them: all of them before the first round is replayed.
///
/// A new version goes to the output if the contract wants the block there, else to scratch; never to memory
/// that is still to be read, or that a neighbour may be reading in the same round. Memory that was exposed in
/// an earlier round is written only after an await. The last version ends in the output.
class NodeMemory {
 public:
  struct Version {
    bool present : 1 = false;
    Place place : 7 = Place::input;
    std::size_t offset : 56 = 0;  ///< if it lies in scratch

    constexpr Version() = default;
    constexpr Version(Place where, std::size_t at)
        : present(true), place(where), offset(at & ((std::size_t{1} << 56) - 1)) {}
  };
  using Index = std::uint32_t;  ///< number of a block that it knows
  /// A stretch of the user's memory or of scratch. The user's memory is counted in blocks, or with
  /// Aliasing::in_place in bytes; scratch is counted in bytes and lies beyond all of it.
  using Location = Scratch::Stretch;

  NodeMemory(const Contract& contract, Rank rank, const BlockSizes& sizes, Aliasing aliasing,
             std::uint32_t tickets);

  /// Reserves room for the blocks that will be known: as a guess that saves time, one more for each of the
  /// `come` times that a block comes, and never more than the schedule's `blocks`.
  void expect(std::size_t come, std::size_t blocks) {
    blocks_.reserve(std::min(blocks_.size() + come, blocks));
  }
  /// Returns the index of a block of the schedule, which is known from now on.
  Index index(int block) { return blocks_.made(block); }
  int number(Index block) const { return blocks_[block].number; }

  const Version& version(Index block) const { return blocks_[block].version; }
  Spot spot(const Version& version, Index block) const;
  /// Returns where the newest version lies.
  Location location(Index block) const;
  std::size_t bytes(Index block) const { return sizes_.bytes(blocks_[block].number); }

  /// Notes that the block is read, by a neighbour or as an operand, in `round`.
  void note_read(Index block, int round) { blocks_[block].last_read = round; }
  /// Returns whether what one of the blocks is in `round` is wanted in the end, or read later.
  bool needs_any_after(std::span<const Index> blocks, int round) const {
    return std::ranges::any_of(
        blocks, [&](Index block) { return blocks_[block].wanted || blocks_[block].last_read > round; });
  }
  /// Notes that a neighbour reads the present version where it lies until the end of `round`.
  void note_pulled(Index block, int round) { blocks_[block].pulled = round; }
  /// Notes that some round makes a new version of the block.
  void note_written(Index block) { blocks_[block].written = true; }
  /// Notes that the present version is an operand of `round`.
  void note_operand(Index block, int round) { blocks_[block].operand = round; }
  /// Describes what goes into a block at a time: where to, and the first transfer that does.
  struct Arrival {
    Version version;
    int placed = 0;  ///< the caller's number for that time
    const Transfer* first = nullptr;
  };
  Arrival& arrival(Index block) { return blocks_[block].arrival; }
  /// Decides where the block's arrival, the new version that is written in `round`, goes; awaits earlier
  /// readers of that memory.
  void choose(Index block, int round);
  /// Gives memory to the versions that choose() has sent to scratch since the last call.
  void make_room();
  /// Returns room in scratch for so many bytes until the end of the round; no neighbour reads it.
  Spot landing(std::size_t bytes);
  /// Makes the block's arrival its newest version.
  void settle(Index block);
  /// Gives back, after `round`, scratch that nobody reads again.
  void retire(int round);

  void add(const Step& step) { steps_.push_back(step); }
  /// Notes that `locations` may be read by a neighbour until the step `await` is done; that step is added
  /// when it is needed.
  void expose(const Step& await, std::vector<Location> locations);
  /// Awaits all readers.
  void await_all() {
    while (!exposures_.empty()) await_oldest();
  }
  /// Makes `tickets` tickets free, by awaiting the oldest exposures.
  void free_tickets(std::size_t tickets);
  std::uint32_t take_ticket();
  void give_ticket(std::uint32_t ticket) { tickets_.push_back(ticket); }

  /// Returns how many bytes the node brings itself and copy_own() will copy to its output.
  std::size_t own_bytes() const;
  /// Copies them in `round`, the node's first; finish() copies those whose place is not free yet.
  void copy_own(Program& program, int round);

  /// Brings what is wanted and lies elsewhere to the output, and awaits all readers. The node's steps, and
  /// what memory and tickets they need, go into the program.
  void finish(Program& program);

 private:
  /// Holds what is known of a block, in one cache line.
  struct alignas(64) Block {
    int number = 0;                                 // in the schedule
    int last_read = -1, pulled = -1, operand = -1;  // the rounds of these
    Version version;
    std::size_t input = 0;  // offsets
    std::size_t output : 62 = 0, wanted : 1 = false, written : 1 = false;
    Arrival arrival;

    void want_at(std::size_t offset) {
      output = offset & ((std::size_t{1} << 62) - 1);
      wanted = true;
    }
  };
  static_assert(sizeof(Block) == 64);
  class Table {
   public:
    std::size_t size() const { return blocks_.size(); }
    void reserve(std::size_t blocks);
    Index made(int number);
    std::optional<Index> find(int number) const;
    Block& operator[](Index index) { return blocks_[index]; }
    const Block& operator[](Index index) const { return blocks_[index]; }

   private:
    std::size_t slot(int number) const;
    std::vector<Block> blocks_;
    std::vector<Index> slots_;  // open addressing: 1 + index, or 0; a power of two
  };
  /// A block of the node's input, and the offset at which it lies.
  struct Input {
    Index block;
    std::size_t offset;
  };
  struct Exposure {
    Step await;
    std::vector<Location> locations;  // ascending, apart from each other
  };
  Location user(const Block& entry, Place place) const;
  bool elsewhere(Index block) const;
  void copy_to_output(Program& program, Index block);
  static Location in_scratch(const Scratch::Stretch& stretch) {
    constexpr std::size_t beyond = std::size_t{1} << 63;
    return {beyond + stretch.first, beyond + stretch.last};
  }
  Scratch::Stretch stretch(const Version& version, Index block) const {
    return {version.offset, version.offset + bytes(block)};
  }
  bool still_needed(Index block, const Location& by, int round) const;
  bool blocked(Index block, const Location& target, int round) const;
  bool blocked_in_place(Index block, const Location& target, int round) const;
  bool exposed(const Location& location) const;
  void await_oldest();
  void await_readers(const Location& location);

  const Contract& contract_;
  const BlockSizes& sizes_;
  Aliasing aliasing_;
  Table blocks_;
  std::vector<Input> inputs_;  // by offset
  std::vector<Index> wanted_;
  std::vector<Index> in_scratch_;  // blocks whose version has been put there, some of them no longer
  std::deque<Exposure> exposures_;
  std::vector<Index> roomless_;  // blocks chosen to go to scratch, which have no place there yet
  std::vector<Scratch::Room> rooms_;
  std::vector<Scratch::Stretch> left_;       // scratch whose version has moved elsewhere in this round
  std::vector<Scratch::Stretch> passed_on_;  // scratch left in earlier rounds: a neighbour may be reading it
  std::vector<std::uint32_t> tickets_;
  std::size_t most_tickets_ = 0;
  Scratch scratch_;
  bool own_copied_ = false;
  std::size_t own_bytes_ = 0;
  Spot own_, own_into_;
  std::vector<Step> steps_;
};

}  // namespace vnode
