#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include <vnode/lab/contract.hpp>
#include <vnode/rank.hpp>

#include "base/pause.hpp"
#include "runtime/plan.hpp"

namespace vnode {

/// Lays out one node's scratch memory for a call: stretches are taken and given back as versions of blocks
/// come and go. What is taken together lies together if there is room: a message of many blocks is then one
/// piece. Holes are filled if that does not cut it into shorter pieces than it takes time to look at.
class Scratch {
 public:
  struct Stretch {
    std::size_t first = 0, last = 0;
    bool overlaps(const Stretch& other) const { return first < other.last && other.first < last; }
  };
  /// Of one block.
  struct Room {
    std::size_t bytes = 0, offset = 0;
  };

  /// Says where they go, one after the other. The first in a hole, and in new memory, is on a cache line's
  /// boundary.
  void take(std::span<Room> rooms);
  /// Whether take() would find holes for all.
  bool has_free(std::span<const Room> rooms) const;
  /// The shortest hole that is filled with a part of them.
  static std::size_t shortest_hole(std::span<const Room> rooms);
  void give_back(std::span<const Stretch> stretches);

  /// The size of the whole.
  std::size_t bytes() const { return whole_lines(end_); }

 private:
  static std::size_t whole_lines(std::size_t bytes) {
    return (bytes + cache_line - 1) / cache_line * cache_line;
  }
  static std::size_t usable(const Stretch& hole) {
    return hole.last - std::min(whole_lines(hole.first), hole.last);
  }
  std::vector<Stretch> holes_;  // ascending, apart from each other
  std::size_t end_ = 0;
};
/// Sorts stretches, and joins those that touch.
void join(std::vector<Scratch::Stretch>& stretches);

/// One node's memory while a plan is made: where the newest version of each block lies, who may still be
/// reading which memory, and the steps that the node takes.
///
/// A new version goes to the output if the contract wants the block there, else to scratch; never to memory
/// that is still to be read, or that a neighbour may be reading in the same round. Memory that was exposed in
/// an earlier round is written only after an await. The last version ends in the output.
class NodeMemory {
 public:
  struct Version {
    bool present = false;
    Place place = Place::input;
    std::size_t offset = 0;  ///< in scratch
  };
  /// A stretch of the user's memory, of bytes or, where input and output agree on their places, of blocks; or
  /// of scratch, of bytes and beyond all others.
  using Location = Scratch::Stretch;

  NodeMemory(const Contract& contract, Rank rank, const BlockSizes& sizes, Aliasing aliasing,
             std::uint32_t tickets);

  const Version& version(int block) const { return blocks_[block].version; }
  Spot spot(const Version& version, int block);
  /// Of the newest version.
  Location location(int block);

  /// The block is read, by a neighbour or as an operand, in `round`.
  void note_read(int block, int round) { blocks_.made(block).last_read = round; }
  /// The present version is read where it lies until the end of `round`: by a neighbour.
  void note_pulled(int block, int round) { blocks_[block].pulled = round; }
  /// Some round makes a new version of the block.
  void note_written(int block) { blocks_.made(block).written = true; }
  /// The present version is an operand of `round`.
  void note_operand(int block, int round) { blocks_[block].operand = round; }
  /// What goes into a block at a time: where to, and the first transfer that does.
  struct Arrival {
    Version version;
    int placed = 0;  ///< the caller's number of that time
    const Transfer* first = nullptr;
  };
  Arrival& arrival(int block) { return blocks_[block].arrival; }
  /// Decides where a new version of the block goes that is written in `round`, its arrival's; awaits earlier
  /// readers of that memory.
  void choose(int block, int round);
  /// Gives memory to those chosen since the last time that go to scratch.
  void make_room();
  /// Room in scratch for so many bytes until the end of the round, which no neighbour reads.
  Spot landing(std::size_t bytes);
  /// The block's newest version is its arrival's.
  void settle(int block);
  /// After `round`: gives back scratch that nobody reads again.
  void retire(int round);

  void add(const Step& step) { steps_.push_back(step); }
  /// `locations` may be read by a neighbour until `await` is done; the await is added when it is needed.
  void expose(const Step& await, std::vector<Location> locations);
  /// Awaits all readers.
  void await_all() {
    while (!exposures_.empty()) await_oldest();
  }
  /// Makes `tickets` tickets free, by awaiting the oldest exposures.
  void free_tickets(std::size_t tickets);
  std::uint32_t take_ticket();
  void give_ticket(std::uint32_t ticket) { tickets_.push_back(ticket); }

  /// Bytes that the node brings itself, and that copy_own() will copy to its output.
  std::size_t own_bytes();
  /// Copies them in `round`, its first, as far as nothing is in the way; the others wait for finish().
  void copy_own(Program& program, int round);

  /// Brings what is wanted and lies elsewhere to the output, and awaits all readers. The node's steps, and
  /// what memory and tickets they need, go into the program.
  void finish(Program& program);

 private:
  struct Block {
    Version version;
    bool wanted = false, written = false;
    int last_read = -1, pulled = -1, operand = -1;  // rounds
    std::size_t input = 0, output = 0;              // offsets
    Arrival arrival;
  };
  /// The blocks that the node has to do with, by number. References live as long as no block is made, which
  /// none is once the schedule has been looked at.
  class Table {
   public:
    Block& made(int number);
    Block* find(int number);
    Block& operator[](int number) { return *find(number); }
    const Block& operator[](int number) const { return *const_cast<Table*>(this)->find(number); }

   private:
    std::uint32_t& index(int number);
    std::vector<std::pair<int, Block>> blocks_;
    std::vector<std::uint32_t> indices_;  // open addressing: 1 + place in blocks_, or 0; a power of two
  };
  struct Exposure {
    Step await;
    std::vector<Location> locations;  // ascending, apart from each other
  };
  Location user(int block, Place place, const Block& entry) const;
  bool elsewhere(int block);
  void copy_to_output(Program& program, int block);
  static Location in_scratch(const Scratch::Stretch& stretch) {
    constexpr std::size_t beyond = std::size_t{1} << 63;
    return {beyond + stretch.first, beyond + stretch.last};
  }
  Scratch::Stretch stretch(const Version& version, int block) const {
    return {version.offset, version.offset + sizes_.bytes(block)};
  }
  bool still_needed(int block, const Location& by, int round);
  bool blocked(int block, const Location& target, int round);
  bool exposed(const Location& location) const;
  void await_oldest();
  void await_readers(const Location& location);

  const Contract& contract_;
  const BlockSizes& sizes_;
  Aliasing aliasing_;
  Table blocks_;
  std::vector<Position> inputs_;
  std::vector<int> wanted_;
  std::vector<int> in_scratch_;  // blocks whose version has been put there, some of them no longer
  std::deque<Exposure> exposures_;
  std::vector<int> roomless_;  // blocks chosen to go to scratch, which have no place there yet
  std::vector<Scratch::Room> rooms_;
  std::vector<Scratch::Stretch> left_;       // of scratch, whose version has moved elsewhere in this round
  std::vector<Scratch::Stretch> passed_on_;  // the same of earlier rounds: a neighbour may still be reading
  std::vector<std::uint32_t> tickets_;
  std::size_t most_tickets_ = 0;
  Scratch scratch_;
  bool own_copied_ = false;
  std::size_t own_bytes_ = 0;
  Spot own_, own_into_;
  std::vector<Step> steps_;
};

}  // namespace vnode
