#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>

#include "json/json_place.hpp"

namespace vnode {
namespace {

std::string blocks_text(const Schedule& schedule, Blocks blocks) {
  std::string text;
  for (const Interval& i : schedule.intervals(blocks)) {
    if (!text.empty()) text += ',';
    text += i.size() == 1 ? fmt::format("{}", i.first) : fmt::format("{}-{}", i.first, i.last - 1);
  }
  return text;
}

std::string transfer_text(const Schedule& schedule, const Transfer& t) {
  const std::string_view arrow = t.effect == Effect::replace          ? ">"
                                 : t.effect == Effect::combine_before ? "+>"
                                                                      : ">+";
  std::string text = fmt::format("{}{}{}", t.from, arrow, t.to);
  if (schedule.blocks() == 0 || (t.what == Blocks::whole && t.into == Blocks::whole)) return text;
  text += '[' + blocks_text(schedule, t.what);
  if (t.into != t.what) text += ':' + blocks_text(schedule, t.into);
  return text + ']';
}

std::string rounds_text(const Schedule& schedule, std::string_view separator) {
  std::string text;
  int number = 0;
  for (const Round& round : schedule.rounds()) {
    if (number > 0) text += separator;
    text += fmt::format("{}:", ++number);
    for (const Transfer& transfer : round) text += ' ' + transfer_text(schedule, transfer);
  }
  return text;
}

// Reads the text form from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : all_(text), rest_(text) {}

  Schedule schedule() {
    blank_lines();
    word("nodes");
    const int nodes = size("nodes", 1, max_schedule_nodes);
    word("blocks");
    Schedule result(nodes, size("blocks", 0, max_schedule_blocks));
    for (blank_lines(); !rest_.empty(); blank_lines()) {
      const int expected = static_cast<int>(result.rounds().size()) + 1;
      if (number() != expected || !take(":")) fail(fmt::format("expected \"{}:\", the next round", expected));
      round(result);
    }
    return result;
  }

 private:
  void round(Schedule& schedule) {
    schedule.next_round();
    for (blanks(); !rest_.empty() && rest_[0] != '\n'; blanks()) {
      if (rest_[0] == ',') fail("transfers have blanks between them, as in 0>1 2>3");
      const Transfer transfer = this->transfer(schedule);
      schedule.round(static_cast<int>(schedule.rounds().size()) - 1).push_back(transfer);
    }
  }

  Transfer transfer(Schedule& schedule) {
    Transfer t;
    t.from = rank(schedule);
    if (take("+>"))
      t.effect = Effect::combine_before;
    else if (take(">+"))
      t.effect = Effect::combine_after;
    else if (!take(">"))
      fail("expected \">\", \"+>\" or \">+\", without blanks as in 0>1");
    t.to = rank(schedule);
    if (t.to == t.from) fail(fmt::format("node {} sends to itself", t.to));
    t.what = t.into = schedule.blocks() == 0 ? Blocks::nothing : Blocks::whole;
    if (!take("[")) return t;
    t.what = t.into = blocks(schedule);
    if (take(":")) t.into = blocks(schedule);
    if (!take("]")) fail("expected \"]\"");
    if (schedule.count(t.what) != schedule.count(t.into)) fail("as many blocks go out as come in");
    return t;
  }

  int size(std::string_view what, int least, int most) {
    const std::string_view before = rest_;
    const int value = number();
    if (value < least || value > most) {
      rest_ = before;
      fail(fmt::format("a schedule has {} to {} {}, not {}", least, most, what, value));
    }
    return value;
  }

  Rank rank(const Schedule& schedule) {
    const int rank = number();
    if (rank >= schedule.nodes())
      fail(fmt::format("there is no node {}, the last one is {}", rank, schedule.nodes() - 1));
    return rank;
  }

  Blocks blocks(Schedule& schedule) {
    std::vector<Interval> list;
    int room = schedule.blocks();
    while (!rest_.empty() && rest_[0] != ':' && rest_[0] != ']') {
      const int first = number();
      const int last = take("-") ? number() : first;
      if (schedule.blocks() == 0) fail("there are no blocks, only signals");
      if (last < first || last >= schedule.blocks())
        fail(fmt::format("blocks {}-{} are not all within 0-{}", first, last, schedule.blocks() - 1));
      list.push_back({first, last + 1});
      if (list.back().size() > room)
        fail(fmt::format("more blocks in a list than the {} that there are", schedule.blocks()));
      room -= list.back().size();
      if (!take(",")) break;
    }
    return schedule.blocks_of(list);
  }

  int number() {
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error == std::errc::result_out_of_range) fail("the number is too large");
    if (error != std::errc{} || rest_[0] == '-') fail("expected a number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  void word(std::string_view word) {
    blanks();
    if (!take(word)) fail(fmt::format("expected \"{}\": a schedule begins as in \"nodes 4 blocks 1\"", word));
    blanks();
  }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  // What separates transfers, up to the end of the line: comments, too.
  void blanks() {
    skip_to(rest_.find_first_not_of(" \t\r"));
    if (take("#")) skip_to(rest_.find('\n'));
  }

  void blank_lines() {
    for (blanks(); take("\n"); blanks()) {
    }
  }

  void skip_to(std::size_t at) { rest_.remove_prefix(std::min(at, rest_.size())); }

  [[noreturn]] void fail(const std::string& reason) const {
    const std::string_view read = all_.substr(0, all_.size() - rest_.size());
    const auto line = 1 + std::count(read.begin(), read.end(), '\n');
    const std::size_t start = read.find_last_of('\n');
    throw UsageError(fmt::format("schedule text, line {}, column {}: {}", line,
                                 read.size() - (start == std::string_view::npos ? 0 : start + 1) + 1,
                                 reason));
  }

  std::string_view all_, rest_;
};

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

std::string picture(const Schedule& schedule) { return rounds_text(schedule, "; "); }

std::string to_text(const Schedule& schedule) {
  return fmt::format("nodes {} blocks {}\n{}\n", schedule.nodes(), schedule.blocks(),
                     rounds_text(schedule, "\n"));
}

Schedule schedule_from_text(std::string_view text) { return Reader(text).schedule(); }

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
