#pragma once

#include <cstddef>
#include <optional>

#include <vnode/call.hpp>
#include <vnode/layouts.hpp>

#include "engine/engine.hpp"
#include "execute/laid_copy.hpp"

namespace vnode {

/// Packs and unpacks the data of a collective call with layouts. When the call begins, its input is copied to
/// contiguous memory of the node; the call takes place there; and when it is complete, what it has written is
/// copied back. So all collectives, algorithms and operators take layouts, and input and output may overlap
/// in any way: the input is what it was when the call began.
class Packing {
 public:
  /// Prepares the packing for node `me` of the call's group. With `keeps` the call may be in flight beside
  /// others; else it uses the engine's scratch. Throws UsageError.
  Packing(Engine& engine, Rank me, const Arguments& arguments, bool keeps);

  /// Returns the call on the packed data.
  const Arguments& arguments() const { return packed_; }
  /// Copies what the call reads.
  void pack() const;
  /// Copies back what it has written.
  void unpack() const;

 private:
  /// Describes the elements [first, first + count) of a layout, and where they lie when packed.
  struct Side {
    Layout layout;
    std::byte* user = nullptr;
    std::byte* packed = nullptr;
    std::size_t first = 0, count = 0;

    LaidMemory laid() const { return {user, &layout.form(), first}; }
  };

  Arguments packed_;
  std::optional<Side> packs_in_, packs_out_, unpacks_;  // input and output before, output afterwards
  std::optional<Lease> lease_;
  AlignedMemory memory_;
};

}  // namespace vnode
