#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/timeline.hpp>

#include "json/json_place.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

constexpr double microsecond = 1e-6;
constexpr int most_rounds = 1 << 24;
constexpr double rounding = 5e-10;  // what decimal microseconds may move a time by

// Returns a value as a sentence shows it: not more of it than a person reads.
std::string shown(const Json& value) {
  constexpr std::size_t longest = 60;
  const std::string text = value.dump(-1, ' ', true);
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

// The line on which element `number`, from 1, of an array of the text begins: of "traceEvents", or of the
// whole text. The text is JSON and has it.
std::ptrdiff_t line_of(std::string_view text, std::size_t number) {
  std::string_view key;
  int depth = 0, depth_of_events = 0;
  std::size_t elements = 0;
  bool begins = false;  // the next value is an element
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    if (std::string_view(" \t\n\r").find(character) != std::string_view::npos) continue;
    if (begins && character != ']' && ++elements == number)
      return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
    begins = false;
    if (character == '"') {
      const std::size_t first = ++i;
      while (text[i] != '"') i += text[i] == '\\' ? 2 : 1;
      if (depth == 1) key = text.substr(first, i - first);
    } else if (character == '[' || character == '{') {
      ++depth;
      if (character == '[' && depth_of_events == 0 && (depth == 1 || (depth == 2 && key == "traceEvents"))) {
        depth_of_events = depth;
        begins = true;
      }
    } else if (character == ']' || character == '}') {
      if (depth-- == depth_of_events) depth_of_events = -1;
    } else if (character == ',') {
      begins = depth == depth_of_events;
    }
  }
  return 1;
}

// An event and how a person finds it: "event 3 on line 12 (\"round 1: 0>4\")"; or, as number 0, what the
// trace says of the whole run.
struct Event {
  std::string_view text;  // of the whole trace
  const Json& json;
  std::size_t number;

  [[noreturn]] void fail(std::string_view reason) const {
    if (number == 0) throw UsageError(fmt::format("trace: {}", reason));
    std::string name;
    if (json.is_object() && json.contains("name")) name = fmt::format(" ({})", shown(json["name"]));
    throw UsageError(
        fmt::format("trace, event {} on line {}{}: {}", number, line_of(text, number), name, reason));
  }

  const Json& key(const Json& object, const char* name) const {
    const auto at = object.find(name);
    if (at == object.end()) fail(fmt::format("\"{}\" is missing", name));
    return *at;
  }

  double time(const Json& object, const char* name) const {
    const Json& value = key(object, name);
    const double microseconds = value.is_number() ? value.get<double>() : -1;
    if (!std::isfinite(microseconds) || microseconds < 0)
      fail(fmt::format("\"{}\" is {}, expected microseconds, 0 or more", name, shown(value)));
    return microseconds * microsecond;
  }

  template <class Whole>
  Whole whole_number(const Json& object, const char* name) const {
    const Json& value = key(object, name);
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Whole>::max());
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
      fail(fmt::format("\"{}\" is {}, expected a whole number from 0 to {}", name, shown(value), most));
    return value.get<Whole>();
  }

  // Rounds count from 1 in the text.
  int round(const Json& arguments) const {
    const int from_one = whole_number<int>(arguments, "round");
    if (from_one == 0) fail("\"round\" is 0, the first round is 1");
    return from_one - 1;
  }

  TimedMessage message() const {
    if (key(json, "ph") != "X") fail("a message is a complete event, \"ph\": \"X\"");
    const Json& arguments = key(json, "args");
    if (!arguments.is_object()) fail(fmt::format("\"args\" is {}, expected an object", shown(arguments)));
    TimedMessage message{.round = round(arguments),
                         .from = whole_number<Rank>(arguments, "from"),
                         .to = whole_number<Rank>(arguments, "to"),
                         .bytes = whole_number<std::size_t>(arguments, "bytes"),
                         .start = time(json, "ts")};
    message.end = message.start + time(json, "dur");
    message.departure = arguments.contains("departure") ? time(arguments, "departure") : message.start;
    if (message.from == message.to) fail(fmt::format("node {} sends to itself", message.from));
    if (message.round > most_rounds)
      fail(fmt::format("\"round\" is {}, expected at most {}", message.round, most_rounds));
    if (message.departure < message.start - rounding || message.departure > message.end + rounding)
      fail("\"departure\" is not within the event");
    message.departure = std::clamp(message.departure, message.start, message.end);
    return message;
  }
};

Json parsed(std::string_view text) {
  check_json(text, "trace");
  return Json::parse(text);
}

