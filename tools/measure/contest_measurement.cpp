#include "measure/contest_measurement.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <span>

#include <vnode/lab/machine.hpp>
#include <vnode/team.hpp>

#include "measure/collective_data.hpp"
#include "measure/timed_call.hpp"
#include "statistics/statistics.hpp"

namespace vnode {
namespace {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::int64_t;

constexpr int least_rounds = 5, most_rounds = 200;
constexpr Nanoseconds time_for_a_size = 200'000'000;

Nanoseconds now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

/// What node 0 tells the others before every call.
struct Turn {
  int candidate;  ///< -1: it was the last
  int round;      ///< 0 is not kept
};

/// The turns of one size, as node 0 gives them out: whole rounds, until the time is over.
class Turns {
 public:
  explicit Turns(int candidates) : candidates_(candidates) {}
  Turn next() {
    if (done_ == candidates_) {
      done_ = 0;
      if (++round_ == 1) begin_ = now();
      const bool enough = round_ > least_rounds && now() - begin_ > time_for_a_size;
      if (enough || round_ > most_rounds) return {-1, 0};
    }
    return {(done_++ + round_) % candidates_, round_};
  }

 private:
  const int candidates_;
  Nanoseconds begin_ = 0;  // of round 1
  int done_ = 0, round_ = 0;
};

/// The entries of one size on one team.
class SizeContest {
 public:
  SizeContest(const Demand& demand, std::span<Entry> entries, bool core_each)
      : demand_(demand),
        entries_(entries),
        core_each_(core_each),
        turns_(static_cast<int>(entries.size())),
        stamps_(entries.size(),
                std::vector<std::vector<CallStamp>>(static_cast<std::size_t>(demand.parameters.nodes))) {}

  void run(Team& team, Beginnings& beginnings) {
    team.run([&](Node& me) { take_turns(me); });
    for (std::size_t i = 0; i < entries_.size(); ++i) set_measured(entries_[i], stamps_[i], beginnings);
  }

 private:
  void take_turns(Node& me) {
    CollectiveData data(demand_, me.rank());
    std::vector<Persistent> calls;
    for (const Entry& entry : entries_)
      calls.push_back(data.plan(me, {.algorithm = entry.algorithm->name,
                                     .segments = entry.segments,
                                     .radix = demand_.parameters.radix,
                                     .hierarchy = entry.hierarchy ? &entry.hierarchy : nullptr}));
    while (true) {
      std::array<Turn, 1> turn{};
      if (me.rank() == 0) turn[0] = turns_.next();
      me.broadcast(turn);
      if (turn[0].candidate < 0) return;
      const auto at = static_cast<std::size_t>(turn[0].candidate);
      data.rewrite(turn[0].round);
      const CallStamp stamp = timed_call(me, calls[at], core_each_);
      if (turn[0].round > 0) stamps_[at][static_cast<std::size_t>(me.rank())].push_back(stamp);
    }
  }

  /// The median of the rounds, of punctual ones if there are any; stamps by rank, then by round.
  void set_measured(Entry& measured, const std::vector<std::vector<CallStamp>>& stamps,
                    Beginnings& beginnings) const {
    const CallTimes times = call_times(stamps, core_each_);
    beginnings.rounds += times.calls;
    beginnings.late += times.late;
    measured.late = times.late == times.calls;
    measured.measured = median(times.seconds);
  }

  const Demand demand_;
  const std::span<Entry> entries_;
  const bool core_each_;
  Turns turns_;  // node 0's
  std::vector<std::vector<std::vector<CallStamp>>>
      stamps_;  // by candidate, rank and round; each rank writes its own
};

}  // namespace

void measure(const Contest& contest, Comparison& comparison, const std::function<void(double)>& measured) {
  const Machine machine = Machine::discover();
  Demand demand = contest.demand;
  demand.bytes = contest.sizes.back();
  CollectiveData::check_memory(demand, machine);
  const int p = contest.topology.nodes();
  TeamOptions options;
  options.keep_caller_pinned = true;
  options.costs = contest.costs.costs;  // every algorithm is named, none chosen
  Team team(p, Shape::parse(contest.topology.text()), options);
  const bool core_each = machine.this_system && p <= machine.allowed_cores();
  Beginnings& beginnings = comparison.beginnings.emplace(Beginnings{.together = core_each});
  std::span<Entry> left = comparison.entries;
  while (!left.empty()) {
    demand.bytes = left.front().bytes;
    const auto other = [&](const Entry& entry) { return entry.bytes != demand.bytes; };
    const auto count = static_cast<std::size_t>(std::ranges::find_if(left, other) - left.begin());
    SizeContest(demand, left.first(count), core_each).run(team, beginnings);
    left = left.subspan(count);
    measured(1 - static_cast<double>(left.size()) / static_cast<double>(comparison.entries.size()));
  }
}

}  // namespace vnode
