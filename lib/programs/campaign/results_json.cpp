#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vnode/error.hpp>
#include <vnode/version.hpp>

#include "campaign/results.hpp"
#include "json/json_place.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

constexpr NumberBounds seconds{0, 1e300}, counts{0, 1e15}, factors{0, 1e300}, small_counts{0, 1 << 30};

std::size_t count_of(const JsonPlace& place) { return static_cast<std::size_t>(place.whole_number(counts)); }
int small_count_of(const JsonPlace& place) { return static_cast<int>(place.whole_number(small_counts)); }

std::vector<std::string> texts_of(const JsonPlace& place) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < place.size(); ++i) list.push_back(place.at(i).text());
  return list;
}

MachineRecord machine_of(const JsonPlace& place) {
  place.check_object({"source", "model", "digest", "banks", "cores", "pus", "measured"});
  return {.source = place.at("source").text(),
          .model = place.at("model").text(),
          .digest = place.at("digest").text(),
          .banks = small_count_of(place.at("banks")),
          .cores = small_count_of(place.at("cores")),
          .pus = small_count_of(place.at("pus")),
          .measured = place.at("measured").truth()};
}

CostRecord costs_of(const JsonPlace& place) {
  place.check_object({"t_s", "t_w", "t_op", "source", "bank_bandwidth", "bandwidth_source", "digest"});
  CostRecord costs{.t_s = place.at("t_s").number(seconds),
                   .t_w = place.at("t_w").number(seconds),
                   .t_op = place.at("t_op").number(seconds),
                   .source = place.at("source").text(),
                   .bandwidth_source = place.at("bandwidth_source").text(),
                   .digest = place.at("digest").text()};
  const JsonPlace list = place.at("bank_bandwidth");
  for (std::size_t i = 0; i < list.size(); ++i) costs.bank_bandwidth.push_back(list.at(i).number(factors));
  return costs;
}

BankNeed need_of(const JsonPlace& place) {
  place.check_object({"bank", "streams", "feeds", "factor", "holds"});
  BankNeed need{.bank = static_cast<int>(place.at("bank").whole_number({-1, 1 << 20})),
                .streams = place.at("streams").number(factors),
                .factor = place.at("factor").number(factors),
                .holds = place.at("holds").truth()};
  if (!place.at("feeds").is_null()) need.feeds = place.at("feeds").number(factors);
  return need;
}

MeasuredTimes times_of(const JsonPlace& place) {
  place.check_object({"median", "lower", "upper", "calls", "late"});
  return {.median = place.at("median").number(seconds),
          .lower = place.at("lower").number(seconds),
          .upper = place.at("upper").number(seconds),
          .calls = count_of(place.at("calls")),
          .late = count_of(place.at("late"))};
}

PagesFound pages_of(const JsonPlace& place) {
  place.check_object({"as_asked", "elsewhere", "nowhere"});
  return {.as_asked = count_of(place.at("as_asked")),
          .elsewhere = count_of(place.at("elsewhere")),
          .nowhere = count_of(place.at("nowhere"))};
}