const Json& events_of(const Json& trace) {
  if (trace.is_array()) return trace;
  if (!trace.is_object()) throw UsageError("trace: expected an object with \"traceEvents\"");
  const auto events = trace.find("traceEvents");
  if (events == trace.end()) throw UsageError("trace: \"traceEvents\" is missing");
  if (!events->is_array())
    throw UsageError(fmt::format("trace: \"traceEvents\" is {}, expected an array", shown(*events)));
  return *events;
}

// Reads what the whole run is called, of what it is, how many nodes it had and how long it took, where the
// trace says so.
void read_head(const Json& trace, Timeline& timeline) {
  if (!trace.is_object() || !trace.contains("otherData")) return;
  const Json& json = trace["otherData"];
  const Event head{{}, json, 0};
  if (!json.is_object()) head.fail("\"otherData\" is no object");
  const auto read_text = [&](const char* name, std::string& text) {
    if (json.contains(name) && json[name].is_string()) text = json[name].get<std::string>();
  };
  const auto read_number = [&]<class Whole>(const char* name, std::optional<Whole>& number) {
    if (json.contains(name)) number = head.whole_number<Whole>(json, name);
  };
  read_text("title", timeline.title);
  read_text("algorithm", timeline.of.algorithm);
  read_text("topology", timeline.of.topology);
  read_number("bytes", timeline.of.bytes);
  read_number("segments", timeline.of.segments);
  read_number("root", timeline.of.root);
  std::optional<int> nodes;
  read_number("nodes", nodes);
  if (nodes && *nodes > max_schedule_nodes)
    head.fail(fmt::format("\"nodes\" is {}, expected {} at most", *nodes, max_schedule_nodes));
  if (nodes && *nodes < timeline.nodes)
    head.fail(fmt::format("\"nodes\" is {}, but there is a node {}", *nodes, timeline.nodes - 1));
  timeline.nodes = nodes.value_or(timeline.nodes);
  if (!json.contains("seconds")) return;
  const Json& seconds = json["seconds"];
  if (!seconds.is_number() || !(seconds.get<double>() >= 0))
    head.fail(fmt::format("\"seconds\" is {}, expected a time", shown(seconds)));
  timeline.seconds = seconds.get<double>();
}

}  // namespace

std::string to_trace(const Timeline& timeline) {
  Json events = Json::array();
  for (Rank rank = 0; rank < timeline.nodes; ++rank)
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 0},
                      {"tid", rank},
                      {"args", {{"name", fmt::format("node {}", rank)}}}});
  for (const TimedMessage& message : timeline.messages)
    events.push_back({{"name", fmt::format("round {}: {}>{}", message.round + 1, message.from, message.to)},
                      {"cat", "message"},
                      {"ph", "X"},
                      {"pid", 0},
                      {"tid", message.to},
                      {"ts", message.start / microsecond},
                      {"dur", (message.end - message.start) / microsecond},
                      {"args",
                       {{"round", message.round + 1},
                        {"from", message.from},
                        {"to", message.to},
                        {"bytes", message.bytes},
                        {"departure", message.departure / microsecond}}}});
  Json head{{"title", timeline.title}, {"nodes", timeline.nodes}, {"seconds", timeline.seconds}};
  if (!timeline.of.algorithm.empty()) head["algorithm"] = timeline.of.algorithm;
  if (!timeline.of.topology.empty()) head["topology"] = timeline.of.topology;
  if (timeline.of.bytes) head["bytes"] = *timeline.of.bytes;
  if (timeline.of.segments) head["segments"] = *timeline.of.segments;
  if (timeline.of.root) head["root"] = *timeline.of.root;
  const Json trace{
      {"displayTimeUnit", "ns"}, {"otherData", std::move(head)}, {"traceEvents", std::move(events)}};
  return trace.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Timeline timeline_from_trace(std::string_view text) {
  const Json trace = parsed(text);
  Timeline timeline;
  std::size_t number = 0;
  for (const Json& json : events_of(trace)) {
    const Event event{text, json, ++number};
    if (!json.is_object()) event.fail("expected an object");
    const auto category = json.find("cat");
    if (category == json.end() || *category != "message") continue;
    timeline.messages.push_back(event.message());
    const TimedMessage& message = timeline.messages.back();
    if (std::max(message.from, message.to) >= max_schedule_nodes)
      event.fail(fmt::format("there are {} nodes at most", max_schedule_nodes));
    timeline.nodes = std::max({timeline.nodes, message.from + 1, message.to + 1});
  }
  std::ranges::sort(timeline.messages, {}, [](const TimedMessage& message) {
    return std::tuple(message.start, message.round, message.from, message.to);
  });
  double last = 0;
  for (const TimedMessage& message : timeline.messages) last = std::max(last, message.end);
  timeline.seconds = timeline.messages.empty() ? 0 : last - timeline.messages.front().start;
  read_head(trace, timeline);
  return timeline;
}

}  // namespace vnode
