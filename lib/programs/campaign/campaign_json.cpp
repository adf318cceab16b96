#include <fmt/format.h>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/shape.hpp>

#include "base/bytes.hpp"
#include "campaign/campaign.hpp"
#include "json/json_place.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

constexpr NumberBounds nanoseconds{0, 1e9}, gigabytes{1e-6, 1e6};

/// Returns what a text means; a refusal names the place.
template <class Read>
auto meant(const JsonPlace& place, Read read) {
  const std::string text = place.text();
  try {
    return read(text);
  } catch (const UsageError& error) {
    place.fail(error.what());
  }
}

/// Reads a list of values; if `all` is given, the word "all", alone or in the list, means these.
template <class Value>
std::vector<Value> list_of(const JsonPlace& place, const std::function<Value(const JsonPlace&)>& read,
                           const std::vector<Value>& all = {}) {
  if (place.is_text() && !all.empty() && place.text() == "all") return all;
  const std::size_t size = place.size();
  if (size > most_experiments)
    place.fail(
        fmt::format("{} values, more than the {} experiments that are possible", size, most_experiments));
  std::vector<Value> list;
  for (std::size_t i = 0; i < size; ++i) {
    const JsonPlace one = place.at(i);
    if (!all.empty() && one.is_text() && one.text() == "all")
      list.insert(list.end(), all.begin(), all.end());
    else
      list.push_back(read(one));
  }
  return list;
}

/// Reads a text that is so short that two of them and some words are still a text that JsonPlace reads.
std::string text_of(const JsonPlace& place) {
  constexpr std::size_t longest = 1 << 14;
  if (!place.is_text() || place.text().size() > longest)
    place.refuse(fmt::format("a text of at most {} bytes", longest));
  return place.text();
}

int nodes_of(const JsonPlace& place) {
  return static_cast<int>(place.whole_number({2, most_experiment_nodes}));
}

std::size_t bytes_of(const JsonPlace& place) {
  if (place.is_text()) return meant(place, [](const std::string& text) { return parse_bytes(text); });
  return static_cast<std::size_t>(place.whole_number({1, static_cast<double>(most_experiment_bytes)}));
}

Banks banks_of(const JsonPlace& place) {
  return meant(place, [](const auto& text) { return parse_banks(text); });
}

/// Returns the numbers of nodes where the topologies' extents tell them and nothing else does.
std::vector<int> nodes_by_extents(const JsonPlace& place, const std::vector<std::string>& topologies) {
  std::vector<int> nodes;
  for (const std::string& topology : topologies) {
    std::optional<int> own;
    try {
      own = Shape::parse(topology).nodes();
    } catch (const UsageError& error) {
      place.at("topologies").fail(error.what());
    }
    if (!own || (!nodes.empty() && nodes.front() != *own)) return {nodes_of(place.at("nodes"))};
    nodes = {*own};
  }
  return nodes;
}

ExperimentLists lists_of(const JsonPlace& place) {
  place.check_object(
      {"collective", "algorithms", "nodes", "topologies", "mappings", "banks", "bytes", "root"});
  std::vector<std::string> policies;
  for (const MappingPolicy& policy : mapping_policies()) policies.emplace_back(policy.name);
  const bool by_extents = place.has("topologies") && !place.has("nodes");
  place.check_keys(by_extents ? std::vector<std::string_view>{"collective", "bytes"}
                              : std::vector<std::string_view>{"collective", "nodes", "bytes"});
  ExperimentLists lists;
  lists.collective =
      meant(place.at("collective"), [](const std::string& text) { return parse_collective(text); });
  if (place.has("algorithms")) lists.algorithms = list_of<std::string>(place.at("algorithms"), text_of);
  if (place.has("topologies")) lists.topologies = list_of<std::string>(place.at("topologies"), text_of);
  lists.nodes = place.has("nodes") ? list_of<int>(place.at("nodes"), nodes_of)
                                   : nodes_by_extents(place, lists.topologies);
  if (place.has("mappings")) lists.mappings = list_of<std::string>(place.at("mappings"), text_of, policies);
  if (place.has("banks"))
    lists.banks = list_of<Banks>(place.at("banks"), banks_of, {all_banks().begin(), all_banks().end()});
  lists.bytes = list_of<std::size_t>(place.at("bytes"), bytes_of);
  if (place.has("root"))
    lists.root = static_cast<Rank>(place.at("root").whole_number({0, most_experiment_nodes - 1}));
  return lists;
}

Json written(const ExperimentLists& lists) {
  Json banks = Json::array();
  for (const Banks one : lists.banks) banks.push_back(enums::name(one));
  return {{"collective", enums::name(lists.collective)},
          {"algorithms", lists.algorithms},
          {"nodes", lists.nodes},
          {"topologies", lists.topologies},
          {"mappings", lists.mappings},
          {"banks", std::move(banks)},
          {"bytes", lists.bytes},
          {"root", lists.root}};
}

}  // namespace

Campaign campaign_from_json(std::string_view text) {
  const JsonPlace top = JsonPlace::parse(text, "campaign");
  top.check_object({"name", "about", "machine", "profile", "latencies", "ts", "tw", "top", "bank_bandwidth",
                    "link_bandwidth", "repeats", "seed", "experiments"});
  top.check_keys({"name", "experiments"});
  // null is as good as nothing.
  const auto given = [&](const char* key) { return top.has(key) && !top.at(key).is_null(); };
  Campaign campaign{.name = top.at("name").text()};
  if (given("about")) campaign.about = top.at("about").text();
  if (given("machine")) campaign.machine = top.at("machine").text();
  if (given("profile")) campaign.profile = top.at("profile").text();
  if (given("latencies")) campaign.latencies = top.at("latencies").text();
  if (given("ts")) campaign.ts = top.at("ts").number(nanoseconds);
  if (given("tw")) campaign.tw = top.at("tw").number(nanoseconds);
  if (given("top")) campaign.top = top.at("top").number(nanoseconds);
  if (given("bank_bandwidth")) campaign.bank_bandwidth = top.at("bank_bandwidth").number(gigabytes);
  if (given("link_bandwidth")) campaign.link_bandwidth = top.at("link_bandwidth").number(gigabytes);
  if (given("repeats"))
    campaign.repeats = static_cast<int>(top.at("repeats").whole_number({1, most_repeats}));
  if (given("seed"))
    campaign.seed = static_cast<int>(top.at("seed").whole_number({0, std::numeric_limits<int>::max()}));
  const JsonPlace all = top.at("experiments");
  for (std::size_t i = 0; i < all.size(); ++i) campaign.experiments.push_back(lists_of(all.at(i)));
  check(campaign);
  return campaign;
}

std::string to_json(const Campaign& campaign) {
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
  Json all = Json::array();
  for (const ExperimentLists& lists : campaign.experiments) all.push_back(written(lists));
  const Json json{{"name", campaign.name},
                  {"about", campaign.about},
                  {"machine", or_null(campaign.machine)},
                  {"profile", or_null(campaign.profile)},
                  {"latencies", or_null(campaign.latencies)},
                  {"ts", or_null(campaign.ts)},
                  {"tw", or_null(campaign.tw)},
                  {"top", or_null(campaign.top)},
                  {"bank_bandwidth", or_null(campaign.bank_bandwidth)},
                  {"link_bandwidth", or_null(campaign.link_bandwidth)},
                  {"repeats", campaign.repeats},
                  {"seed", campaign.seed},
                  {"experiments", std::move(all)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace vnode
