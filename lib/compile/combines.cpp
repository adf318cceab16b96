#include "compile/combines.hpp"

#include <algorithm>
#include <span>

namespace vnode {
namespace {

/// Describes a place and what it is combined from.
struct Combined {
  std::span<const Operand> operands;
  const ReturnedResult* returned;
  bool has_own;  ///< the node's own value is one of the terms

  std::size_t terms() const { return operands.size() + has_own; }
};

/// Returns whether the terms of `next` begin with all of `combined`, in rank order.
bool goes_on(const Program& program, const Combined& combined, const Combined& next) {
  const auto is_whole = [](const Operand& operand) { return operand.pieces == 1; };
  const std::size_t shared = combined.operands.size();
  if (next.terms() <= combined.terms() || (combined.has_own && !next.has_own) ||
      !std::ranges::all_of(combined.operands, is_whole) || !std::ranges::all_of(next.operands, is_whole) ||
      !std::ranges::equal(combined.operands, next.operands.first(shared), {}, &Operand::incoming,
                          &Operand::incoming))
    return false;
  // The own value is among the terms of both, or it comes later.
  const auto effect = [&](std::size_t i) { return program.pieces[next.operands[i].first_piece].effect; };
  if (!next.has_own) return true;
  return combined.has_own ? effect(shared) == Effect::combine_after
                          : effect(shared - 1) == Effect::combine_before;
}

}  // namespace

void add_combines(Program& program, const ByPlace<std::vector<Operand>>& places,
                  const ByPlace<ReturnedResult>& returned) {
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  std::vector<Combined> all;
  for (const auto& [place, operands] : places) {
    const auto found = returned.find(place);
    const Operand& first = operands.front();
    all.push_back({operands, found != returned.end() ? &found->second : nullptr,
                   first.pieces > 0 && program.pieces[first.first_piece].effect != Effect::replace});
  }
  if (!returned.empty()) std::ranges::stable_sort(all, {}, &Combined::terms);
  for (const Combined* before = nullptr; const Combined& one : all) {
    Combine combine{count(program.operands), count(one.operands), count(program.forwards)};
    if (one.returned != nullptr) {
      const auto& [messages, kept] = *one.returned;
      program.forwards.insert(program.forwards.end(), messages.begin(), messages.end());
      combine.forwards = count(messages);
      combine.kept = kept;
    }
    combine.goes_on = before != nullptr && !returned.empty() && goes_on(program, *before, one);
    program.operands.insert(program.operands.end(), one.operands.begin(), one.operands.end());
    program.combines.push_back(combine);
    before = &one;
  }
}

}  // namespace vnode
