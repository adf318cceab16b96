#include <nlohmann/json.hpp>

#include <vnode/lab/timeline.hpp>

#include "trace/traced.hpp"

namespace vnode::bench {
namespace {

using Json = nlohmann::ordered_json;

Json written(const Occupation& occupation) {
  constexpr double microseconds = 1e6;  // in a second
  return {{"name", name(occupation.kind)},
          {"cat", "activity"},
          {"ph", "X"},
          {"pid", 0},
          {"tid", occupation.node},
          {"ts", occupation.begin * microseconds},
          {"dur", (occupation.end - occupation.begin) * microseconds},
          {"args", {{"round", occupation.round + 1}}}};
}

}  // namespace

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
