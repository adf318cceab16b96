#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/schedule.hpp>

#include "base/enum_names.hpp"
#include "base/held_by.hpp"
#include "schedule/traffic.hpp"

namespace vnode {
namespace {

void check(const Interval& interval, int blocks) {
  if (interval.first < 0 || interval.first > interval.last || interval.last > blocks)
    throw UsageError(fmt::format("blocks {} to {} are not all within 0 to {}", interval.first,
                                 interval.last - 1, blocks - 1));
}

std::vector<Interval> joined(std::span<const Interval> intervals, int blocks) {
  std::vector<Interval> list;
  for (const Interval& next : intervals) {
    check(next, blocks);
    if (next.first == next.last) continue;
    if (!list.empty() && list.back().last == next.first)
      list.back().last = next.last;
    else
      list.push_back(next);
  }
  return list;
}

std::size_t hash(std::span<const Interval> list) {
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (const Interval& i : list) {
    h ^= std::uint64_t(std::uint32_t(i.first)) << 32 | std::uint32_t(i.last);
    h *= 0xbf58476d1ce4e5b9u;
    h ^= h >> 31;
  }
  return static_cast<std::size_t>(h);
}

}  // namespace

Schedule::Schedule(int nodes, int blocks) : nodes_(nodes), blocks_(blocks), pool_{{0, blocks}} {
  if (nodes < 1) throw UsageError("a schedule needs at least one node");
  if (blocks < 0) throw UsageError("a schedule cannot have a negative number of blocks");
}

Round& Schedule::next_round() { return rounds_.emplace_back(); }

Blocks Schedule::blocks_of(std::span<const Interval> intervals) {
  if (intervals.size() == 1) return interval(intervals[0].first, intervals[0].last);
  return kept(joined(intervals, blocks_));
}

Blocks Schedule::block(int index) { return interval(index, index + 1); }

Blocks Schedule::interval(int first, int last) {
  const Interval one{first, last};
  check(one, blocks_);
  return kept(std::span(&one, first < last ? 1 : 0));
}

Blocks Schedule::kept(std::span<const Interval> list) {
  if (list.empty()) return Blocks::nothing;
  if (list.size() == 1 && list[0] == Interval{0, blocks_}) return Blocks::whole;
  const auto place = [&](std::span<const Interval> of) -> Blocks& {
    std::size_t at = hash(of) & (lists_.size() - 1);
    while (lists_[at].count > 0 && !std::ranges::equal(intervals(lists_[at]), of))
      at = (at + 1) & (lists_.size() - 1);
    return lists_[at];
  };
  if (2 * (made_ + 1) > lists_.size()) {
    const std::vector<Blocks> old = std::exchange(
        lists_, std::vector<Blocks>(std::max<std::size_t>(2 * lists_.size(), 16), Blocks::nothing));
    for (const Blocks& known : old)
      if (known.count > 0) place(intervals(known)) = known;
  }
  Blocks& made = place(list);
  if (made.count > 0) return made;
  const Blocks next{static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint32_t>(list.size())};
  pool_.insert(pool_.end(), list.begin(), list.end());
  ++made_;
  return made = next;
}

std::span<const Interval> Schedule::intervals(Blocks blocks) const {
  if (blocks_ == 0) return {};
  return std::span(pool_).subspan(blocks.first, blocks.count);
}

int Schedule::count(Blocks blocks) const {
  int sum = 0;
  for (const Interval& interval : intervals(blocks)) sum += interval.size();
  return sum;
}

std::size_t Schedule::held_bytes() const {
  std::size_t bytes = held_by(rounds_) + held_by(pool_) + held_by(lists_);
  for (const Round& round : rounds_) bytes += held_by(round);
  return bytes;
}

bool Schedule::operator==(const Schedule& other) const {
  const auto same = [&](const Transfer& x, const Transfer& y) {
    return x.from == y.from && x.to == y.to && x.effect == y.effect &&
           std::ranges::equal(intervals(x.what), other.intervals(y.what)) &&
           std::ranges::equal(intervals(x.into), other.intervals(y.into));
  };
  return nodes_ == other.nodes_ && blocks_ == other.blocks_ &&
         std::ranges::equal(rounds_, other.rounds_,
                            [&](const Round& x, const Round& y) { return std::ranges::equal(x, y, same); });
}

std::string_view enums::name(Effect effect) {
  static constexpr EnumNames<Effect, 3> names{{"replace", "combine_before", "combine_after"}};
  return names[effect];
}

std::vector<Transfer> messages(const Round& round) {
  const auto key = [](const Transfer& t) { return std::tuple(t.from, t.to, t.what.first, t.what.count); };
  const auto same = [&](const Transfer& a, const Transfer& b) { return key(a) == key(b); };
  std::vector<Transfer> list = round;
  if (!std::ranges::is_sorted(list, {}, key)) std::ranges::sort(list, {}, key);
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
  return list;
}

Cost step_synchronous_cost(const Schedule& schedule, int message_blocks) {
  Traffic sum;
  for (const Round& round : schedule.rounds()) sum += traffic(schedule, round, messages(round));
  return sum.cost(message_blocks);
}

}  // namespace vnode
