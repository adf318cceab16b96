#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/profile.hpp>

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;  // written
using Read = nlohmann::json;          // finds a key without looking at all

[[noreturn]] void fail(const std::string& reason) { throw UsageError("profile JSON" + reason); }

/// The values that make sense.
struct Range {
  double least, most;
  const char* unit;
};
constexpr Range time_range{0, 1, "seconds"}, per_byte_range{0, 1e-3, "seconds per byte"},
    bandwidth_range{1e3, 1e15, "bytes per second"};
constexpr std::size_t most_banks = 4096, longest_text = 1024;

struct Field {
  std::string_view key;
  Quantity PairCosts::*quantity;
  Range range;
};
constexpr std::array<Field, 8> fields{{{"t_s", &PairCosts::t_s, time_range},
                                       {"t_w", &PairCosts::t_w, per_byte_range},
                                       {"L", &PairCosts::L, time_range},
                                       {"o", &PairCosts::o, time_range},
                                       {"g", &PairCosts::g, time_range},
                                       {"G", &PairCosts::G, per_byte_range},
                                       {"t_op", &PairCosts::t_op, per_byte_range},
                                       {"t_put", &PairCosts::t_put, per_byte_range}}};

constexpr std::array origins{Origin::given, Origin::typical, Origin::distances, Origin::measured};

constexpr std::size_t enough = 40;  // bytes of the text in a sentence

/// A key as a sentence shows it: on one line, and not too long.
std::string shown(std::string_view key) {
  std::string text = Json(key).dump(-1, ' ', true);
  text = text.substr(1, text.size() - 2);
  return text.size() > enough ? text.substr(0, enough) + "..." : text;
}

/// The text as JSON; nothing is deeper than a profile is, and no key comes twice.
Read parsed(std::string_view text) try {
  constexpr int deepest = 8;
  std::vector<std::set<std::string>> keys;  // of the objects and arrays that are open
  const auto watch = [&](int depth, Read::parse_event_t event, const Read& value) {
    using Event = Read::parse_event_t;
    if (depth > deepest) fail(fmt::format(": more than {} objects and arrays in each other", deepest));
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
      fail(fmt::format(": \"{}\" is there twice", shown(value.get<std::string>())));
    return true;
  };
  return Read::parse(text, watch);
} catch (const Read::parse_error& error) {
  const std::string_view read =
      text.substr(0, std::min(std::max<std::size_t>(error.byte, 1) - 1, text.size()));
  const std::size_t line_begin = read.find_last_of('\n') + 1;  // 0 on the first line
  fail(fmt::format(", line {}, column {}: this is no JSON", 1 + std::count(read.begin(), read.end(), '\n'),
                   read.size() - line_begin + 1));
} catch (const Read::out_of_range&) {
  fail(": a number is too large");
}

/// A part of the text and the way to it: "pairs.same_l3.t_s".
struct Place {
  const Read& json;
  std::string path;

  [[noreturn]] void wrong(const std::string& expected) const {
    std::string value = json.dump(-1, ' ', true);
    if (value.size() > enough) value = value.substr(0, enough) + "...";
    fail(fmt::format("{}{}: expected {}, not {}", path.empty() ? "" : ", ", path, expected, value));
  }

  Place at(std::string_view key) const {
    const auto found = json.find(key);
    if (found == json.end()) fail(fmt::format(", {}: missing", path_to(key)));
    return {*found, path_to(key)};
  }
  Place at(std::size_t index) const { return {json[index], fmt::format("{}[{}]", path, index)}; }
  std::string path_to(std::string_view key) const {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  }

