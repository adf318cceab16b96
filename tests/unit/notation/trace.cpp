#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <vnode/error.hpp>
#include <vnode/model/timeline.hpp>

using namespace vnode;
using Json = nlohmann::json;

namespace {

const Timeline relay{
    .title = "relay \"x\"",
    .nodes = 4,
    .seconds = 3.25e-3,
    .messages = {{.round = 0, .from = 0, .to = 1, .bytes = 8, .start = 0, .departure = 1e-9, .end = 1.7e-6},
                 {.round = 1,
                  .from = 1,
                  .to = 2,
                  .bytes = std::size_t{1} << 40,
                  .start = 1.234567891,
                  .departure = 1.234567891,
                  .end = 3.000000001}},
    .of = {.algorithm = "broadcast_linear", .topology = "ring", .bytes = 8, .segments = 3, .root = 2}};

std::string trace_refusal(std::string_view text) {
  try {
    timeline_from_trace(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

// Returns a trace of one event, changed.
std::string changed(const char* path, const Json& value) {
  Json json = Json::parse(R"({"traceEvents":[{"name":"m","cat":"message","ph":"X","ts":5,"dur":2,"tid":1,
    "args":{"round":1,"from":0,"to":1,"bytes":4}}]})");
  json["traceEvents"][0][Json::json_pointer(path)] = value;
  return json.dump();
}

void check_near(const Timeline& found, const Timeline& wanted) {
  CHECK(found.title == wanted.title);
  CHECK(found.nodes == wanted.nodes);
  CHECK(found.of == wanted.of);
  CHECK(found.seconds == wanted.seconds);
  REQUIRE(found.messages.size() == wanted.messages.size());
  for (std::size_t i = 0; i < found.messages.size(); ++i) {
    const TimedMessage &a = found.messages[i], &b = wanted.messages[i];
    CHECK(a.round == b.round);
    CHECK(a.from == b.from);
    CHECK(a.to == b.to);
    CHECK(a.bytes == b.bytes);
    for (const auto time : {&TimedMessage::start, &TimedMessage::departure, &TimedMessage::end})
      CHECK(std::abs(a.*time - b.*time) < 1e-12);
  }
}

}  // namespace

TEST_CASE("traces round-trip, to less than a nanosecond") {
  check_near(timeline_from_trace(to_trace(relay)), relay);
  const Timeline idle{.title = "", .nodes = 3, .seconds = 0, .messages = {}};
  CHECK(timeline_from_trace(to_trace(idle)) == idle);
}

TEST_CASE("a trace is what Chrome and Perfetto expect") {
  const Json json = Json::parse(to_trace(relay));
  CHECK(json["displayTimeUnit"] == "ns");
  const Json& event = json["traceEvents"][4];
  CHECK(event["ph"] == "X");
  CHECK(event["tid"] == 1);
  CHECK(event["ts"] == 0.0);
  CHECK(event["dur"].get<double>() == doctest::Approx(1.7));
  CHECK(event["args"]["bytes"] == 8);
  CHECK(event["args"]["round"] == 1);
  CHECK(json["traceEvents"][3]["args"]["name"] == "node 3");
}

TEST_CASE("events of other categories, and what else a trace may say, are skipped") {
  const Timeline run = timeline_from_trace(
      R"([{"ph":"B","cat":"activity","name":"combine","tid":2,"ts":-4},{"name":"x"},
          {"cat":"message","ph":"X","ts":7,"dur":1,"pid":9,"args":{"round":3,"from":3,"to":0,"bytes":0,"more":[]}},
          {"cat":"message","ph":"X","ts":2,"dur":4,"args":{"round":2,"from":0,"to":3,"bytes":1}}])");
  CHECK(run.nodes == 4);
  CHECK(run.seconds == doctest::Approx(6e-6));
  REQUIRE(run.messages.size() == 2);
  CHECK(run.messages[0].round == 1);
  CHECK(run.messages[1].start == run.messages[1].departure);
}

