#include <doctest/doctest.h>
#include <string>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>

using namespace vnode;

namespace {

Schedule everything() {
  Schedule schedule(5, 6);
  schedule.next_round() = {{0, 1, Blocks::whole}, {2, 1, Blocks::whole, Effect::combine_before}};
  schedule.next_round();
  const Interval list[] = {{4, 6}, {0, 1}};
  const Blocks scattered = schedule.blocks_of(list), plain = schedule.interval(1, 4);
  schedule.next_round() = {
      {3, 4, scattered, plain, Effect::combine_after}, {1, 0, Blocks::nothing}, {4, 3, plain}};
  return schedule;
}

std::string refusal(Schedule (*read)(std::string_view), std::string_view text) {
  try {
    read(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("the pen writes rounds as the book's tables do") {
  CHECK(picture(everything()) == "1: 0>1 2+>1; 2:; 3: 3>+4[4-5,0:1-3] 1>0[] 4>3[1-3]");
  CHECK(to_text(everything()) == "nodes 5 blocks 6\n1: 0>1 2+>1\n2:\n3: 3>+4[4-5,0:1-3] 1>0[] 4>3[1-3]\n");
}

TEST_CASE("text and JSON forms round-trip") {
  Schedule signals(3, 0);
  signals.next_round() = {{0, 1, Blocks::nothing}, {1, 2, Blocks::nothing}};
  for (const Schedule& schedule : {everything(), signals, Schedule(1, 1), Schedule(4, 0)}) {
    CHECK(schedule_from_text(to_text(schedule)) == schedule);
    CHECK(schedule_from_json(to_json(schedule)) == schedule);
  }
}

TEST_CASE("JSON names every field, and `into` only where it differs") {
  Schedule schedule(2, 3);
  schedule.next_round() = {{0, 1, schedule.interval(0, 2)},
                           {1, 0, schedule.block(0), schedule.block(2), Effect::combine_before}};
  CHECK(to_json(schedule) ==
        R"({"nodes":2,"blocks":3,"rounds":[[{"from":0,"to":1,"blocks":[0,1],"effect":"replace"},)"
        R"({"from":1,"to":0,"blocks":[0],"into":[2],"effect":"combine_before"}]]})");
}

TEST_CASE("JSON may say more than a schedule needs") {
  const Schedule schedule = schedule_from_json(
      R"({"algorithm":"x","root":0,"nodes":2,"blocks":1,"rounds":[[{"from":0,"to":1,"blocks":[0],"effect":"replace"}]]})");
  CHECK(picture(schedule) == "1: 0>1");
}

TEST_CASE("wrong text is refused with its place") {
  const auto text = [](std::string_view t) { return refusal(schedule_from_text, t); };
  CHECK(text("") ==
        "schedule text, line 1, column 1: expected \"nodes\": a schedule begins as in \"nodes 4 blocks 1\"");
  CHECK(text("nodes 2 blocks 1\n2: 0>1") ==
        "schedule text, line 2, column 2: expected \"1:\", the next round");
  CHECK(text("nodes 2 blocks 1\n1: 0>2") ==
        "schedule text, line 2, column 7: there is no node 2, the last one is 1");
  CHECK(text("nodes 2 blocks 1\n1: 0>1\n2: 1+>1") ==
        "schedule text, line 3, column 8: node 1 sends to itself");
  CHECK(text("nodes 2 blocks 1\n1: 0=1") ==
        "schedule text, line 2, column 5: expected \">\", \"+>\" or \">+\", without blanks as in 0>1");
  CHECK(text("nodes 2 blocks 3\n1: 0>1[1-3]") ==
        "schedule text, line 2, column 11: blocks 1-3 are not all within 0-2");
  CHECK(text("nodes 2 blocks 3\n1: 0>1[0:1-2]") ==
        "schedule text, line 2, column 14: as many blocks go out as come in");
  CHECK(text("nodes 2 blocks 3\n1: 0>1[0") == "schedule text, line 2, column 9: expected \"]\"");
  CHECK(text("nodes 0 blocks 3") ==
        "schedule text, line 1, column 7: a schedule has 1 to 1048576 nodes, not 0");
  CHECK(text("nodes 99999999999 blocks 3") == "schedule text, line 1, column 7: the number is too large");
  CHECK(text("nodes 4") ==
        "schedule text, line 1, column 8: expected \"blocks\": a schedule begins as in \"nodes 4 blocks 1\"");
  CHECK(text("nodes 4 blocks 1\n1: 0>1, 2>3") ==
        "schedule text, line 2, column 7: transfers have blanks between them, as in 0>1 2>3");
  CHECK(text("nodes 2 blocks 1\n1: 0>-0") == "schedule text, line 2, column 6: expected a number");
}

TEST_CASE("a text that asks for too much is refused before memory is asked for") {
  const auto text = [](std::string_view t) { return refusal(schedule_from_text, t); };
  CHECK(text("nodes 2000000000 blocks 5") ==
        "schedule text, line 1, column 7: a schedule has 1 to 1048576 nodes, not 2000000000");
  CHECK(text("nodes 2 blocks 20000000") ==
        "schedule text, line 1, column 16: a schedule has 0 to 16777216 blocks, not 20000000");
  CHECK(text("nodes 2 blocks 3\n1: 0>1[0-1,0-1]") ==
        "schedule text, line 2, column 15: more blocks in a list than the 3 that there are");
  CHECK(text("nodes 2 blocks 0\n1: 0>1[0]") ==
        "schedule text, line 2, column 9: there are no blocks, only signals");
  CHECK(refusal(schedule_from_json, R"({"nodes":2000000000,"blocks":5,"rounds":[]})") ==
        "schedule JSON, top level: \"nodes\" is 2000000000, expected a number from 1 to 1048576");
}

TEST_CASE("the text form takes comments, blank lines, tabs and other systems' line ends") {
  const Schedule schedule = schedule_from_text(
      "# a chain\r\n\n  nodes 3 blocks 1 # one piece\r\n\n1:\t0>1 # first\n# now\n2: 1>2#");
  CHECK(picture(schedule) == "1: 0>1; 2: 1>2");
  CHECK(
      refusal(schedule_from_text, "# a\nnodes 2 # blocks 1") ==
      "schedule text, line 2, column 19: expected \"blocks\": a schedule begins as in \"nodes 4 blocks 1\"");
}

TEST_CASE("wrong JSON is refused with round, transfer and key") {
  const auto json = [](std::string_view t) { return refusal(schedule_from_json, t); };
  const auto transfer = [&](const std::string& t) {
    return json(R"({"nodes":2,"blocks":2,"rounds":[[],[)" + t + "]]}");
  };
  CHECK(json("{") == "schedule JSON, line 1, column 2: not JSON at \"{\", expected string literal");
  CHECK(json("{\"nodes\": 2,\n \"blocks\":, 3}") ==
        "schedule JSON, line 2, column 11: not JSON at \"\"blocks\":,\", expected '[', '{', or a literal");
  CHECK(json(std::string(100, '[')) == "schedule JSON: more than 64 arrays and objects in each other");
  CHECK(json(R"({"nodes":[[]],"blocks":1})") ==
        "schedule JSON, top level: \"nodes\" is an array, expected a number from 1 to 1048576");
  CHECK(json("[]") == "schedule JSON, top level: expected an object");
  CHECK(json(R"({"blocks":1,"rounds":[]})") == "schedule JSON, top level: \"nodes\" is missing");
  CHECK(json(R"({"nodes":2,"blocks":1,"rounds":[7]})") ==
        "schedule JSON, top level: round 1 is 7, expected an array");
  CHECK(transfer("{}") == "schedule JSON, round 2, transfer 1: \"blocks\" is missing");
  CHECK(transfer(R"({"from":2,"to":1,"blocks":[0],"effect":"replace"})") ==
        "schedule JSON, round 2, transfer 1: \"from\" is 2, expected a number from 0 to 1");
  CHECK(transfer(R"({"from":1,"to":1,"blocks":[0],"effect":"replace"})") ==
        "schedule JSON, round 2, transfer 1: node 1 sends to itself");
  CHECK(transfer(R"({"from":0,"to":1,"blocks":[2],"effect":"replace"})") ==
        "schedule JSON, round 2, transfer 1: \"blocks\" is 2, expected a number from 0 to 1");
  CHECK(transfer(R"({"from":0,"to":1,"blocks":[1],"into":[0,1],"effect":"replace"})") ==
        "schedule JSON, round 2, transfer 1: \"into\" and \"blocks\" differ in length");
  CHECK(transfer(R"({"from":0,"to":1,"blocks":[1],"effect":"add"})") ==
        "schedule JSON, round 2, transfer 1: \"effect\" is \"add\", expected replace, combine_before or "
        "combine_after");
  CHECK(transfer(R"({"from":99999999999,"to":1,"blocks":[0],"effect":"replace"})") ==
        "schedule JSON, round 2, transfer 1: \"from\" is 99999999999, expected a number from 0 to 1");
}
