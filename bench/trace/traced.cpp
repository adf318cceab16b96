#include "trace/traced.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "measure/gate.hpp"

namespace vnode::bench {
namespace {

void call_times(Team& team, Question& question, Contestant& contestant, Gate& gate, Iteration first,
                int times) {
  team.run([&](Node& me) {
    const Seat seat{me.rank(), &me};
    try {
      contestant.prepare(seat);
      for (int time = 0; time < times; ++time) {
        question.rewrite(seat, first + static_cast<Iteration>(time));
        gate.release(seat.rank);
        contestant.call(seat);
        gate.meet(seat.rank);
      }
      contestant.finish(seat);
    } catch (const GateClosed&) {
      // Another caller has failed: its exception is the one to end with.
    } catch (...) {
      gate.close();
      throw;
    }
  });
}

}  // namespace

TracedMedian traced_median(Team& team, Question& question, Contestant& contestant, bool core_each) {
  constexpr int warm_up = 5, calls = 33;
  constexpr std::size_t most_events = std::size_t{1} << 20;  // of all nodes
  Gate gate{team.size(), core_each};
  // Numbers of calls that the measurement did not have.
  constexpr Iteration first = Iteration{1} << 62;
  call_times(team, question, contestant, gate, first, warm_up);
  team.trace(std::max(most_events / static_cast<std::size_t>(team.size()), std::size_t{4096}));
  call_times(team, question, contestant, gate, first + warm_up, calls);
  Trace trace = team.take_trace();
  team.trace(0);
  std::erase_if(trace.calls, [](const TracedCall& call) { return !call.complete; });
  if (trace.calls.empty())
    throw SystemError{
        fmt::format("--trace: {} dropped, and no call was recorded whole", counted(trace.dropped, "event"))};
  const auto median = trace.calls.begin() + std::ssize(trace.calls) / 2;
  std::ranges::nth_element(trace.calls, median, {},
                           [](const TracedCall& call) { return call.timeline.seconds; });
  return {std::move(*median), static_cast<int>(trace.calls.size()), trace.dropped};
}

}  // namespace vnode::bench