TEST_CASE("what is wrong with a trace is said, with the event or the line") {
  CHECK(trace_refusal("") ==
        "trace, line 1, column 1: the text is not JSON, expected '[', '{', or a literal");
  CHECK(trace_refusal("{\n\"a\": [1,\n2,]}") ==
        "trace, line 3, column 3: not JSON at \"2,]\", expected '[', '{', or a literal");
  CHECK(trace_refusal("\xff").starts_with("trace, line 1, column 1: "));
  CHECK(trace_refusal("1e999") == "trace, line 1, column 5: the number 1e999 is too large");
  CHECK(trace_refusal("7") == "trace: expected an object with \"traceEvents\"");
  CHECK(trace_refusal("{}") == "trace: \"traceEvents\" is missing");
  CHECK(trace_refusal(R"({"traceEvents":{}})") == "trace: \"traceEvents\" is {}, expected an array");
  CHECK(trace_refusal("[3]") == "trace, event 1 on line 1: expected an object");
  CHECK(trace_refusal(changed("/ts", 5)) == "accepted");
  CHECK(trace_refusal(changed("/ts", "x")) ==
        "trace, event 1 on line 1 (\"m\"): \"ts\" is \"x\", expected microseconds, 0 or more");
  CHECK(trace_refusal(changed("/dur", -1)) ==
        "trace, event 1 on line 1 (\"m\"): \"dur\" is -1, expected microseconds, 0 or more");
  CHECK(trace_refusal(changed("/ph", "B")) ==
        "trace, event 1 on line 1 (\"m\"): a message is a complete event, \"ph\": \"X\"");
  CHECK(trace_refusal(changed("/args", 3)) ==
        "trace, event 1 on line 1 (\"m\"): \"args\" is 3, expected an object");
  CHECK(trace_refusal(changed("/args/from", -1)) ==
        "trace, event 1 on line 1 (\"m\"): \"from\" is -1, expected a whole number from 0 to 2147483647");
  CHECK(trace_refusal(changed("/args/to", 2147483647)) ==
        "trace, event 1 on line 1 (\"m\"): there are 1048576 nodes at most");
  CHECK(trace_refusal(changed("/args/round", 0)) ==
        "trace, event 1 on line 1 (\"m\"): \"round\" is 0, the first round is 1");
  CHECK(trace_refusal(changed("/args/round", 1.5))
            .starts_with("trace, event 1 on line 1 (\"m\"): \"round\" is 1.5, expected"));
  CHECK(trace_refusal(changed("/args/to", 0)) == "trace, event 1 on line 1 (\"m\"): node 0 sends to itself");
  CHECK(trace_refusal(changed("/args/round", 2000000000)).ends_with("expected at most 16777216"));
  CHECK(
      trace_refusal(
          "{\"a\": [[1], \"],\\\"[\"],\n\"traceEvents\": [\n{\"args\": [1,2]},\n\n{\"name\":\"[,\"}, 7]}") ==
      "trace, event 3 on line 5: expected an object");
  CHECK(trace_refusal("\n[\n\n7]") == "trace, event 1 on line 4: expected an object");
  CHECK(trace_refusal(changed("/args/departure", 9)) ==
        "trace, event 1 on line 1 (\"m\"): \"departure\" is not within the event");
  CHECK(trace_refusal(R"({"otherData":{"nodes":1},"traceEvents":[{"cat":"message","ph":"X","ts":0,"dur":0,)"
                      R"("args":{"round":1,"from":0,"to":1,"bytes":0}}]})") ==
        "trace: \"nodes\" is 1, but there is a node 1");
  CHECK(trace_refusal(R"({"otherData":[],"traceEvents":[]})") == "trace: \"otherData\" is no object");
  CHECK(trace_refusal(R"([{"cat":"message","name":")" + std::string(500, 'a') + "\"}]").size() < 150);
}
