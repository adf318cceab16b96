#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include <vnode/element.hpp>
#include <vnode/lab/select.hpp>
#include <vnode/operator.hpp>

#include "channel/line.hpp"
#include "communicator/member.hpp"

namespace vnode {
namespace {

using Clock = std::chrono::steady_clock;

/// Up to so many nodes all combine what comes from all others: the plan for more would take too long.
constexpr std::size_t most_to_combine = 32;

/// Long enough for start-up not to matter, short enough for the caches.
constexpr std::size_t short_count = 1, long_count = 8192;  // doubles: 8 bytes and 64 KiB

/// Calls that all nodes make together, many times.
class Trials {
 public:
  Trials(Member& member, std::size_t count) : member_(member), out_(count, 1.0), in_(count) {}

  /// Seconds of a call, the least of some tries: what disturbs only adds. Until all nodes have made `calls`
  /// of them, less what meeting takes.
  template <class Call>
  double seconds(int calls, const Call& call) {
    double least = 0, meeting = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
      call();
      meet();
      const auto begin = Clock::now();
      meet();
      const auto met = Clock::now();
      for (int i = 0; i < calls; ++i) call();
      meet();
      const double all = std::chrono::duration<double>(Clock::now() - met).count();
      const double met_for = std::chrono::duration<double>(met - begin).count();
      least = attempt == 0 ? all : std::min(least, all);
      meeting = attempt == 0 ? met_for : std::min(meeting, met_for);
    }
    return std::max(least - meeting, least / 10) / calls;
  }

  void meet() {
    Arguments call;
    call.options.algorithm = "barrier_dissemination";
    member_.call(call);
  }
  /// Everybody's message goes one node further: all send and receive.
  void shift(std::size_t count) {
    Arguments call = of(Collective::circular_shift, count, count);
    call.shift = 1;
    call.options.algorithm = "circular_shift_direct";
    member_.call(call);
    out_.swap(in_);
  }
  /// What comes from all others is combined on its way: a part of `count` from each.
  void combine(std::size_t count) {
    reduce(of(Collective::reduce_scatter, count * static_cast<std::size_t>(member_.size()), count),
           "reduce_scatter_direct");
  }
  /// The same, and results are written to where they go.
  void combine_and_write(std::size_t count) {
    reduce(of(Collective::all_reduce, count, count), "all_reduce_two_shot_direct");
  }

 private:
  void reduce(Arguments call, const char* algorithm) {
    call.reduction = plus_;
    call.options.algorithm = algorithm;
    member_.call(call);
    out_.swap(in_);
  }

  Arguments of(Collective collective, std::size_t in_count, std::size_t out_count) {
    Arguments call;
    call.collective = collective;
    call.in = out_.data();
    call.out = in_.data();
    call.in_count = in_count;
    call.out_count = out_count;
    call.type = element_type<double>;
    return call;
  }

  Member& member_;
  std::vector<double> out_, in_;
  std::plus<> op_;
  Reduction plus_ = reduction_of<double>(op_);
};

}

CostModel calibrated(Member& member) {
  const auto p = static_cast<std::size_t>(member.size());
  // Each node's part of a reduction has to be too long for lines.
  const std::size_t part = std::max(long_count / p, max_inline / sizeof(double) + 32);
  Trials trials(member, std::max(long_count, p * part));
  const int few = std::max(2, 16 / static_cast<int>(p)), many = std::max(4, 256 / static_cast<int>(p));
  const auto bytes = [](std::size_t count) { return static_cast<double>(count * sizeof(double)); };
  CostModel costs;
  costs.t_s = trials.seconds(many, [&] { trials.shift(short_count); });
  const double shifted = trials.seconds(few, [&] { trials.shift(long_count); });
  costs.t_w = std::max(shifted - costs.t_s, shifted / 10) / bytes(long_count);
  if (p > most_to_combine) {
    costs.t_op = costs.t_w * typical_costs.t_op / typical_costs.t_w;
    costs.t_put = costs.t_w * typical_costs.t_put / typical_costs.t_w;
    return costs;
  }
  const double combined = trials.seconds(few, [&] { trials.combine(part); });
  const double written = trials.seconds(few, [&] { trials.combine_and_write(p * part); });
  // Of what is too little to be seen, a little.
  const auto per_byte = [&](double seconds, double others, double least) {
    return std::max((seconds - costs.t_s) / bytes((p - 1) * part) - others, least);
  };
  costs.t_op = per_byte(combined, costs.t_w, costs.t_w / 20);
  costs.t_put = per_byte(written, costs.t_w + costs.t_op, costs.t_w / 20);
  return costs;
}

}
