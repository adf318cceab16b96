#include "simulate/dependencies.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"

namespace vnode {
namespace {

// Returns for every transfer the first one of the same message.
std::vector<int> firsts(const Round& round) {
  const auto key = [&](int i) {
    const Transfer& t = at(round, i);
    return std::tuple(t.from, t.to, t.what.first, t.what.count);
  };
  std::vector<int> order(round.size());
  std::iota(order.begin(), order.end(), 0);
  if (!std::ranges::is_sorted(order, {}, key)) std::ranges::stable_sort(order, {}, key);
  std::vector<int> first(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && key(order[i - 1]) == key(order[i]);
    at(first, order[i]) = same ? at(first, order[i - 1]) : order[i];
  }
  return first;
}

}  // namespace

Dependencies::Dependencies(const Schedule& schedule, const Volume& volume, std::optional<double> shared_from)
    : schedule_(schedule),
      volume_(volume),
      shared_from_(shared_from),
      empty_(schedule, volume),
      knowledge_{schedule.blocks(), schedule.blocks() + 1},
      versions_(static_cast<std::size_t>(schedule.nodes())),
      combining_(versions_.size(), -1) {
  for (const Round& round : schedule.rounds()) {
    add(round);
    ++round_;
  }
}

void Dependencies::add(const Round& round) {
  const std::vector<int> first = firsts(round);
  task_of_.clear();
  for (std::size_t i = 0; i < round.size(); ++i) {
    const Transfer& t = round[i];
    check(t);
    if (const auto leader = static_cast<std::size_t>(first[i]); leader < i) {
      task_of_.push_back(task_of_[leader]);
      continue;
    }
    task_of_.push_back(static_cast<int>(tasks_.size()));
    tasks_.push_back({round_, t.from, t.to, schedule_.count(t.what)});
    require_all(t.from, t.what, task_of_.back());
  }
  if (shared_from_) share(round);
  first_combining_ = static_cast<int>(tasks_.size());
  for (std::size_t i = 0; i < round.size(); ++i) {
    const Transfer& t = round[i];
    const long operands = empty_.combined(t);
    if (!is_combined(t)) continue;
    const int combining = combining_of(t.to);
    at(tasks_, combining).blocks += operands;
    if (at(tasks_, task_of_[i]).shared > 0) at(tasks_, combining).shared += operands;
    requirements_.push_back({task_of_[i], combining});
    require_all(t.to, t.into, combining);
  }
  for (std::size_t i = 0; i < round.size(); ++i) {
    const Transfer& t = round[i];
    const int version = is_combined(t) ? combining_of(t.to) : task_of_[i];
    for (const Interval& place : places(t.into)) at(versions_, t.to).assign(place.first, place.last, version);
  }
}

// A sender is free to help if it has no other message, and the receiver combines it with its own alone.
void Dependencies::share(const Round& round) {
  std::vector<int> sent(versions_.size()), received(sent.size()), combined(sent.size());
  for (const Transfer& t : messages(round)) {
    ++at(sent, t.from);
    ++at(received, t.to);
    if (is_combined(t)) ++at(combined, t.to);
  }
  for (std::size_t i = 0; i < round.size(); ++i) {
    const Transfer& t = round[i];
    Task& message = at(tasks_, task_of_[i]);
    const bool free = at(sent, t.from) == 1 && at(received, t.from) == 0 && at(combined, t.to) < 2;
    if (free && volume_.of(message.blocks) >= *shared_from_) message.shared = message.blocks;
  }
}

void Dependencies::check(const Transfer& t) const {
  const auto fail = [&](const std::string& reason) {
    throw UsageError(fmt::format("round {} of the schedule: {}", round_ + 1, reason));
  };
  for (const Rank rank : {t.from, t.to})
    if (rank < 0 || rank >= schedule_.nodes())
      fail(fmt::format("there is no node {}, the last one is {}", rank, schedule_.nodes() - 1));
  if (t.from == t.to) fail(fmt::format("node {} sends to itself", t.from));
  if (schedule_.count(t.what) != schedule_.count(t.into))
    fail(fmt::format("node {} sends node {} {} into {}", t.from, t.to,
                     counted(schedule_.count(t.what), "block"), schedule_.count(t.into)));
}

std::span<const Interval> Dependencies::places(Blocks blocks) const {
  const std::span<const Interval> intervals = schedule_.intervals(blocks);
  return intervals.empty() ? std::span(&knowledge_, 1) : intervals;
}

int Dependencies::combining_of(Rank node) {
  int& latest = at(combining_, node);
  if (latest < first_combining_) {
    latest = static_cast<int>(tasks_.size());
    tasks_.push_back({round_, node, node});
  }
  return latest;
}

void Dependencies::require_all(Rank node, Blocks blocks, int task) {
  made_by_.clear();
  const auto read = [&](int version) {
    if (version != Versions::initial) made_by_.push_back(version);
  };
  for (const Interval& place : places(blocks)) at(versions_, node).visit(place.first, place.last, read);
  std::ranges::sort(made_by_);
  made_by_.erase(std::unique(made_by_.begin(), made_by_.end()), made_by_.end());
  for (const int version : made_by_) requirements_.push_back({version, task});
}

}  // namespace vnode