  template <class Keys>
  void check_object(const Keys& keys) const {
    if (!json.is_object()) wrong("an object");
    for (const auto& item : json.items())
      if (std::ranges::find(keys, item.key()) == std::ranges::end(keys))
        fail(fmt::format(", {}: no such key; there are {}", path_to(shown(item.key())),
                         fmt::join(keys, ", ")));
  }
  std::size_t array_size(std::size_t most) const {
    if (!json.is_array() || json.size() > most) wrong(fmt::format("an array of at most {}", most));
    return json.size();
  }
  std::string text() const {
    if (!json.is_string() || json.get_ref<const std::string&>().size() > longest_text)
      wrong(fmt::format("a text of at most {} bytes", longest_text));
    return json.get<std::string>();
  }
  double number(const Range& range) const {
    const double value = json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(value >= range.least && value <= range.most))
      wrong(fmt::format("{} to {} {}", range.least, range.most, range.unit));
    return value;
  }
  Origin origin() const {
    for (const Origin one : origins)
      if (json == name(one)) return one;
    wrong("given, typical, hwloc distances or measured");
  }
  /// 1e-9, or {"value": 1e-9, "origin": "measured"}.
  Quantity quantity(const Range& range) const {
    if (!json.is_object()) return {number(range), Origin::given};
    check_object(std::array<std::string_view, 2>{"value", "origin"});
    return {at("value").number(range), at("origin").origin()};
  }
  std::optional<Quantity> bandwidth() const {
    return json.is_null() ? std::nullopt : std::optional(quantity(bandwidth_range));
  }
};

Json written(const Quantity& quantity) {
  if (quantity.origin == Origin::given) return quantity.value;
  return {{"value", quantity.value}, {"origin", name(quantity.origin)}};
}

Json written(const std::optional<Quantity>& quantity) { return quantity ? written(*quantity) : Json(); }

Json written(const std::vector<std::optional<Quantity>>& list) {
  Json array = Json::array();
  for (const auto& quantity : list) array.push_back(written(quantity));
  return array;
}

PairCosts read_costs(const Place& place) {
  std::array<std::string_view, fields.size()> keys;
  std::ranges::transform(fields, keys.begin(), &Field::key);
  place.check_object(keys);
  PairCosts costs;
  for (const Field& field : fields) costs.*field.quantity = place.at(field.key).quantity(field.range);
  return costs;
}

std::vector<std::optional<Quantity>> read_bandwidths(const Place& place) {
  std::vector<std::optional<Quantity>> list;
  const std::size_t size = place.array_size(most_banks);
  for (std::size_t i = 0; i < size; ++i) list.push_back(place.at(i).bandwidth());
  return list;
}

void read_links(MachineProfile& profile, const Place& place) {
  const std::size_t banks = profile.banks.size();
  const std::size_t rows = place.array_size(most_banks);
  if (rows != 0 && rows != banks) place.wrong(fmt::format("a row for each of the {} banks, or none", banks));
  for (std::size_t i = 0; i < rows; ++i) {
    const Place row = place.at(i);
    if (row.array_size(most_banks) != banks)
      row.wrong(fmt::format("{} bandwidths, one for each bank", banks));
    profile.links.push_back(read_bandwidths(row));
    if (profile.links.back()[i]) row.at(i).wrong("null: a bank has no link to itself");
  }
}

}  // namespace

std::string to_json(const MachineProfile& profile) {
  Json pairs = Json::object();
  for (const PairClass one : pair_classes())
    if (const auto& costs = profile.pairs[static_cast<std::size_t>(one)])
      for (const Field& field : fields)
        pairs[std::string(name(one))][std::string(field.key)] = written((*costs).*field.quantity);
  Json links = Json::array();
  for (const auto& row : profile.links) links.push_back(written(row));
  const Json json{{"name", profile.name}, {"machine", profile.machine},      {"when", profile.when},
                  {"pairs", pairs},       {"banks", written(profile.banks)}, {"links", links}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

MachineProfile profile_from_json(std::string_view text) {
  const Read json = parsed(text);
  const Place top{json, ""};
  top.check_object(std::array<std::string_view, 6>{"name", "machine", "when", "pairs", "banks", "links"});
  MachineProfile profile{
      .name = top.at("name").text(), .machine = top.at("machine").text(), .when = top.at("when").text()};
  const Place pairs = top.at("pairs");
  std::array<std::string_view, pair_class_count> classes;
  std::ranges::transform(pair_classes(), classes.begin(), [](PairClass one) { return name(one); });
  pairs.check_object(classes);
  if (pairs.json.empty()) pairs.wrong("at least one class of pairs");
  for (const PairClass one : pair_classes())
    if (pairs.json.contains(name(one)))
      profile.pairs[static_cast<std::size_t>(one)] = read_costs(pairs.at(name(one)));
  profile.banks = read_bandwidths(top.at("banks"));
  read_links(profile, top.at("links"));
  return profile;
}

}  // namespace vnode
