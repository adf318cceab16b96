#pragma once

#include <cstddef>
#include <span>

#include <vnode/model/contract.hpp>

namespace vnode {

/// Computes how many bytes the blocks of a schedule have. Each message of a contract is cut into the same
/// number of blocks; where its elements do not divide evenly, the first blocks have one element more.
class BlockSizes {
 public:
  /// Takes every message to have `count` elements.
  BlockSizes(const Contract& contract, std::size_t count, std::size_t element_bytes)
      : BlockSizes(contract, std::span<const std::size_t>(), element_bytes) {
    whole_ = count / parts_;
    longer_ = count % parts_;
  }
  /// Takes message i to have counts[i] elements.
  BlockSizes(const Contract& contract, std::span<const std::size_t> counts, std::size_t element_bytes)
      : originals_(contract.originals),
        parts_(static_cast<std::size_t>(contract.message_blocks > 0 ? contract.message_blocks : 1)),
        counts_(counts),
        element_bytes_(element_bytes) {}

  std::size_t bytes(int block) const {
    const auto original = static_cast<std::size_t>(originals_ > 0 ? block % originals_ : block);
    const std::size_t part = parts_ > 1 ? original % parts_ : 0;
    if (counts_.empty()) return (whole_ + (part < longer_)) * element_bytes_;
    const std::size_t count = counts_[original / parts_];
    return (count / parts_ + (part < count % parts_)) * element_bytes_;
  }
  /// Returns the bytes of the longest block, if every message has the same count.
  std::size_t longest() const { return (whole_ + (longer_ > 0)) * element_bytes_; }

 private:
  int originals_;
  std::size_t parts_;
  std::span<const std::size_t> counts_;
  std::size_t whole_ = 0, longer_ = 0;  // per message: elements of a block, blocks with one more
  std::size_t element_bytes_;
};

}  // namespace vnode
