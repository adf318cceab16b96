#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <vnode/lab/contract.hpp>
#include <vnode/rank.hpp>

#include "base/pause.hpp"
#include "runtime/plan.hpp"

namespace vnode {

/// Lays out one node's scratch memory for a call: slots are taken and given back as versions of blocks come
/// and go, so the size is the peak of what lives at the same time.
class Scratch {
 public:
  /// The index of a free slot of at least `bytes`, on cache-line boundaries.
  std::size_t take(std::size_t bytes) {
    std::size_t best = slots_.size();
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].free && slots_[i].bytes >= bytes &&
          (best == slots_.size() || slots_[i].bytes < slots_[best].bytes))
        best = i;
    if (best == slots_.size()) {
      const std::size_t rounded =
          std::max<std::size_t>((bytes + cache_line - 1) / cache_line, 1) * cache_line;
      slots_.push_back({bytes_, rounded, false});
      bytes_ += rounded;
    }
    slots_[best].free = false;
    return best;
  }
  void give_back(std::size_t slot) { slots_[slot].free = true; }
  /// Whether take() would find a free slot instead of making one.
  bool has_free(std::size_t bytes) const {
    return std::ranges::any_of(slots_, [=](const Slot& slot) { return slot.free && slot.bytes >= bytes; });
  }

  std::size_t offset(std::size_t slot) const { return slots_[slot].offset; }
  std::size_t bytes(std::size_t slot) const { return slots_[slot].bytes; }
  /// The slot that `offset` lies in.
  std::size_t slot_at(std::size_t offset) const {
    const auto after = std::ranges::upper_bound(slots_, offset, {}, &Slot::offset);
    return static_cast<std::size_t>(after - slots_.begin()) - 1;
  }
  /// The size of the whole.
  std::size_t bytes() const { return bytes_; }

 private:
  struct Slot {
    std::size_t offset, bytes;
    bool free;
  };
  std::vector<Slot> slots_;  // ascending by offset
  std::size_t bytes_ = 0;
};

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
    std::size_t slot = 0;  ///< of scratch
  };
  /// Slots of scratch, or a stretch of the user's memory: bytes, or blocks where input and output agree on
  /// their places.
  struct Location {
    bool scratch = false;
    std::size_t first = 0, last = 0;
    bool overlaps(const Location& other) const {
      return scratch == other.scratch && first < other.last && other.first < last;
    }
  };

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
  /// Where a new version of the block goes, written in `round`; awaits earlier readers of that memory.
  Version choose(int block, int round);
  /// What goes into a block at a time: where to, and the first transfer that does.
  struct Arrival {
    Version version;
    int placed = 0;  ///< the caller's number of that time
    const Transfer* first = nullptr;
  };
  Arrival& arrival(int block) { return blocks_[block].arrival; }
  /// The block's newest version is this one.
  void settle(int block, const Version& version);
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
    std::vector<Location> locations;
  };
  Location user(int block, Place place, const Block& entry) const;
  bool elsewhere(int block);
  void copy_to_output(Program& program, int block);
  std::size_t take_slot(std::size_t bytes);
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
  std::vector<std::size_t> left_;       // slots whose version has moved elsewhere in this round
  std::vector<std::size_t> passed_on_;  // the same of earlier rounds: a neighbour may still be reading them
  std::vector<std::uint32_t> tickets_;
  std::size_t most_tickets_ = 0;
  Scratch scratch_;
  bool own_copied_ = false;
  std::size_t own_bytes_ = 0;
  Spot own_, own_into_;
  std::vector<Step> steps_;
};

}  // namespace vnode
