#include "team/calibration.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include <vnode/element.hpp>
#include <vnode/error.hpp>
#include <vnode/model/select.hpp>
#include <vnode/operator.hpp>

#include "call/member.hpp"
#include "channel/line.hpp"

namespace vnode {
namespace {

/// The lengths are great enough for start-up not to matter, and small enough for the caches.
constexpr std::size_t short_count = 1, long_count = 8192;  // doubles: 8 bytes and 64 KiB

/// Times calls that both nodes make together, many times.
class Trials {
 public:
  Trials(Member& member, std::size_t count, MeasureUntil until)
      : member_(member), until_(until), out_(count, 1.0), in_(count) {}

  /// Returns the seconds that a call takes, the least of some tries, since disturbances only add time. A try
  /// lasts until both nodes have made `calls` of them, and the time of meeting is subtracted.
  template <class Call>
  double seconds(int calls, const Call& call) {
    using Clock = std::chrono::steady_clock;
    double least = 0, meeting = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
      check_time();
      call();
      meet();
      const auto begin = Clock::now();
      meet();
      const auto met = Clock::now();
      for (int i = 0; i < calls; ++i) {
        if (i % 16 == 15) check_time();
        call();
      }
      meet();
      const double all = std::chrono::duration<double>(Clock::now() - met).count();
      const double met_for = std::chrono::duration<double>(met - begin).count();
      least = attempt == 0 ? all : std::min(least, all);
      meeting = attempt == 0 ? met_for : std::min(meeting, met_for);
    }
    return std::max(least - meeting, least / 10) / calls;
  }

  void meet() { call(Arguments(), "barrier_dissemination"); }
  /// Exchanges a message: both nodes send and receive.
  void shift(std::size_t count) {
    Arguments shifted = of(Collective::circular_shift, count, count);
    shifted.shift = 1;
    call(shifted, "circular_shift_direct");
    out_.swap(in_);
  }
  /// Sends a message from node 0 to the other one, which need not answer before the next call.
  void tell(std::size_t count) {
    Arguments told = of(Collective::broadcast, count, count);
    told.out.data = out_.data();
    told.root = 0;
    call(told, "broadcast_direct");
  }
  /// Writes what this node sends, so that the cache lines are its own again.
  void rewrite(std::size_t count) { std::fill_n(out_.begin(), count, out_.front() + 1); }
  /// Combines what comes from the other node while it is received.
  void combine(std::size_t count) {
    reduce(of(Collective::reduce_scatter, 2 * count, count), "reduce_scatter_direct");
  }
  /// Combines what comes from the other node, and writes the results to where they go.
  void combine_and_write(std::size_t count) {
    reduce(of(Collective::all_reduce, count, count), "all_reduce_two_shot_direct");
  }

 private:
  /// Throws TimeLimitExceeded if the time is over. The exception also ends the call of the other node.
  void check_time() const {
    if (std::chrono::steady_clock::now() > until_)
      throw TimeLimitExceeded("measuring what messages cost takes too long");
  }
  void reduce(Arguments reduced, const char* algorithm) {
    reduced.op = &operator_type<double, std::plus<>>;
    reduced.op_state = &op_;
    call(reduced, algorithm);
    out_.swap(in_);
  }
  void call(Arguments made, const char* algorithm) {
    const CallOptions options{.algorithm = algorithm};
    made.options = &options;
    member_.call(made);
  }

  Arguments of(Collective collective, std::size_t in_count, std::size_t out_count) {
    return call_with<double, double>(collective, buffer_of(std::span(out_).first(in_count)),
                                     buffer_of(std::span(in_).first(out_count)));
  }

  Member& member_;
  const MeasureUntil until_;
  std::vector<double> out_, in_;
  std::plus<> op_;
};

}

CostModel calibrated(Member& member, MeasureUntil until) {
  Trials trials(member, 2 * long_count, until);
  constexpr int few = 8, many = 64;
  constexpr double bytes = long_count * sizeof(double);
  CostModel costs;
  costs.t_s = trials.seconds(many, [&] { trials.shift(short_count); });
  costs.o = std::min(trials.seconds(many, [&] { trials.tell(short_count); }), costs.t_s);
  const double shifted = trials.seconds(few, [&] { trials.shift(long_count); });
  costs.t_w = std::max(shifted - costs.t_s, shifted / 10) / bytes;
  const double combined = trials.seconds(few, [&] { trials.combine(long_count); });
  const double written = trials.seconds(few, [&] { trials.combine_and_write(2 * long_count); });
  // A cost that is too small to be measured is taken as a small one.
  const auto per_byte = [&](double seconds, double others) {
    return std::max((seconds - costs.t_s) / bytes - others, costs.t_w / 20);
  };
  costs.t_op = per_byte(combined, costs.t_w);
  costs.t_put = per_byte(written, costs.t_w + costs.t_op);
  return costs;
}

Carried carried(Member& member, MeasureUntil until) {
  Trials trials(member, Carried::told_bytes.back() / sizeof(double), until);
  constexpr int few = 16, many = 64;
  Carried times;
  const auto exchange = [&](std::size_t bytes) {
    return trials.seconds(many, [&] { trials.shift(bytes / sizeof(double)); });
  };
  times.short_exchange = exchange(Carried::short_bytes);
  times.long_exchange = exchange(Carried::long_bytes);
  for (std::size_t i = 0; i < Carried::told_bytes.size(); ++i)
    times.told[i] = trials.seconds(few, [&] {
      const std::size_t count = Carried::told_bytes[i] / sizeof(double);
      trials.rewrite(count);
      trials.tell(count);
    });
  return times;
}

std::size_t eager_limit(const Carried& eager, const Carried& rendezvous) {
  // Eager messages take a line more for every few bytes; rendezvous takes the same time for such lengths.
  const double slope = (eager.long_exchange - eager.short_exchange) / Carried::long_bytes;
  const double ahead = rendezvous.long_exchange - eager.short_exchange;
  if (eager.long_exchange <= rendezvous.long_exchange || slope <= 0) return max_inline;
  const auto equal = static_cast<std::size_t>(std::max(ahead / slope, 0.0));
  return std::clamp(equal / cache_line * cache_line, least_eager, max_inline);
}

std::size_t shared_limit(const Carried& alone, const Carried& shared) {
  for (std::size_t i = 0; i < Carried::told_bytes.size(); ++i)
    if (shared.told[i] < alone.told[i]) return Carried::told_bytes[i];
  return 2 * Carried::told_bytes.back();
}

}
