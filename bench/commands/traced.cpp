#include "commands/traced.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/timeline.hpp>

#include "base/counted.hpp"
#include "timing/eviction.hpp"
#include "timing/gate.hpp"

namespace vnode::bench {
namespace {

void call_times(Team& team, Question& question, Contestant& contestant, Gate& gate, Eviction& eviction,
                Iteration first, int times) {
  team.run([&](Node& me) {
    const Seat seat{me.rank(), &me};
    gate.attend([&] {
      contestant.prepare(seat);
      for (int time = 0; time < times; ++time) {
        question.rewrite(seat, first + static_cast<Iteration>(time));
        eviction.walk(seat.rank);
        gate.release(seat);
        contestant.call(seat);
        gate.meet(seat);
      }
      contestant.finish(seat);
    });
  });
}

using Json = nlohmann::ordered_json;

Json written(const Occupation& occupation) {
  constexpr double microseconds = 1e6;  // in a second
  return {{"name", enums::name(occupation.kind)},
          {"cat", "activity"},
          {"ph", "X"},
          {"pid", 0},
          {"tid", occupation.node},
          {"ts", occupation.begin * microseconds},
          {"dur", (occupation.end - occupation.begin) * microseconds},
          {"args", {{"round", occupation.round + 1}}}};
}

}  // namespace

TracedMedian traced_median(Team& team, Question& question, Contestant& contestant, const Effort& effort) {
  constexpr int warm_up = 5, calls = 33;
  constexpr std::size_t most_events = std::size_t{1} << 20;  // of all nodes
  Gate gate{team.size(), effort.core_each};
  Eviction eviction{team.size(), effort.cold};
  // The numbers of these calls are none that the measurement had.
  constexpr Iteration first = Iteration{1} << 62;
  call_times(team, question, contestant, gate, eviction, first, warm_up);
  team.trace(std::max(most_events / static_cast<std::size_t>(team.size()), std::size_t{4096}));
  call_times(team, question, contestant, gate, eviction, first + warm_up, calls);
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

std::string with_activities(const TracedCall& call, const std::string& title, const RunSubject& of) {
  Timeline timeline = call.timeline;
  timeline.title = title;
  timeline.of = of;
  Json trace = Json::parse(to_trace(timeline));
  Json& events = trace.is_array() ? trace : trace["traceEvents"];
  for (const Occupation& occupation : call.occupations) events.push_back(written(occupation));
  return trace.dump(1) + '\n';
}

}  // namespace vnode::bench