/// Reads an outcome. `experiment`, too, is there for those who read the text without this program: it follows
/// from the campaign.
Outcome outcome_of(const JsonPlace& place, const Experiment& experiment) {
  place.check_object({"experiment", "refused", "algorithm", "segments", "predicted", "predicted_bandwidth",
                      "need", "measured", "measured_bandwidth", "ratio", "not_measured", "pages", "degraded",
                      "when"});
  if (place.at("experiment").text() != text(experiment))
    place.at("experiment").refuse(fmt::format("\"{}\", by the campaign", text(experiment)));
  Outcome outcome{.refused = place.at("refused").text(), .when = place.at("when").text()};
  if (!outcome.refused.empty()) return outcome;
  outcome.algorithm = place.at("algorithm").text();
  outcome.segments = small_count_of(place.at("segments"));
  if (!place.at("predicted").is_null()) outcome.predicted = place.at("predicted").number(seconds);
  outcome.need = need_of(place.at("need"));
  if (!place.at("measured").is_null()) outcome.measured = times_of(place.at("measured"));
  outcome.not_measured = place.at("not_measured").text();
  if (!place.at("pages").is_null()) outcome.pages = pages_of(place.at("pages"));
  outcome.degraded = texts_of(place.at("degraded"));
  return outcome;
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json written(const Outcome& outcome, const Experiment& experiment) {
  Json json{{"experiment", text(experiment)}, {"refused", outcome.refused}};
  if (outcome.refused.empty()) {
    const std::optional<double>& predicted = outcome.predicted;
    const std::optional<MeasuredTimes>& measured = outcome.measured;
    const auto speed = [&](double time) { return time > 0 ? Json(bandwidth(experiment, time)) : Json(); };
    json["algorithm"] = outcome.algorithm;
    json["segments"] = outcome.segments;
    json["predicted"] = or_null(predicted);
    json["predicted_bandwidth"] = predicted ? speed(*predicted) : Json();
    json["need"] = {{"bank", outcome.need.bank},
                    {"streams", outcome.need.streams},
                    {"feeds", or_null(outcome.need.feeds)},
                    {"factor", outcome.need.factor},
                    {"holds", outcome.need.holds}};
    json["measured"] = Json();
    if (measured)
      json["measured"] = {{"median", measured->median},
                          {"lower", measured->lower},
                          {"upper", measured->upper},
                          {"calls", measured->calls},
                          {"late", measured->late}};
    json["measured_bandwidth"] = measured ? speed(measured->median) : Json();
    json["ratio"] = measured && predicted && *predicted > 0 ? Json(measured->median / *predicted) : Json();
    json["not_measured"] = outcome.not_measured;
    json["pages"] = Json();
    if (outcome.pages)
      json["pages"] = {{"as_asked", outcome.pages->as_asked},
                       {"elsewhere", outcome.pages->elsewhere},
                       {"nowhere", outcome.pages->nowhere}};
    json["degraded"] = outcome.degraded;
  }
  json["when"] = outcome.when;
  return json;
}

/// Reads results of any version.
Results results_of(const JsonPlace& top) {
  top.check_object({"version", "campaign", "kernel", "begun", "environment", "machine", "costs", "outcomes"});
  Results results{.campaign = campaign_from_json(top.at("campaign").dumped()),
                  .version = top.at("version").text(),
                  .kernel = top.at("kernel").text(),
                  .begun = top.at("begun").text(),
                  .environment = texts_of(top.at("environment")),
                  .machine = machine_of(top.at("machine")),
                  .costs = costs_of(top.at("costs"))};
  const std::vector<Experiment> all = experiments(results.campaign);
  const JsonPlace list = top.at("outcomes");
  if (list.size() > all.size()) list.fail(fmt::format("{} of {} experiments", list.size(), all.size()));
  for (std::size_t i = 0; i < list.size(); ++i) results.outcomes.push_back(outcome_of(list.at(i), all[i]));
  return results;
}

}  // namespace

// The version comes first: another may have other keys.
Results results_from_json(std::string_view text) {
  const JsonPlace top = JsonPlace::parse(text, "results");
  const std::string made_by = top.at("version").text();
  try {
    return results_of(top);
  } catch (const UsageError&) {
    if (made_by == version()) throw;
    top.at("version").refuse(fmt::format("those of vnode {}", version()));
  }
}

std::string to_json(const Results& results) {
  const std::vector<Experiment> all = experiments(results.campaign);
  Json outcomes = Json::array();
  for (std::size_t i = 0; i < results.outcomes.size(); ++i)
    outcomes.push_back(written(results.outcomes[i], all.at(i)));
  const MachineRecord& machine = results.machine;
  const CostRecord& costs = results.costs;
  const Json json{{"version", results.version},
                  {"campaign", Json::parse(to_json(results.campaign))},
                  {"kernel", results.kernel},
                  {"begun", results.begun},
                  {"environment", results.environment},
                  {"machine",
                   {{"source", machine.source},
                    {"model", machine.model},
                    {"digest", machine.digest},
                    {"banks", machine.banks},
                    {"cores", machine.cores},
                    {"pus", machine.pus},
                    {"measured", machine.measured}}},
                  {"costs",
                   {{"t_s", costs.t_s},
                    {"t_w", costs.t_w},
                    {"t_op", costs.t_op},
                    {"source", costs.source},
                    {"bank_bandwidth", costs.bank_bandwidth},
                    {"bandwidth_source", costs.bandwidth_source},
                    {"digest", costs.digest}}},
                  {"outcomes", std::move(outcomes)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace vnode
