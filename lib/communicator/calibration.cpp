#include "communicator/calibration.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include <vnode/element.hpp>
#include <vnode/operator.hpp>

namespace vnode {
namespace {

using Clock = std::chrono::steady_clock;

/// Long enough for start-up not to matter, short enough for the caches.
constexpr std::size_t short_count = 1, long_count = 8192;  // doubles: 8 bytes and 64 KiB

/// Calls that all nodes make together, many times.
class Trials {
 public:
  Trials(Member& member, std::size_t count) : member_(member), out_(count, 1.0), in_(count), sum_(count) {}

  /// Seconds of a call, the least of some tries: what disturbs only adds.
  template <class Call>
  double seconds(int calls, const Call& call) {
    double least = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
      call();
      const auto begin = Clock::now();
      for (int i = 0; i < calls; ++i) call();
      const double each = std::chrono::duration<double>(Clock::now() - begin).count() / calls;
      least = attempt == 0 ? each : std::min(least, each);
    }
    return least;
  }

  /// Everybody's message goes one node further: all send and receive.
  void shift(std::size_t count) {
    Arguments call = of(Collective::circular_shift, count);
    call.shift = 1;
    call.options.algorithm = "circular_shift_direct";
    member_.call(call);
    out_.swap(in_);
  }
  /// What has been received is combined, as a reduction would do.
  void combine(std::size_t count) { plus_.combine(plus_.state, sum_.data(), sum_.data(), in_.data(), count); }
  /// A reduction whose results are written to where they go.
  void reduce(std::size_t count) {
    Arguments call = of(Collective::all_reduce, count);
    call.reduction = plus_;
    call.options.algorithm = "all_reduce_two_shot_direct";
    member_.call(call);
    out_.swap(in_);
  }

 private:
  Arguments of(Collective collective, std::size_t count) {
    Arguments call;
    call.collective = collective;
    call.in = out_.data();
    call.out = in_.data();
    call.in_count = call.out_count = count;
    call.type = element_type<double>;
    return call;
  }

  Member& member_;
  std::vector<double> out_, in_, sum_;
  std::plus<> op_;
  Reduction plus_ = reduction_of<double>(op_);
};

}

CostModel calibrated(Member& member) {
  const int p = member.size();
  // Each node's part of a reduction has to be too long for lines.
  const std::size_t reduced_count = std::max(long_count, 512 * static_cast<std::size_t>(p));
  Trials trials(member, reduced_count);
  const int few = std::max(2, 16 / p), many = std::max(4, 256 / p);
  const auto bytes = [](std::size_t count) { return static_cast<double>(count * sizeof(double)); };
  CostModel costs;
  costs.t_s = trials.seconds(many, [&] { trials.shift(short_count); });
  const double shifted = trials.seconds(few, [&] { trials.shift(long_count); });
  const double combined = trials.seconds(few, [&] {
    trials.shift(long_count);
    trials.combine(long_count);
  });
  const double reduced = trials.seconds(few, [&] { trials.reduce(reduced_count); });
  costs.t_w = std::max(shifted - costs.t_s, shifted / 10) / bytes(long_count);
  costs.t_op = std::max(combined - shifted, shifted / 20) / bytes(long_count);
  const double part = bytes(reduced_count) * (p - 1) / p;
  costs.t_put = std::max((reduced - costs.t_s) / part - costs.t_w - costs.t_op, costs.t_w / 20);
  return costs;
}

}
