#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>

#include "json/json_place.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;
// An ordered object of many keys takes quadratic time to read.
using Read = nlohmann::json;

Json numbers(const Schedule& schedule, Blocks blocks) {
  Json list = Json::array();
  for (const Interval& interval : schedule.intervals(blocks))
    for (int block = interval.first; block < interval.last; ++block) list.push_back(block);
  return list;
}

Json written(const Schedule& schedule, const Transfer& t) {
  Json json{{"from", t.from}, {"to", t.to}, {"blocks", numbers(schedule, t.what)}};
  if (t.into != t.what) json["into"] = numbers(schedule, t.into);
  json["effect"] = enums::name(t.effect);
  return json;
}

// The beginning of a value that was not expected.
std::string shown(const Read& value) {
  if (value.is_array()) return "an array";
  if (value.is_object()) return "an object";
  constexpr std::size_t enough = 40;
  std::string text = value.dump(-1, ' ', true);  // ASCII only: it may be cut anywhere
  if (text.size() > enough) text.replace(enough, text.npos, "...");
  return text;
}

// A part of the document and how a person finds it: "round 2, transfer 1".
struct Place {
  const Read& json;
  std::string where;

  [[noreturn]] void fail(std::string_view reason) const {
    throw UsageError(fmt::format("schedule JSON, {}: {}", where, reason));
  }

  const Read& key(const char* name) const {
    if (!json.is_object()) fail("expected an object");
    const auto at = json.find(name);
    if (at == json.end()) fail(fmt::format("\"{}\" is missing", name));
    return *at;
  }

  // The integer at `name`, at least `least` and below `end`.
  int integer(const char* name, int least, int end) const { return integer(key(name), name, least, end); }

  int integer(const Read& value, const char* name, int least, int end) const {
    if (!value.is_number_integer() || value < least || value >= end) {
      if (end <= least) fail(fmt::format("\"{}\" names a block, and there are none", name));
      fail(fmt::format("\"{}\" is {}, expected a number from {} to {}", name, shown(value), least, end - 1));
    }
    return value.get<int>();
  }

  const Read& array(const char* name) const {
    const Read& value = key(name);
    if (!value.is_array()) fail(fmt::format("\"{}\" is {}, expected an array", name, shown(value)));
    return value;
  }

  Effect effect() const {
    const Read& value = key("effect");
    for (const Effect effect : {Effect::replace, Effect::combine_before, Effect::combine_after})
      if (value == enums::name(effect)) return effect;
    fail(fmt::format("\"effect\" is {}, expected replace, combine_before or combine_after", shown(value)));
  }

  Blocks blocks(const char* name, Schedule& schedule) const {
    std::vector<Interval> list;
    for (const Read& block : array(name)) {
      const int index = integer(block, name, 0, schedule.blocks());
      list.push_back({index, index + 1});
      if (std::ssize(list) > schedule.blocks())
        fail(fmt::format("\"{}\" has more blocks than the {} that there are", name, schedule.blocks()));
    }
    return schedule.blocks_of(list);
  }
};

Transfer read(const Place& place, Schedule& schedule) {
  const Blocks what = place.blocks("blocks", schedule);
  const Blocks into = place.json.contains("into") ? place.blocks("into", schedule) : what;
  if (schedule.count(what) != schedule.count(into)) place.fail("\"into\" and \"blocks\" differ in length");
  const Rank from = place.integer("from", 0, schedule.nodes()), to = place.integer("to", 0, schedule.nodes());
  if (from == to) place.fail(fmt::format("node {} sends to itself", from));
  return {from, to, what, into, place.effect()};
}

}  // namespace

std::string to_json(const Schedule& schedule) {
  Json rounds = Json::array();
  for (const Round& round : schedule.rounds()) {
    Json& transfers = rounds.emplace_back(Json::array());
    for (const Transfer& transfer : round) transfers.push_back(written(schedule, transfer));
  }
  return Json{{"nodes", schedule.nodes()}, {"blocks", schedule.blocks()}, {"rounds", std::move(rounds)}}
      .dump();
}

Schedule schedule_from_json(std::string_view text) {
  check_json(text, "schedule JSON");
  const Read json = Read::parse(text);
  const Place top{json, "top level"};
  Schedule schedule(top.integer("nodes", 1, max_schedule_nodes + 1),
                    top.integer("blocks", 0, max_schedule_blocks + 1));
  int number = 0;
  for (const Read& round : top.array("rounds")) {
    ++number;
    if (!round.is_array()) top.fail(fmt::format("round {} is {}, expected an array", number, shown(round)));
    schedule.next_round();
    int index = 0;
    for (const Read& transfer : round) {
      const Transfer t = read({transfer, fmt::format("round {}, transfer {}", number, ++index)}, schedule);
      schedule.round(number - 1).push_back(t);
    }
  }
  return schedule;
}

}  // namespace vnode
