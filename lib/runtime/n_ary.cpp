#include "runtime/n_ary.hpp"

#include <cstring>

namespace vnode {

void NaryCombine::apply(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes) {
  if (operands.size() == 1) {
    if (into != operands[0]) std::memcpy(into, operands[0], bytes);
  } else if (canonical_) {
    as_tree(into, operands, bytes);
  } else {
    from_left(into, operands, bytes);
  }
}

std::byte* NaryCombine::take_room() {
  if (free_.empty()) {
    rooms_.push_back(std::make_unique<Line[]>((bytes_ + sizeof(Line) - 1) / sizeof(Line)));
    free_.push_back(rooms_.back()[0].bytes);
  }
  std::byte* const room = free_.back();
  free_.pop_back();
  return room;
}

/// The running result lies in `into`, unless the operand there is still to come.
void NaryCombine::from_left(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes) {
  std::size_t occupied = 0;  // operands up to the one in `into`
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i] == into) occupied = i;
  std::byte* const room = occupied > 1 ? take_room() : nullptr;
  const std::byte* running = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) {
    std::byte* const target = i < occupied ? room : into;
    work_.apply(Effect::combine_after, target, running, operands[i], bytes);
    running = target;
  }
  if (room != nullptr) free_.push_back(room);
}

/// A binary counter: partial results of equal level are joined; at the end what is left, from the right.
void NaryCombine::as_tree(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes) {
  partials_.clear();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    partials_.push_back({operands[i], nullptr, 0});
    const bool last = i + 1 == operands.size();
    while (partials_.size() > 1 && (last || partials_[partials_.size() - 2].level == partials_.back().level))
      join_last(partials_, last && partials_.size() == 2 ? into : nullptr, bytes);
  }
}

/// Joins the last two, into `into` or room of their own.
void NaryCombine::join_last(std::vector<Partial>& partials, std::byte* into, std::size_t bytes) {
  const Partial right = partials.back();
  partials.pop_back();
  Partial& left = partials.back();
  std::byte* target = into != nullptr ? into : left.room != nullptr ? left.room : right.room;
  if (target == nullptr) target = take_room();
  work_.apply(Effect::combine_after, target, left.value, right.value, bytes);
  for (std::byte* const room : {left.room, right.room})
    if (room != nullptr && room != target) free_.push_back(room);
  left = {target, into == nullptr ? target : nullptr, left.level + 1};
}

}
