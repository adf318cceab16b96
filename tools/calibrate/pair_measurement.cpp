#include "calibrate/pair_measurement.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <fmt/format.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/team.hpp>

#include "statistics/statistics.hpp"
#include "timing/affinity.hpp"

namespace vnode {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::array<std::size_t, 7> lengths{8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 2 << 20};
/// The number of messages that a channel takes without waiting for its receiver.
constexpr int few = 4;
constexpr int many = 200;

/// Returns a number of calls that take some tens of microseconds together, whatever their length.
int calls(std::size_t bytes) {
  return static_cast<int>(std::clamp<std::size_t>((64 << 10) / (bytes + 512), 2, many));
}

/// Holds the times of the rounds, in seconds.
struct Times {
  std::array<std::vector<double>, lengths.size()> shifted, one_way;
  std::vector<double> overhead, gap;
};

/// Returns the seconds that `body` takes, which both nodes enter together.
template <class Body>
double timed(Node& me, const Body& body) {
  me.barrier();
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double shift(Node& me, const Bytes& out, Bytes& in, int repeats) {
  return timed(me, [&] {
    for (int i = 0; i < repeats; ++i) me.circular_shift(out, in, 1, {.algorithm = "circular_shift_direct"});
  });
}

double round_trips(Node& me, Bytes& data, int repeats) {
  const Rank other = 1 - me.rank();
  return timed(me, [&] {
    for (int i = 0; i < repeats; ++i) {
      if (me.rank() == 0) me.send(data, other);
      me.recv(data, other);
      if (me.rank() == 1) me.send(data, other);
    }
  });
}

/// Holds the time from the first of `repeats` short messages to the answer, and on node 0 also the time until
/// the last has been sent.
struct Burst {
  double sent, answered;
};
Burst burst(Node& me, Bytes& data, int repeats) {
  Burst times{};
  times.answered = timed(me, [&] {
    if (me.rank() == 0) {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < repeats; ++i) me.send(data, 1);
      times.sent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      me.recv(data, 1);
    } else {
      for (int i = 0; i < repeats; ++i) me.recv(data, 0);
      me.send(data, 0);
    }
  });
  return times;
}

/// Holds what one node measures with.
class PairMeasurement {
 public:
  PairMeasurement() {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      out_[i].resize(lengths[i]);
      in_[i].resize(lengths[i]);
    }
  }

  /// Measures one round, on both nodes; node 0 keeps the times. The first is not kept: it fills caches.
  void round(Node& me, Times& times, bool kept) {
    const auto keep = [&](std::vector<double>& list, double seconds) {
      if (me.rank() == 0 && kept) list.push_back(std::max(seconds, 1e-12));
    };
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const int repeats = calls(lengths[i]);
      keep(times.shifted[i], shift(me, out_[i], in_[i], repeats) / repeats);
      keep(times.one_way[i], round_trips(me, out_[i], repeats) / (2 * repeats));
    }
    Bytes& word = out_.front();
    keep(times.overhead, burst(me, word, few).sent / few);
    const double answer = round_trips(me, word, 1) / 2;
    keep(times.gap, (burst(me, word, many).answered - answer) / many);
  }

 private:
  std::array<Bytes, lengths.size()> out_, in_;
};

Hockney fitted(const std::array<std::vector<double>, lengths.size()>& times) {
  std::array<MessageTime, lengths.size()> medians;
  for (std::size_t i = 0; i < lengths.size(); ++i) medians[i] = {lengths[i], median(times[i])};
  return fitted_hockney(medians);
}

TeamOptions on(const ClassExample& pair) {
  TeamOptions options;
  options.keep_caller_pinned = true;
  options.pus = {pair.a, pair.b};
  return options;
}

Times measured_times(const Machine& machine, const ClassExample& pair, int rounds,
                     const std::function<void(double)>& measured) {
  TeamOptions options = on(pair);
  options.costs = CostModel{};  // no choice is made here
  Team team(2, shapes::full{}, options);
  Times times;
  team.run([&](Node& me) {
    check_pinned(machine, options.pus[static_cast<std::size_t>(me.rank())]);
    PairMeasurement measurement;
    for (int i = 0; i <= rounds; ++i) {
      measurement.round(me, times, i > 0);
      if (me.rank() == 0) measured(static_cast<double>(i) / rounds);
    }
  });
  return times;
}

/// Returns t_op, t_put and lengths as a team on the pair finds them: the medians of some teams.
CostModel own_costs(const ClassExample& pair, int teams) {
  std::vector<double> combine, put, eager, shared;
  for (int i = 0; i < teams; ++i) {
    const CostModel costs = Team(2, shapes::full{}, on(pair)).costs();
    combine.push_back(costs.t_op);
    put.push_back(costs.t_put);
    eager.push_back(static_cast<double>(costs.eager_to));
    shared.push_back(static_cast<double>(costs.shared_from));
  }
  return {.t_op = median(combine),
          .t_put = median(put),
          .eager_to = static_cast<std::size_t>(median(eager)),
          .shared_from = static_cast<std::size_t>(median(shared))};
}

}  // namespace

PairCosts measured_pair(const Machine& machine, const ClassExample& pair, int rounds,
                        const std::function<void(double)>& measured) {
  const Times times = measured_times(machine, pair, rounds, measured);
  const Hockney both_ways = fitted(times.shifted), one_way = fitted(times.one_way);
  // A sender that sends messages one after the other at that pace is not busy longer with one.
  const double g = median(times.gap), o = std::min(median(times.overhead), g);
  constexpr int rounds_per_team = 5;
  const CostModel own = own_costs(pair, 1 + rounds / rounds_per_team);
  const auto as_measured = [](double value) { return Quantity{value, Origin::measured}; };
  // Longer messages need answers, which predictions count apart. As in a team, the least time is that of a
  // short one, since disturbances only add to it.
  return {.t_s = as_measured(std::min(both_ways.t_s, std::ranges::min(times.shifted.front()))),
          .t_w = as_measured(both_ways.t_w),
          .L = as_measured(std::max(one_way.t_s - 2 * o, 0.0)),
          .o = as_measured(o),
          .g = as_measured(g),
          .G = as_measured(one_way.t_w),
          .t_op = as_measured(own.t_op),
          .t_put = as_measured(own.t_put),
          .eager_to = as_measured(static_cast<double>(own.eager_to)),
          .shared_from = as_measured(static_cast<double>(own.shared_from))};
}

}  // namespace vnode
