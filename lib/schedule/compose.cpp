#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/compose.hpp>

#include "base/counted.hpp"

namespace vnode {

namespace {

void check_same_shape(const Schedule& a, const Schedule& b) {
  if (a.nodes() != b.nodes() || a.blocks() != b.blocks())
    throw UsageError(fmt::format("schedules of {} and {} and of {} and {} do not compose: both must agree",
                                 counted(a.nodes(), "node"), counted(a.blocks(), "block"),
                                 counted(b.nodes(), "node"), counted(b.blocks(), "block")));
}

// Blocks of `a`, made anew in `result`.
Blocks carried(const Schedule& a, Blocks blocks, Schedule& result) {
  return result.blocks_of(a.intervals(blocks));
}

Transfer carried(const Schedule& a, Transfer transfer, Schedule& result) {
  transfer.what = carried(a, transfer.what, result);
  transfer.into = carried(a, transfer.into, result);
  return transfer;
}

void check_group(const Schedule& a, int nodes, std::span<const Rank> ranks) {
  std::vector<Rank> sorted(ranks.begin(), ranks.end());
  std::ranges::sort(sorted);
  const bool distinct = std::ranges::adjacent_find(sorted) == sorted.end();
  const bool within = sorted.empty() || (sorted.front() >= 0 && sorted.back() < nodes);
  if (static_cast<int>(ranks.size()) != a.nodes() || !distinct || !within)
    throw UsageError(fmt::format("a schedule of {} needs as many different ranks below {}, got {}",
                                 counted(a.nodes(), "node"), nodes, fmt::join(ranks, " ")));
}

void check_map(const Schedule& a, const BlockMap& map) {
  const bool one_length =
      std::ranges::all_of(map.places, [&](const Interval& i) { return i.size() == map.places[0].size(); });
  if (static_cast<int>(map.places.size()) != a.blocks() || !one_length)
    throw UsageError(fmt::format("a block map for {} needs as many places, of one length, got {}",
                                 counted(a.blocks(), "block"), map.places.size()));
}

Blocks mapped(const Schedule& a, Blocks blocks, const BlockMap& map, Schedule& result) {
  std::vector<Interval> list;
  for (const Interval& interval : a.intervals(blocks))
    for (int block = interval.first; block < interval.last; ++block)
      list.push_back(map.places[static_cast<std::size_t>(block)]);
  return result.blocks_of(list);
}

}  // namespace

Schedule then(const Schedule& a, const Schedule& b) {
  check_same_shape(a, b);
  Schedule result = a;
  for (const Round& round : b.rounds()) {
    Round& next = result.next_round();
    for (const Transfer& transfer : round) next.push_back(carried(b, transfer, result));
  }
  return result;
}

Schedule beside(const Schedule& a, const Schedule& b) {
  check_same_shape(a, b);
  Schedule result = a;
  for (std::size_t i = 0; i < b.rounds().size(); ++i) {
    Round& round = i < a.rounds().size() ? result.round(static_cast<int>(i)) : result.next_round();
    for (const Transfer& transfer : b.rounds()[i]) round.push_back(carried(b, transfer, result));
  }
  return result;
}

Schedule on_group(const Schedule& a, int nodes, std::span<const Rank> ranks) {
  BlockMap map{a.blocks(), {}};
  for (int block = 0; block < a.blocks(); ++block) map.places.push_back({block, block + 1});
  return on_group(a, nodes, ranks, map);
}

Schedule on_group(const Schedule& a, int nodes, std::span<const Rank> ranks, const BlockMap& map) {
  check_group(a, nodes, ranks);
  check_map(a, map);
  Schedule result(nodes, map.blocks);
  for (const Round& round : a.rounds()) {
    Round& next = result.next_round();
    for (const Transfer& t : round)
      next.emplace_back(ranks[static_cast<std::size_t>(t.from)], ranks[static_cast<std::size_t>(t.to)],
                        mapped(a, t.what, map, result), mapped(a, t.into, map, result), t.effect);
  }
  return result;
}

Schedule relabelled(const Schedule& a, std::span<const Rank> ranks) { return on_group(a, a.nodes(), ranks); }

Schedule relabelled(const Schedule& a, std::span<const Rank> ranks, const BlockMap& map) {
  return on_group(a, a.nodes(), ranks, map);
}

Schedule reversed(const Schedule& a) {
  Schedule result(a.nodes(), a.blocks());
  for (auto round = a.rounds().rbegin(); round != a.rounds().rend(); ++round) {
    Round& next = result.next_round();
    for (const Transfer& t : *round) {
      if (t.effect != Effect::replace)
        throw UsageError(
            "a schedule that combines cannot be reversed: what was combined does not come apart");
      next.push_back(carried(a, {t.to, t.from, t.into, t.what, Effect::replace}, result));
    }
  }
  return result;
}

std::vector<Part> projection(const Schedule& a, Rank rank) {
  if (rank < 0 || rank >= a.nodes())
    throw UsageError(fmt::format("there is no node {}: the schedule has nodes 0 to {}", rank, a.nodes() - 1));
  std::vector<Part> parts;
  for (const Round& round : a.rounds()) {
    Part& part = parts.emplace_back();
    for (const Transfer& transfer : round) {
      if (transfer.from == rank) part.out.push_back(transfer);
      if (transfer.to == rank) part.in.push_back(transfer);
    }
  }
  return parts;
}

}  // namespace vnode
