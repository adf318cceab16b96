#include "compile/scratch.hpp"

#include <utility>

namespace vnode {

void join(std::vector<Scratch::Stretch>& stretches) {
  if (!std::ranges::is_sorted(stretches, {}, &Scratch::Stretch::first))
    std::ranges::sort(stretches, {}, &Scratch::Stretch::first);
  std::size_t joined = 0;
  for (const Scratch::Stretch& next : stretches)
    if (joined > 0 && next.first <= stretches[joined - 1].last)
      stretches[joined - 1].last = std::max(stretches[joined - 1].last, next.last);
    else
      stretches[joined++] = next;
  stretches.resize(joined);
}

namespace {

std::size_t sum(std::span<const Scratch::Room> rooms) {
  std::size_t bytes = 0;
  for (const Scratch::Room& room : rooms) bytes += room.bytes;
  return bytes;
}

}

std::size_t Scratch::shortest_hole(std::span<const Room> rooms) {
  constexpr std::size_t worth_a_piece = 256;
  std::size_t longest = worth_a_piece;
  for (const Room& room : rooms) longest = std::max(longest, room.bytes);
  return std::min(longest, sum(rooms));
}

bool Scratch::has_free(std::span<const Room> rooms) const {
  const std::size_t least = shortest_hole(rooms), all = sum(rooms);
  std::size_t free = 0;
  for (const Stretch& hole : holes_)
    if (usable(hole) >= least) free += usable(hole);
  return free >= all;
}

void Scratch::take(std::span<Room> rooms) {
  const std::size_t least = shortest_hole(rooms), all = sum(rooms);
  std::vector<Stretch> left;
  const auto fill = [&](const Stretch& hole) {
    std::size_t at = std::min(whole_lines(hole.first), hole.last);
    left.push_back({hole.first, at});
    for (; !rooms.empty() && at + rooms.front().bytes <= hole.last; rooms = rooms.subspan(1)) {
      rooms.front().offset = at;
      at += rooms.front().bytes;
    }
    left.push_back({at, hole.last});
  };
  const Stretch* fitting = nullptr;  // the shortest for all
  for (const Stretch& hole : holes_)
    if (usable(hole) >= all && (fitting == nullptr || usable(hole) < usable(*fitting))) fitting = &hole;
  for (const Stretch& hole : holes_)
    if (fitting != nullptr ? &hole == fitting : usable(hole) >= least)
      fill(hole);
    else
      left.push_back(hole);
  if (!rooms.empty()) {
    const std::size_t first = !left.empty() && left.back().last == end_ ? left.back().first : end_;
    if (first < end_) left.pop_back();
    end_ = whole_lines(first) + sum(rooms);
    fill({first, end_});
  }
  std::erase_if(left, [](const Stretch& hole) { return hole.first >= hole.last; });
  holes_ = std::move(left);
}

void Scratch::give_back(std::span<const Stretch> stretches) {
  if (stretches.empty()) return;
  holes_.insert(holes_.end(), stretches.begin(), stretches.end());
  join(holes_);
}

}  // namespace vnode
