#include "runtime/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "schedule/each_block.hpp"

namespace vnode {

std::vector<Position> positions(const Contract& contract, const BlockSizes& sizes,
                                const std::vector<Interval>& share) {
  std::vector<Position> list;
  std::size_t offset = 0;
  for (const Interval& interval : share)
    for (int block = interval.first; block < interval.last; ++block) {
      const int original = contract.original(block);
      if (original != block)
        if (const auto known = std::ranges::find(
                list, original, [&](const Position& one) { return contract.original(one.block); });
            known != list.end()) {
          list.push_back({block, known->offset});
          continue;
        }
      list.push_back({block, offset});
      offset += sizes.bytes(block);
    }
  return list;
}

namespace {

bool goes_on(const Spot& a, std::size_t bytes, const Spot& b) {
  return a.place == b.place && a.offset + bytes == b.offset;
}

}  // namespace

void append(std::vector<Piece>& parts, std::uint32_t first, const Piece& part) {
  if (part.bytes == 0) return;
  if (parts.size() > first) {
    Piece& last = parts.back();
    if (last.effect == part.effect && last.at + last.bytes == part.at &&
        goes_on(last.theirs, last.bytes, part.theirs) && goes_on(last.own, last.bytes, part.own) &&
        goes_on(last.into, last.bytes, part.into)) {
      last.bytes += part.bytes;
      return;
    }
  }
  parts.push_back(part);
}

namespace {

/// A sentence about the first block that goes where another size may be; or nothing.
std::string other_size(const Schedule& schedule, const Contract& contract, bool varying) {
  const auto part = [&](int block) {
    const int original = contract.original(block);
    return varying || contract.message_blocks == 0 ? original : original % contract.message_blocks;
  };
  std::string text;
  for (int round = 0; round < std::ssize(schedule.rounds()); ++round)
    for (const Transfer& t : schedule.rounds()[static_cast<std::size_t>(round)])
      if (t.what != t.into)
        each_block(schedule, t, [&](int what, int into) {
          if (text.empty() && part(what) != part(into)) text = of_other_size(round, t, what, into);
        });
  return text;
}

/// The first block that is in two of the intervals, or -1.
int in_two(std::vector<Interval>& intervals) {
  std::ranges::sort(intervals, {}, &Interval::first);
  int end = 0;
  for (const Interval& interval : intervals) {
    if (interval.first < end) return interval.first;
    end = interval.last;
  }
  return -1;
}

/// A sentence about the first place that is in two lists of a round, or twice in one; or nothing.
std::string cut(const Schedule& schedule) {
  for (int round = 0; round < std::ssize(schedule.rounds()); ++round) {
    std::map<Rank, std::set<std::pair<std::uint32_t, std::uint32_t>>> lists;  // by node: what it takes in
    for (const Transfer& t : schedule.rounds()[static_cast<std::size_t>(round)])
      lists[t.to].emplace(t.into.first, t.into.count);
    for (const auto& [node, of_node] : lists) {
      std::vector<Interval> intervals;
      for (const auto& [first, count] : of_node)
        std::ranges::copy(schedule.intervals({first, count}), std::back_inserter(intervals));
      if (const int block = in_two(intervals); block >= 0) return cut_otherwise(round, node, block);
    }
  }
  return {};
}

}

std::vector<std::string> why_no_plan(const Schedule& schedule, const Contract& contract, bool varying) {
  std::vector<std::string> all;
  for (std::string text : {other_size(schedule, contract, varying), cut(schedule)})
    if (!text.empty()) all.push_back(std::move(text));
  return all;
}

std::string of_other_size(int round, const Transfer& transfer, int what, int into) {
  return fmt::format(
      "round {}: node {} sends block {} into block {} of node {}, which may be of another size", round + 1,
      transfer.from, what, into, transfer.to);
}

std::string cut_otherwise(int round, Rank node, int block) {
  return fmt::format(
      "round {}: what goes into block {} of node {} at the same time must come in equal lists of blocks",
      round + 1, block, node);
}

}  // namespace vnode
