#include "verify/values.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace vnode {

Values::Values(int nodes, Nary nary)
    : words_((static_cast<std::size_t>(nodes) + 63) / 64),
      nary_(nary),
      sets_(static_cast<std::size_t>(nodes) * words_) {
  for (Rank rank = 0; rank < nodes; ++rank) {
    made_.push_back({-1, -1, rank, rank, rank, 1, true});
    sets_[static_cast<std::size_t>(rank) * words_ + static_cast<std::size_t>(rank) / 64] |= std::uint64_t{1}
                                                                                            << rank % 64;
  }
}

Value Values::combined(std::span<const Value> operands) {
  if (operands.size() == 2) return {pair(operands[0].expression, operands[1].expression), operands[0].block};
  std::vector<int> list;
  for (const Value operand : operands) list.push_back(operand.expression);
  return {folded(std::move(list), nary_), operands[0].block};
}

Value Values::canonical(std::span<const Rank> ranks, int block) {
  if (ranks.empty()) return absent;
  return {folded({ranks.begin(), ranks.end()}, Nary::canonical), block};
}

int Values::folded(std::vector<int> operands, Nary nary) {
  while (operands.size() > 1) {
    // One pass makes the leftmost pair, or all pairs of neighbours; who has no partner stays.
    const std::size_t pairs = nary == Nary::canonical ? operands.size() / 2 : 1;
    for (std::size_t i = 0; i < pairs; ++i) operands[i] = pair(operands[2 * i], operands[2 * i + 1]);
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(pairs),
                   operands.begin() + static_cast<std::ptrdiff_t>(2 * pairs));
  }
  return operands[0];
}

int Values::pair(int left, int right) {
  const auto key = std::uint64_t(std::uint32_t(left)) << 32 | std::uint32_t(right);
  const auto [at, added] = number_.try_emplace(key, static_cast<int>(made_.size()));
  if (!added) return at->second;
  const Expression l = made_[static_cast<std::size_t>(left)], r = made_[static_cast<std::size_t>(right)];
  made_.push_back({left, right, l.first, r.last, std::min(l.lowest, r.lowest), l.count + r.count,
                   l.in_order && r.in_order && l.last <= r.first});
  for (std::size_t i = 0; i < words_; ++i)
    sets_.push_back(sets_[static_cast<std::size_t>(left) * words_ + i] |
                    sets_[static_cast<std::size_t>(right) * words_ + i]);
  return at->second;
}

std::span<const std::uint64_t> Values::contributors(Value value) const {
  return std::span(sets_).subspan(static_cast<std::size_t>(value.expression) * words_, words_);
}

bool Values::counts_once(Value value) const {
  std::int64_t contributors = 0;
  for (const std::uint64_t word : this->contributors(value)) contributors += std::popcount(word);
  return contributors == of(value).count;
}

bool Values::overlap(Value a, Value b) const {
  if (a.block != b.block) return false;
  const auto x = contributors(a), y = contributors(b);
  for (std::size_t i = 0; i < words_; ++i)
    if (x[i] & y[i]) return true;
  return false;
}

bool Values::within(Value part, Value all) const {
  if (part.block != all.block) return false;
  const auto x = contributors(part), y = contributors(all);
  for (std::size_t i = 0; i < words_; ++i)
    if (x[i] & ~y[i]) return false;
  return true;
}

bool Values::same_sequence(Value a, Value b) const {
  if (a.expression == b.expression) return true;
  if (of(a).count != of(b).count || !std::ranges::equal(contributors(a), contributors(b))) return false;
  return (in_order(a) && in_order(b)) || sequence(a) == sequence(b);
}

std::vector<Rank> Values::sequence(Value value) const {
  std::vector<Rank> ranks;
  std::vector<int> open{value.expression};
  while (!open.empty()) {
    const Expression& next = made_[static_cast<std::size_t>(open.back())];
    open.pop_back();
    if (next.left < 0)
      ranks.push_back(next.first);
    else
      open.insert(open.end(), {next.right, next.left});
  }
  return ranks;
}

std::string Values::text(Value value) const {
  const Expression& expression = of(value);
  if (expression.left < 0) return std::to_string(expression.first);
  return fmt::format("({} {})", text({expression.left, value.block}), text({expression.right, value.block}));
}

}  // namespace vnode
