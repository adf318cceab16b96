#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <vnode/rank.hpp>

namespace vnode {

/// A combined value by number; `absent` where there is none.
using Value = int;
inline constexpr Value absent = -1;

/// The values of a replay: the sequences of ranks whose contributions they are made of. Copying one is
/// copying its number.
class Values {
 public:
  explicit Values(int nodes);

  /// The contribution of one node.
  Value own(Rank rank) const { return rank; }
  /// The operands combined from left to right. Counts what is in several of them several times.
  Value combined(std::span<const Value> operands);

  const std::vector<Rank>& sequence(Value value) const {
    return made_[static_cast<std::size_t>(value)].sequence;
  }
  Rank lowest(Value value) const { return made_[static_cast<std::size_t>(value)].lowest; }
  bool contains(Value value, Rank rank) const;
  /// Whether a contribution is in both.
  bool overlap(Value a, Value b) const;
  /// Whether all contributions of `part` are in `all`.
  bool within(Value part, Value all) const;

 private:
  struct Made {
    std::vector<Rank> sequence;
    std::vector<std::uint64_t> set;  // bit r: rank r has contributed
    Rank lowest;
  };
  std::size_t words_;
  std::vector<Made> made_;
};

}  // namespace vnode
