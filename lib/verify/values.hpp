#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <vnode/rank.hpp>

namespace vnode {

/// What a place holds: contributions, by number, to one block.
struct Value {
  int made = -1;   ///< of Values; -1: nothing
  int block = -1;  ///< to which the contributions were brought, wherever they are now
  friend bool operator==(const Value&, const Value&) = default;
};
inline constexpr Value absent{};

/// The values of a replay: the sequences of ranks whose contributions they are made of. Copying one is
/// copying its number.
class Values {
 public:
  explicit Values(int nodes);

  /// The contribution of one node to one block.
  Value own(Rank rank, int block) const { return {rank, block}; }
  /// The operands, to one block, combined from left to right. Counts what is in several of them several
  /// times.
  Value combined(std::span<const Value> operands);

  const std::vector<Rank>& sequence(Value value) const { return of(value).sequence; }
  Rank lowest(Value value) const { return of(value).lowest; }
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
  const Made& of(Value value) const { return made_[static_cast<std::size_t>(value.made)]; }

  std::size_t words_;
  std::vector<Made> made_;
};

}  // namespace vnode
