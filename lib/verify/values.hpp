#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <vnode/rank.hpp>

#include "base/at.hpp"

namespace vnode {

/// Says what a place holds: an expression over contributions to one block.
struct Value {
  int expression = -1;  ///< of Values; -1: nothing
  int block = -1;       ///< to which the contributions were brought, wherever they are now
  friend bool operator==(const Value&, const Value&) = default;
};
inline constexpr Value absent{};

/// Says how an n-ary combine is evaluated, in rank order either way.
enum class Nary {
  left_to_right,  ///< ((0 1) 2) 3
  canonical,      ///< pairs, then pairs of pairs, what is left over carried up: ((0 1) (2 3)) 4
};

/// Holds the expressions of a replay: trees of combines over the ranks that have contributed. Equal
/// expressions have equal numbers, so that copying and comparing one is copying and comparing its number.
class Values {
 public:
  Values(int nodes, Nary nary)
      : words_((static_cast<std::size_t>(nodes) + 63) / 64),
        nary_(nary),
        sets_(static_cast<std::size_t>(nodes) * words_) {
    for (Rank rank = 0; rank < nodes; ++rank) {
      made_.push_back({-1, -1, rank, rank, rank, 1, true});
      const auto number = static_cast<std::size_t>(rank);
      sets_[number * words_ + number / 64] |= std::uint64_t{1} << rank % 64;
    }
  }

  /// Returns the contribution of one node to one block.
  Value own(Rank rank, int block) const { return {rank, block}; }
  /// Returns the combination of operands, contributions to one block in rank order. What is in several of
  /// them counts several times.
  Value combined(std::span<const Value> operands) {
    if (operands.size() == 2)
      return {pair(operands[0].expression, operands[1].expression), operands[0].block};
    std::vector<int> list;
    for (const Value operand : operands) list.push_back(operand.expression);
    return {folded(std::move(list), nary_), operands[0].block};
  }

  /// Returns the contributions of these ranks to one block, combined in the canonical order whatever `nary`
  /// is. The value of no ranks is absent.
  Value canonical(std::span<const Rank> ranks, int block) {
    if (ranks.empty()) return absent;
    return {folded({ranks.begin(), ranks.end()}, Nary::canonical), block};
  }

  /// Returns whether this rank has contributed.
  bool contains(Value value, Rank rank) const {
    return contributors(value)[static_cast<std::size_t>(rank) / 64] >> rank % 64 & 1;
  }
  /// Returns how many contributions there are; one that is given twice counts twice.
  std::int64_t count(Value value) const { return of(value).count; }
  /// Returns the lowest rank that has contributed.
  Rank lowest(Value value) const { return of(value).lowest; }
  /// Returns whether no contribution is counted twice.
  bool counts_once(Value value) const {
    std::int64_t contributors = 0;
    for (const std::uint64_t word : this->contributors(value)) contributors += std::popcount(word);
    return contributors == of(value).count;
  }
  /// Returns whether a contribution is in both.
  bool overlap(Value a, Value b) const {
    if (a.block != b.block) return false;
    const auto x = contributors(a), y = contributors(b);
    for (std::size_t i = 0; i < words_; ++i)
      if (x[i] & y[i]) return true;
    return false;
  }
  /// Returns whether all contributions of `part` are in `all`.
  bool within(Value part, Value all) const {
    if (part.block != all.block) return false;
    const auto x = contributors(part), y = contributors(all);
    for (std::size_t i = 0; i < words_; ++i)
      if (x[i] & ~y[i]) return false;
    return true;
  }
  /// Returns whether the contributions stand in rank order from left to right.
  bool in_order(Value value) const { return of(value).in_order; }
  /// Returns whether the same ranks stand in the same order, whatever the brackets.
  bool same_sequence(Value a, Value b) const {
    if (a.expression == b.expression) return true;
    if (of(a).count != of(b).count || !std::ranges::equal(contributors(a), contributors(b))) return false;
    return (in_order(a) && in_order(b)) || sequence(a) == sequence(b);
  }
  /// Returns the ranks from left to right.
  std::vector<Rank> sequence(Value value) const {
    std::vector<Rank> ranks;
    std::vector<int> open{value.expression};
    while (!open.empty()) {
      const Expression& next = at(made_, open.back());
      open.pop_back();
      if (next.left < 0)
        ranks.push_back(next.first);
      else
        open.insert(open.end(), {next.right, next.left});
    }
    return ranks;
  }
  /// Returns a text for people: "((0 1) 2)".
  std::string text(Value value) const {
    const Expression& expression = of(value);
    if (expression.left < 0) return std::to_string(expression.first);
    return '(' + text({expression.left, value.block}) + ' ' + text({expression.right, value.block}) + ')';
  }

 private:
  struct Expression {
    int left, right;     // -1: a contribution
    Rank first, last;    // the outermost contributions
    Rank lowest;         // of all
    std::int64_t count;  // of contributions
    bool in_order;
  };
  const Expression& of(Value value) const { return at(made_, value.expression); }
  int pair(int left, int right) {
    const auto key = std::uint64_t(std::uint32_t(left)) << 32 | std::uint32_t(right);
    const auto [known, added] = number_.try_emplace(key, static_cast<int>(made_.size()));
    if (!added) return known->second;
    const Expression l = at(made_, left), r = at(made_, right);
    made_.push_back({left, right, l.first, r.last, std::min(l.lowest, r.lowest), l.count + r.count,
                     l.in_order && r.in_order && l.last <= r.first});
    for (std::size_t i = 0; i < words_; ++i)
      sets_.push_back(sets_[static_cast<std::size_t>(left) * words_ + i] |
                      sets_[static_cast<std::size_t>(right) * words_ + i]);
    return known->second;
  }
  int folded(std::vector<int> operands, Nary nary) {
    while (operands.size() > 1) {
      // One pass makes the leftmost pair, or all pairs of neighbours; who has no partner stays.
      const std::size_t pairs = nary == Nary::canonical ? operands.size() / 2 : 1;
      for (std::size_t i = 0; i < pairs; ++i) operands[i] = pair(operands[2 * i], operands[2 * i + 1]);
      operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(pairs),
                     operands.begin() + static_cast<std::ptrdiff_t>(2 * pairs));
    }
    return operands[0];
  }
  std::span<const std::uint64_t> contributors(Value value) const {
    return std::span(sets_).subspan(static_cast<std::size_t>(value.expression) * words_, words_);
  }

  std::size_t words_;
  Nary nary_;
  std::vector<Expression> made_;
  std::vector<std::uint64_t> sets_;                // of the contributors, words_ each
  std::unordered_map<std::uint64_t, int> number_;  // of the pair (left, right)
};

}  // namespace vnode
