#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include <vnode/call.hpp>
#include <vnode/layouts.hpp>

#include "communicator/collective_activity.hpp"
#include "communicator/engine.hpp"
#include "communicator/planned_activity.hpp"
#include "runtime/laid_copy.hpp"

namespace vnode {

/// A collective call on what layouts pick. When it begins it copies what it reads from there to memory of the
/// node, where it lies one after the other; there the call takes place; and when that is complete it copies
/// back what has been written. So all collectives, algorithms and operators take layouts, and input and
/// output may overlap in any way: the input is what it was when the call began.
class LaidActivity final : public PlannedActivity {
 public:
  /// `self`: of a call that its caller keeps, else null; then it uses the engine's scratch. Throws
  /// UsageError.
  LaidActivity(Member& member, const LaidArguments& arguments, const std::shared_ptr<Member>& self);

  /// Before begin(): the node does nothing else until it is complete.
  void block() { inner_->block(); }

  void check_thread() const override { inner_->check_thread(); }
  void begin() override;
  void end() override { inner_->end(); }
  bool advance() override;
  Awaited awaited() const override { return inner_->awaited(); }
  const std::atomic<std::uint64_t>* watch() const override { return inner_->watch(); }

 private:
  /// Elements [first, first + count) of a layout, and where they lie packed.
  struct Side {
    Layout layout;
    std::byte* user = nullptr;
    std::byte* packed = nullptr;
    std::size_t first = 0, count = 0;

    LaidMemory laid() const { return {user, &layout.form(), first}; }
  };

  std::size_t element_bytes_;
  std::optional<Side> packs_in_, packs_out_, unpacks_;  // input and output before, output afterwards
  std::optional<Lease> lease_;
  AlignedMemory memory_;
  std::optional<CollectiveActivity> inner_;
};

}  // namespace vnode
