#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include <vnode/call.hpp>

#include "communicator/plans.hpp"

namespace vnode {

/// How a call without partitions looks: calls of one shape by one node have the same plan, and if the
/// arguments of one make sense, so do those of all.
struct CallShape {
  Collective collective = Collective::barrier;
  bool commutative = false, deterministic = false;
  bool apart = true;            ///< input and output have no byte in common
  std::ptrdiff_t distance = 0;  ///< from input to output, in bytes, where they have
  Rank root = -1;
  int shift = 0, segments = 0, radix = 0;
  std::size_t in_count = 0, out_count = 0, element_bytes = 1, element_alignment = 1;
  std::uint64_t element_hash = 0, operator_hash = 0;

  CallShape() = default;
  explicit CallShape(const Arguments& call)
      : collective(call.collective),
        commutative(call.reduction.commutative),
        deterministic(call.options.deterministic),
        root(call.root),
        shift(call.shift),
        segments(call.options.segments),
        radix(call.options.radix),
        in_count(call.in_count),
        out_count(call.out_count),
        element_bytes(call.type.bytes),
        element_alignment(call.type.alignment),
        element_hash(call.type.hash),
        operator_hash(call.reduction.hash) {
    const auto in = reinterpret_cast<std::uintptr_t>(call.in),
               out = reinterpret_cast<std::uintptr_t>(call.out);
    apart = in + in_count * element_bytes <= out || out + out_count * element_bytes <= in;
    if (!apart) distance = static_cast<std::ptrdiff_t>(out - in);
  }
  friend bool operator==(const CallShape&, const CallShape&) = default;
};

/// The calls that one node has made lately, with their plans.
class RecentCalls {
 public:
  struct Entry {
    CallShape shape;  ///< of a call without partitions
    std::shared_ptr<const PreparedCall> plan;
    /// The caller's schedule, which may be another than the plan's, though an equal one. Kept, so that its
    /// address stays its own.
    std::shared_ptr<const OwnSchedule::Content> own;
  };

  /// Where a call like this one may be found.
  Entry& at(const Arguments& call) {
    std::size_t mixed = call.in_count + call.out_count * 3 + static_cast<std::size_t>(call.collective) * 5 +
                        static_cast<std::size_t>(call.root + 1) * 7 + call.type.hash + call.reduction.hash +
                        reinterpret_cast<std::uintptr_t>(own(call));
    mixed *= 0x9e3779b97f4a7c15;
    return entries_[mixed >> (64 - bits)];
  }
  /// The plan of a call whose arguments make sense because those of one like it did; or nullptr.
  const PreparedCall* known(const Arguments& call) {
    const Entry& entry = at(call);
    if (call.varying || entry.plan == nullptr || !(entry.shape == CallShape(call)) ||
        entry.own.get() != own(call))
      return nullptr;
    const PreparedCall& plan = *entry.plan;
    const Hierarchy* const given = call.options.hierarchy;
    const bool same_hierarchy = given == nullptr ? !plan.key.hierarchy : plan.key.hierarchy == *given;
    return !plan.key.varying && plan.key.algorithm == call.options.algorithm && same_hierarchy ? &plan
                                                                                               : nullptr;
  }

  /// Lets go of plans that have made room for others.
  void forget_evicted() {
    for (Entry& entry : entries_)
      if (entry.plan != nullptr && entry.plan->evicted.load(std::memory_order_relaxed)) entry = {};
  }

 private:
  static const OwnSchedule::Content* own(const Arguments& call) {
    const OwnSchedule* const given = call.options.schedule;
    return given == nullptr ? nullptr : given->content().get();
  }

  static constexpr int bits = 6;
  std::array<Entry, std::size_t{1} << bits> entries_;
};

}
