#include "verify/values.hpp"

#include <algorithm>

namespace vnode {

Values::Values(int nodes) : words_((static_cast<std::size_t>(nodes) + 63) / 64) {
  for (Rank rank = 0; rank < nodes; ++rank) {
    Made& made = made_.emplace_back(Made{{rank}, std::vector<std::uint64_t>(words_), rank});
    made.set[static_cast<std::size_t>(rank) / 64] = std::uint64_t{1} << rank % 64;
  }
}

Value Values::combined(std::span<const Value> operands) {
  Made result{{}, std::vector<std::uint64_t>(words_), lowest(operands[0])};
  for (const Value operand : operands) {
    const Made& made = of(operand);
    result.sequence.insert(result.sequence.end(), made.sequence.begin(), made.sequence.end());
    for (std::size_t i = 0; i < words_; ++i) result.set[i] |= made.set[i];
    result.lowest = std::min(result.lowest, made.lowest);
  }
  made_.push_back(std::move(result));
  return {static_cast<int>(made_.size()) - 1, operands[0].block};
}

bool Values::overlap(Value a, Value b) const {
  if (a.block != b.block) return false;
  const Made &x = of(a), &y = of(b);
  for (std::size_t i = 0; i < words_; ++i)
    if (x.set[i] & y.set[i]) return true;
  return false;
}

bool Values::within(Value part, Value all) const {
  if (part.block != all.block) return false;
  const Made &x = of(part), &y = of(all);
  for (std::size_t i = 0; i < words_; ++i)
    if (x.set[i] & ~y.set[i]) return false;
  return true;
}

}  // namespace vnode
