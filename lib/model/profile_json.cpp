#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/profile.hpp>

#include "base/at.hpp"
#include "json/json_place.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

/// The values that make sense.
constexpr NumberBounds time_range{0, 1, "seconds"}, per_byte_range{0, 1e-3, "seconds per byte"},
    length_range{0, 1e12, "bytes"}, bandwidth_range{1e3, 1e15, "bytes per second"};
constexpr NumberBounds tuned_time_range{1e-12, 1e6, "seconds"};
constexpr std::size_t most_banks = 4096, longest_text = 1024, most_points = 100'000, most_pus = 4096,
                      longest_row = std::size_t{1} << 17;
constexpr int most_nodes = 1 << 20;

struct Field {
  std::string_view key;
  Quantity PairCosts::*quantity;
  NumberBounds range;
};
constexpr std::array<Field, 10> fields{{{"t_s", &PairCosts::t_s, time_range},
                                        {"t_w", &PairCosts::t_w, per_byte_range},
                                        {"L", &PairCosts::L, time_range},
                                        {"o", &PairCosts::o, time_range},
                                        {"g", &PairCosts::g, time_range},
                                        {"G", &PairCosts::G, per_byte_range},
                                        {"t_op", &PairCosts::t_op, per_byte_range},
                                        {"t_put", &PairCosts::t_put, per_byte_range},
                                        {"eager_to", &PairCosts::eager_to, length_range},
                                        {"shared_from", &PairCosts::shared_from, length_range}}};

Json written(const Quantity& quantity) {
  if (quantity.origin == Origin::given) return quantity.value;
  return {{"value", quantity.value}, {"origin", enums::name(quantity.origin)}};
}

Json written(const std::optional<Quantity>& quantity) { return quantity ? written(*quantity) : Json(); }

Json written(const std::vector<std::optional<Quantity>>& list) {
  Json array = Json::array();
  for (const auto& quantity : list) array.push_back(written(quantity));
  return array;
}

Origin read_origin(const JsonPlace& place) {
  const std::string text = place.is_text() ? place.text(longest_text) : "";
  for (const Origin one :
       {Origin::given, Origin::typical, Origin::distances, Origin::measured, Origin::latencies})
    if (text == enums::name(one)) return one;
  place.refuse("given, typical, hwloc distances, measured or latencies");
}

/// Reads 1e-9, or {"value": 1e-9, "origin": "measured"}.
Quantity read_quantity(const JsonPlace& place, NumberBounds range) {
  if (!place.is_object()) return {place.number(range), Origin::given};
  place.check_object({"value", "origin"});
  return {place.at("value").number(range), read_origin(place.at("origin"))};
}

PairCosts read_costs(const JsonPlace& place) {
  std::vector<std::string_view> keys;
  for (const Field& field : fields) keys.push_back(field.key);
  place.check_object(keys);
  PairCosts costs;
  for (const Field& field : fields) {
    const bool length = field.range.unit == length_range.unit;  // files of before have none: the typical one
    if (!length || place.has(field.key))
      costs.*field.quantity = read_quantity(place.at(field.key), field.range);
  }
  return costs;
}

std::size_t banks_in(const JsonPlace& place) {
  if (place.size() > most_banks) place.fail(fmt::format("{} banks, {} at most", place.size(), most_banks));
  return place.size();
}

std::vector<std::optional<Quantity>> read_bandwidths(const JsonPlace& place) {
  std::vector<std::optional<Quantity>> list;
  const std::size_t size = banks_in(place);
  for (std::size_t i = 0; i < size; ++i) {
    const JsonPlace one = place.at(i);
    list.push_back(one.is_null() ? std::nullopt : std::optional(read_quantity(one, bandwidth_range)));
  }
  return list;
}

void read_links(MachineProfile& profile, const JsonPlace& place) {
  const std::size_t banks = profile.banks.size();
  const std::size_t rows = banks_in(place);
  if (rows != 0 && rows != banks) place.refuse(fmt::format("a row for each of the {} banks, or none", banks));
  for (std::size_t i = 0; i < rows; ++i) {
    const JsonPlace row = place.at(i);
    if (banks_in(row) != banks) row.refuse(fmt::format("{} bandwidths, one for each bank", banks));
    profile.links.push_back(read_bandwidths(row));
    if (profile.links.back()[i]) row.at(i).refuse("null: a bank has no link to itself");
  }
}

Collective read_collective(const JsonPlace& place) {
  const std::string text = place.text(longest_text);
  for (const Collective one : collectives())
    if (text == enums::name(one)) return one;
  place.refuse("the name of a collective");
}

