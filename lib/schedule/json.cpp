#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vnode/error.hpp>
#include <vnode/notation.hpp>

namespace vnode {

namespace {

using Json = nlohmann::ordered_json;

Json numbers(const Schedule& schedule, Blocks blocks) {
  Json list = Json::array();
  for (const Interval& interval : schedule.intervals(blocks))
    for (int block = interval.first; block < interval.last; ++block) list.push_back(block);
  return list;
}

Json written(const Schedule& schedule, const Transfer& t) {
  Json json{{"from", t.from}, {"to", t.to}, {"blocks", numbers(schedule, t.what)}};
  if (t.into != t.what) json["into"] = numbers(schedule, t.into);
  json["effect"] = name(t.effect);
  return json;
}

// A part of the document and how a person finds it: "round 2, transfer 1".
struct Place {
  const Json& json;
  std::string where;

  [[noreturn]] void fail(std::string_view reason) const {
    throw UsageError(fmt::format("schedule JSON, {}: {}", where, reason));
  }

  const Json& key(const char* name) const {
    if (!json.is_object()) fail("expected an object");
    const auto at = json.find(name);
    if (at == json.end()) fail(fmt::format("\"{}\" is missing", name));
    return *at;
  }

  // The integer at `name`, at least `least` and below `end`.
  int integer(const char* name, int least, int end) const { return integer(key(name), name, least, end); }

  int integer(const Json& value, const char* name, int least, int end) const {
    if (!value.is_number_integer() || value < least || value >= end)
      fail(fmt::format("\"{}\" is {}, expected a number from {} to {}", name, value.dump(), least, end - 1));
    return value.get<int>();
  }

  const Json& array(const char* name) const {
    const Json& value = key(name);
    if (!value.is_array()) fail(fmt::format("\"{}\" is {}, expected an array", name, value.dump()));
    return value;
  }

  Effect effect() const {
    const Json& value = key("effect");
    for (const Effect effect : {Effect::replace, Effect::combine_before, Effect::combine_after})
      if (value == name(effect)) return effect;
    fail(fmt::format("\"effect\" is {}, expected replace, combine_before or combine_after", value.dump()));
  }

  Blocks blocks(const char* name, Schedule& schedule) const {
    std::vector<Interval> list;
    for (const Json& block : array(name)) {
      const int index = integer(block, name, 0, schedule.blocks());
      list.push_back({index, index + 1});
    }
    return schedule.blocks_of(list);
  }
};

Transfer read(const Place& place, Schedule& schedule) {
  const Blocks what = place.blocks("blocks", schedule);
  const Blocks into = place.json.contains("into") ? place.blocks("into", schedule) : what;
  if (schedule.count(what) != schedule.count(into)) place.fail("\"into\" and \"blocks\" differ in length");
  return {place.integer("from", 0, schedule.nodes()), place.integer("to", 0, schedule.nodes()), what, into,
          place.effect()};
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
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw UsageError("schedule JSON: the text is not JSON");
  const Place top{json, "top level"};
  constexpr int many = 1 << 30;
  Schedule schedule(top.integer("nodes", 1, many), top.integer("blocks", 0, many));
  int number = 0;
  for (const Json& round : top.array("rounds")) {
    ++number;
    if (!round.is_array()) top.fail(fmt::format("round {} is {}, expected an array", number, round.dump()));
    schedule.next_round();
    int index = 0;
    for (const Json& transfer : round) {
      const Transfer t = read({transfer, fmt::format("round {}, transfer {}", number, ++index)}, schedule);
      schedule.round(number - 1).push_back(t);
    }
  }
  return schedule;
}

}  // namespace vnode
