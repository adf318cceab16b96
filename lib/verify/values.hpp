#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <vnode/rank.hpp>

namespace vnode {

/// What a place holds: an expression over contributions to one block.
struct Value {
  int expression = -1;  ///< of Values; -1: nothing
  int block = -1;       ///< to which the contributions were brought, wherever they are now
  friend bool operator==(const Value&, const Value&) = default;
};
inline constexpr Value absent{};

/// How an n-ary combine is evaluated, in rank order either way.
enum class Nary {
  left_to_right,  ///< ((0 1) 2) 3
  canonical,      ///< pairs, then pairs of pairs, what is left over carried up: ((0 1) (2 3)) 4
};

/// The expressions of a replay: trees of combines over the ranks that have contributed. Equal expressions
/// have equal numbers, so that copying and comparing one is copying and comparing its number.
class Values {
 public:
  Values(int nodes, Nary nary);

  /// The contribution of one node to one block.
  Value own(Rank rank, int block) const { return {rank, block}; }
  /// The operands, to one block, in rank order. Counts what is in several of them several times.
  Value combined(std::span<const Value> operands);

  /// Contributions of these ranks to one block, combined in the canonical order whatever `nary` is. The value
  /// of no ranks is absent.
  Value canonical(std::span<const Rank> ranks, int block);

  /// Whether this rank has contributed.
  bool contains(Value value, Rank rank) const {
    return contributors(value)[static_cast<std::size_t>(rank) / 64] >> rank % 64 & 1;
  }
  /// How many contributions there are; one that stands there twice counts twice.
  std::int64_t count(Value value) const { return of(value).count; }
  /// The lowest rank that has contributed.
  Rank lowest(Value value) const { return of(value).lowest; }
  /// Whether no contribution is counted twice.
  bool counts_once(Value value) const;
  /// Whether a contribution is in both.
  bool overlap(Value a, Value b) const;
  /// Whether all contributions of `part` are in `all`.
  bool within(Value part, Value all) const;
  /// Whether the contributions stand in rank order from left to right.
  bool in_order(Value value) const { return of(value).in_order; }
  /// Whether the same ranks stand in the same order, whatever the brackets.
  bool same_sequence(Value a, Value b) const;
  /// The ranks from left to right.
  std::vector<Rank> sequence(Value value) const;
  /// For people: "((0 1) 2)".
  std::string text(Value value) const;

 private:
  struct Expression {
    int left, right;     // -1: a contribution
    Rank first, last;    // the outermost contributions
    Rank lowest;         // of all
    std::int64_t count;  // of contributions
    bool in_order;
  };
  const Expression& of(Value value) const { return made_[static_cast<std::size_t>(value.expression)]; }
  int pair(int left, int right);
  int folded(std::vector<int> operands, Nary nary);
  std::span<const std::uint64_t> contributors(Value value) const;

  std::size_t words_;
  Nary nary_;
  std::vector<Expression> made_;
  std::vector<std::uint64_t> sets_;                // of the contributors, words_ each
  std::unordered_map<std::uint64_t, int> number_;  // of the pair (left, right)
};

}  // namespace vnode
