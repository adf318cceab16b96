#pragma once

#include <cstddef>
#include <vector>

#include <vnode/lab/memory_banks.hpp>
#include <vnode/pages.hpp>

#include "channel/memory.hpp"

namespace vnode {

/// Pages on a bank, every_bank or any_bank.
PagePlacement placement_on(int bank, bool strict);

/// Where memory is to lie, and whose it is.
struct SlabPlace {
  int bank = any_bank;
  int owner_pu = -1;    ///< os index of the PU the owner runs on; -1: any
  bool strict = false;  ///< SystemError where that cannot be
};

/// Memory that one node owns on one bank: handed out in order and given back together. Where the system
/// refuses to bind it, it is touched first on the owner's PU.
class Slab final : public LineMemory {
 public:
  explicit Slab(const SlabPlace& place) : place_(place) {}

  std::byte* allocate(std::size_t bytes) override;
  /// Bytes handed out, alignment included.
  std::size_t used() const { return used_; }
  int bank() const { return place_.bank; }
  /// Whether the system has refused anything.
  bool degraded() const;
  const std::vector<Pages>& pages() const { return pages_; }

 private:
  SlabPlace place_;
  std::vector<Pages> pages_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t used_ = 0;
};

}
