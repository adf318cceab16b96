#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <vnode/lab/contract.hpp>

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

}