std::vector<TunedPoint> read_tuned(const JsonPlace& place) {
  if (place.size() > most_points) place.fail(fmt::format("{} points, {} at most", place.size(), most_points));
  std::vector<TunedPoint> points;
  for (std::size_t i = 0; i < place.size(); ++i) {
    const JsonPlace one = place.at(i);
    one.check_object({"collective", "nodes", "share_pus", "bytes", "seconds"});
    TunedPoint& point = points.emplace_back(
        TunedPoint{.collective = read_collective(one.at("collective")),
                   .nodes = static_cast<int>(one.at("nodes").whole_number({1, most_nodes, "nodes"})),
                   .share_pus = one.at("share_pus").truth(),
                   .bytes = static_cast<std::size_t>(one.at("bytes").number(length_range))});
    const JsonPlace times = one.at("seconds");
    for (const std::string& algorithm : times.keys())
      point.seconds.emplace(algorithm, times.at(algorithm).number(tuned_time_range));
  }
  return points;
}

/// Reads ["", "5.9e-08", "6.1e-08,4.4e-08"]: a row of seconds for each PU, to those before it.
Latencies read_latencies(const JsonPlace& place) {
  if (place.size() > most_pus) place.fail(fmt::format("{} PUs, {} at most", place.size(), most_pus));
  Latencies latencies;
  for (std::size_t i = 0; i < place.size(); ++i) {
    const std::string text = place.at(i).text(longest_row);
    std::vector<double>& row = latencies.below.emplace_back();
    const char* const end = text.data() + text.size();
    for (const char* next = text.data(); next < end; ++next) {  // behind a comma
      double& value = row.emplace_back(0);
      const auto [rest, error] = std::from_chars(next, end, value);
      next = rest;
      if (error != std::errc{} || (next < end && *next != ',') || !(value >= 0 && value <= 1)) row.clear();
      if (row.empty()) break;
    }
    if (row.size() != i) place.at(i).refuse(fmt::format("{} numbers of seconds, 0 to 1, by commas", i));
  }
  return latencies;
}

Json written(const std::optional<Latencies>& latencies) {
  if (!latencies) return Json();
  Json rows = Json::array();
  for (const std::vector<double>& row : latencies->below)
    rows.push_back(fmt::format("{}", fmt::join(row, ",")));
  return rows;
}

Json written(const std::vector<TunedPoint>& points) {
  Json array = Json::array();
  for (const TunedPoint& point : points)
    array.push_back({{"collective", enums::name(point.collective)},
                     {"nodes", point.nodes},
                     {"share_pus", point.share_pus},
                     {"bytes", point.bytes},
                     {"seconds", point.seconds}});
  return array;
}

}  // namespace

std::string to_json(const MachineProfile& profile) {
  Json pairs = Json::object();
  for (const PairClass one : pair_classes())
    if (const auto& costs = at(profile.pairs, one))
      for (const Field& field : fields)
        pairs[std::string(enums::name(one))][std::string(field.key)] = written((*costs).*field.quantity);
  Json links = Json::array();
  for (const auto& row : profile.links) links.push_back(written(row));
  const Json json{{"name", profile.name},
                  {"machine", profile.machine},
                  {"when", profile.when},
                  {"remark", profile.remark},
                  {"pairs", pairs},
                  {"banks", written(profile.banks)},
                  {"links", links},
                  {"latencies", written(profile.latencies)},
                  {"tuned", written(profile.tuned)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

MachineProfile profile_from_json(std::string_view text) {
  const JsonPlace top = JsonPlace::parse(text, "profile JSON");
  top.check_object({"name", "machine", "when", "remark", "pairs", "banks", "links", "latencies", "tuned"});
  MachineProfile profile{.name = top.at("name").text(longest_text),
                         .machine = top.at("machine").text(longest_text),
                         .when = top.at("when").text(longest_text)};
  // Files of before have neither remarks nor latencies nor tuned times.
  if (top.has("remark")) profile.remark = top.at("remark").text(longest_text);
  if (top.has("latencies") && !top.at("latencies").is_null())
    profile.latencies = read_latencies(top.at("latencies"));
  if (top.has("tuned")) profile.tuned = read_tuned(top.at("tuned"));
  const JsonPlace pairs = top.at("pairs");
  std::vector<std::string_view> classes;
  for (const PairClass one : pair_classes()) classes.push_back(enums::name(one));
  pairs.check_object(classes);
  for (const PairClass one : pair_classes())
    if (pairs.has(enums::name(one))) at(profile.pairs, one) = read_costs(pairs.at(enums::name(one)));
  const auto of_the_machine = std::span(profile.pairs).first(pair_class_count - 1);
  if (std::ranges::none_of(of_the_machine, [](const auto& costs) { return costs.has_value(); }))
    pairs.refuse("at least one class of pairs of a machine");
  profile.banks = read_bandwidths(top.at("banks"));
  read_links(profile, top.at("links"));
  return profile;
}

}  // namespace vnode
