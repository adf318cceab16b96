#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <vnode/contract.hpp>

#include "runtime/plan.hpp"
#include "runtime/scratch.hpp"

namespace vnode {

/// Where the blocks of a vector begin, in bytes: `count` elements cut into blocks, the first ones an element
/// longer where it does not come out even.
class ByteMap {
 public:
  ByteMap(std::size_t blocks, std::size_t count, std::size_t element_bytes);
  std::size_t blocks() const { return starts_.size() - 1; }
  std::size_t start(std::size_t block) const { return starts_[block]; }
  std::size_t bytes(std::size_t block) const { return starts_[block + 1] - starts_[block]; }

 private:
  std::vector<std::size_t> starts_;
};

/// One node's memory while a plan is made: where the newest version of each block lies, who may still be
/// reading which memory, and the steps that the node takes.
///
/// A new version goes to the output if the contract wants the block there, else to scratch; never to memory
/// that a neighbour may be reading in the same round. Memory that was exposed in an earlier round is written
/// only after an await. Input and output may be the same memory, block by block, so they count as one. The
/// last version ends in the output.
class NodeMemory {
 public:
  struct Version {
    bool present = false;
    Place place = Place::input;
    std::size_t slot = 0;  ///< of scratch
  };
  /// Scratch and a slot, or the user's memory and a block.
  using Location = std::pair<bool, std::size_t>;

  NodeMemory(const ByteMap& blocks, const Share& share, std::uint32_t cells);

  const Version& version(std::size_t block) const { return versions_[block]; }
  Spot spot(const Version& version, std::size_t block) const;
  Location location(std::size_t block) const;

  /// The block is read, by a neighbour or as an operand, in `round`.
  void note_read(std::size_t block, int round) { last_read_[block] = round; }
  /// Where a new version of the block goes; awaits earlier readers of that memory. `read_now`: a neighbour
  /// reads the present version in this round.
  Version choose(std::size_t block, bool read_now);
  /// The block's newest version is this one.
  void settle(std::size_t block, const Version& version);
  /// After `round`: gives back scratch that nobody reads again.
  void retire(int round);

  void add(const Step& step) { steps_.push_back(step); }
  /// `locations` may be read by a neighbour until `await` is done; the await is added when it is needed.
  void expose(const Step& await, std::vector<Location> locations);
  /// Makes `cells` cells free, by awaiting the oldest exposures.
  void free_cells(std::size_t cells);
  std::uint32_t take_cell();
  void give_cell(std::uint32_t cell) { cells_.push_back(cell); }

  std::uint16_t next_publication() { return publications_++; }

  /// Brings what is wanted and lies elsewhere to the output, and awaits all readers.
  Program finish(std::vector<Piece>& parts);

 private:
  struct Exposure {
    Step await;
    std::vector<Location> locations;
  };
  bool exposed(const Location& location) const;
  void await_oldest();
  void await_readers(const Location& location);

  const ByteMap& blocks_;
  std::vector<Version> versions_;
  std::vector<bool> wanted_;
  std::vector<int> last_read_;
  std::size_t input_start_ = 0, output_start_ = 0;
  std::deque<Exposure> exposures_;
  std::vector<std::size_t> left_;  // slots whose version has moved elsewhere
  std::vector<std::uint32_t> cells_;
  Scratch scratch_;
  std::uint16_t publications_ = 0;
  std::vector<Step> steps_;
};

}
