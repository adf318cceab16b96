#include "building_blocks/segment.hpp"

#include <algorithm>
#include <utility>

#include <vnode/model/compose.hpp>

#include "building_blocks/level.hpp"

namespace vnode {

namespace {

// Lists the rounds in which each node sends, or receives: a port is busy with one segment at a time.
using Busy = std::vector<std::vector<int>>;

bool free_again(const Busy& busy, int period) {
  std::vector<int> last(static_cast<std::size_t>(period), -1);
  for (int port = 0; port < static_cast<int>(busy.size()); ++port)
    for (const int round : busy[static_cast<std::size_t>(port)])
      if (std::exchange(last[static_cast<std::size_t>(round % period)], port) == port) return false;
  return true;
}

// Returns the sum over all times of the greatest of what happens: rounds `period` apart happen at the same
// time, for different segments.
double sum_of_greatest(const std::vector<long>& amounts, int period, int segments) {
  const int rounds = static_cast<int>(amounts.size());
  double sum = 0;
  for (int offset = 0; offset < std::min(period, rounds); ++offset) {
    const int together = (rounds - 1 - offset) / period + 1;
    const auto greatest = [&](int first, int last) {  // of those that run at the same time
      long most = 0;
      for (int i = std::max(first, 0); i <= std::min(last, together - 1); ++i)
        most = std::max(most, amounts[static_cast<std::size_t>(offset + i * period)]);
      return static_cast<double>(most);
    };
    // The pipeline fills and empties, and between that all happens at once.
    const int edges = std::min(together + segments - 1, 2 * (together - 1));
    for (int i = 0; i < edges; ++i) {
      const int time = i < edges / 2 ? i : together + segments - 2 - (edges - 1 - i);
      sum += greatest(time - segments + 1, time);
    }
    const int between = together + segments - 1 - edges;
    if (between > 0) sum += between * greatest(edges / 2 - segments + 1, edges / 2);
  }
  return sum;
}

}  // namespace

Overlap::Overlap(Tally segment, int message_pieces)
    : segment_(std::move(segment)), message_pieces_(message_pieces) {
  const auto nodes = static_cast<std::size_t>(segment_.nodes);
  Busy busy(2 * nodes);
  for (const std::vector<Tally::Message>& round : segment_.rounds) {
    const int number = static_cast<int>(largest_.size());
    std::vector<long> received(nodes), combined(nodes);
    largest_.push_back(0);
    for (const auto& [from, to, pieces, combines] : round) {
      const auto sender = static_cast<std::size_t>(from), receiver = static_cast<std::size_t>(to);
      ++messages_;
      largest_.back() = std::max(largest_.back(), pieces);
      received[receiver] += pieces;
      combined[receiver] += combines;
      for (const std::size_t port : {2 * sender, 2 * receiver + 1})
        if (busy[port].empty() || busy[port].back() != number) busy[port].push_back(number);
    }
    received_.push_back(std::ranges::max(received));
    combined_.push_back(std::ranges::max(combined));
  }
  for (const std::vector<int>& rounds : busy) period_ = std::max(period_, static_cast<int>(rounds.size()));
  while (!free_again(busy, period_)) ++period_;
}

int Overlap::rounds(int segments) const {
  return rounds_of_segment() + (rounds_of_segment() > 0 ? (segments - 1) * period_ : 0);
}

Cost Overlap::cost(int segments) const {
  if (message_pieces_ == 0) return {.startups = double(rounds(segments))};
  const auto words = [&](const std::vector<long>& amounts) {
    return sum_of_greatest(amounts, period_, segments) / message_pieces_ / segments;
  };
  return {double(rounds(segments)), words(largest_), words(received_), words(combined_)};
}

bool Overlap::peers(int segments, int round, Rank from, Rank to) const {
  for (int segment = 0; segment < segments && segment * period_ <= round; ++segment) {
    const auto own = static_cast<std::size_t>(round - segment * period_);
    if (own < segment_.rounds.size() &&
        std::ranges::any_of(segment_.rounds[own], [&](const Tally::Message& message) {
          return message.from == from && message.to == to;
        }))
      return true;
  }
  return false;
}

Schedule overlapped(const Schedule& segment, int segments, int period) {
  if (segments == 1) return segment;
  const int rounds = static_cast<int>(segment.rounds().size());
  Schedule result(segment.nodes(), segment.blocks() * segments);
  for (int i = rounds > 0 ? rounds + (segments - 1) * period : 0; i > 0; --i) result.next_round();
  for (int number = 0; number < segments; ++number) {
    const auto own = [&](Blocks blocks) {
      std::vector<Interval> list;
      for (const Interval& interval : segment.intervals(blocks))
        for (int block = interval.first; block < interval.last; ++block)
          list.push_back({block * segments + number, block * segments + number + 1});
      return result.blocks_of(list);
    };
    for (int round = 0; round < rounds; ++round)
      for (const Transfer& t : segment.rounds()[static_cast<std::size_t>(round)]) {
        const Blocks what = own(t.what), into = t.into == t.what ? what : own(t.into);
        result.round(number * period + round).emplace_back(t.from, t.to, what, into, t.effect);
      }
  }
  return result;
}

Schedule Segment::schedule() const {
  const Schedule forwards = phases.schedule();
  switch (played) {
    case Played::as_they_are:
      return forwards;
    case Played::sided:
      return compose::sided(forwards);
    case Played::backwards:
      return compose::reversed(forwards);
    case Played::dual:
      return compose::dual(forwards);
    case Played::in_order:
      break;
  }
  if (auto in_order = compose::dual_in_order(forwards)) return *std::move(in_order);
  throw UsageError(needs_order);
}

Tally Segment::tally() const {
  const Tally forwards = phases.tally();
  if (played == Played::as_they_are || played == Played::sided) return forwards;
  return forwards.backwards(played != Played::backwards);
}

}  // namespace vnode
