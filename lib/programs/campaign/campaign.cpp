#include "campaign/campaign.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/topology.hpp>

#include "base/bytes.hpp"
#include "base/counted.hpp"

namespace vnode {
namespace {

[[noreturn]] void fail(const std::string& key, const std::string& why) {
  throw UsageError(fmt::format("campaign, {}: {}", key, why));
}

std::string shown(const std::string& value) { return fmt::format("\"{}\"", value); }
std::string shown(int value) { return fmt::to_string(value); }
std::string shown(std::size_t value) { return bytes_text(value); }
std::string shown(Banks value) { return std::string(enums::name(value)); }

/// Checks a list, fast enough for lists of the most experiments.
template <class Value>
void check_list(const std::vector<Value>& list, const std::string& key) {
  if (list.empty()) fail(key, "the list is empty: give at least one");
  if (list.size() > most_experiments)
    fail(key, fmt::format("{} values, more than the {} experiments that are possible", list.size(),
                          most_experiments));
  std::vector<Value> sorted = list;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    fail(key, fmt::format("{} comes twice", shown(*twice)));
}

/// Calls a check of the library's, and turns its sentence into one about a key.
template <class Check>
void check_by(Check check, const std::string& key) {
  try {
    check();
  } catch (const UsageError& error) {
    fail(key, error.what());
  }
}

void check_algorithm(const std::string& wanted, Collective collective, const std::string& key) {
  if (wanted == "auto") return;
  check_by([&] { algorithm(collective, wanted); }, key);
}

void check_topology(const std::string& wanted, int nodes, const std::string& key) {
  check_by([&] { Topology(Shape::parse(wanted), nodes); }, key);
}

/// Counts the experiments. Never more than most_experiments * (greatest + 1) is computed.
std::size_t check_count(const ExperimentLists& lists, std::size_t before, const std::string& key) {
  std::size_t count = 1;
  for (const std::size_t factor : {lists.nodes.size(), lists.topologies.size(), lists.algorithms.size(),
                                   lists.mappings.size(), lists.banks.size(), lists.bytes.size()}) {
    count *= factor;
    if (before + count > most_experiments)
      fail(key, fmt::format("more than {} experiments: give fewer values, or several campaigns",
                            most_experiments));
  }
  return before + count;
}

void check(const ExperimentLists& lists, const std::string& key) {
  if (lists.collective == Collective::barrier)
    fail(key + ".collective", "a barrier moves nothing from or to a bank");
  check_list(lists.algorithms, key + ".algorithms");
  check_list(lists.nodes, key + ".nodes");
  check_list(lists.topologies, key + ".topologies");
  check_list(lists.mappings, key + ".mappings");
  check_list(lists.banks, key + ".banks");
  check_list(lists.bytes, key + ".bytes");
  for (const std::string& one : lists.algorithms) check_algorithm(one, lists.collective, key + ".algorithms");
  for (const std::string& one : lists.mappings) check_by([&] { check_mapping_text(one); }, key + ".mappings");
  for (const int nodes : lists.nodes) {
    if (nodes < 2 || nodes > most_experiment_nodes)
      fail(key + ".nodes", fmt::format("{}: 2 to {} are possible", nodes, most_experiment_nodes));
    if (lists.root < 0 || lists.root >= nodes)
      fail(key + ".root",
           fmt::format("{}: with {} the ranks are 0 to {}", lists.root, counted(nodes, "node"), nodes - 1));
  }
  if (lists.root != 0 && !has_root(lists.collective))
    fail(key + ".root", fmt::format("{} has no root", enums::name(lists.collective)));
  for (const std::size_t bytes : lists.bytes) {
    if (bytes < 1 || bytes > most_experiment_bytes)
      fail(key + ".bytes", fmt::format("{}: 1 to {} are possible", bytes, bytes_text(most_experiment_bytes)));
    if (combines(lists.collective) && bytes % sizeof(double) != 0)
      fail(key + ".bytes",
           fmt::format("{}: doubles are combined, so it has to be a multiple of {}", bytes, sizeof(double)));
  }
}

void check_topologies(const ExperimentLists& lists, const std::string& key) {
  for (const std::string& topology : lists.topologies)
    for (const int nodes : lists.nodes) check_topology(topology, nodes, key + ".topologies");
}

}  // namespace

std::string text(const Experiment& experiment) {
  return fmt::format("{}, {}, {}, {}, banks {}, {}{}",
                     experiment.algorithm == "auto"
                         ? fmt::format("{} by the algorithm chosen", enums::name(experiment.collective))
                         : experiment.algorithm,
                     counted(experiment.nodes, "node"), experiment.topology, experiment.mapping,
                     enums::name(experiment.banks), bytes_text(experiment.bytes), root_text(experiment));
}

std::string root_text(const Experiment& experiment) {
  return experiment.root == 0 ? "" : fmt::format(", root {}", experiment.root);
}

void check(const Campaign& campaign) {
  if (campaign.experiments.empty()) fail("experiments", "the list is empty: give at least one");
  std::size_t count = 0;
  for (std::size_t i = 0; i < campaign.experiments.size(); ++i) {
    const std::string key = fmt::format("experiments[{}]", i);
    check(campaign.experiments[i], key);
    count = check_count(campaign.experiments[i], count, key);
    check_topologies(campaign.experiments[i], key);
  }
}

std::vector<Experiment> experiments(const Campaign& campaign) {
  std::vector<Experiment> all;
  for (const ExperimentLists& lists : campaign.experiments)
    for (const int nodes : lists.nodes)
      for (const std::string& topology : lists.topologies)
        for (const std::string& algorithm : lists.algorithms)
          for (const std::string& mapping : lists.mappings)
            for (const Banks banks : lists.banks)
              for (const std::size_t bytes : lists.bytes)
                all.push_back(
                    {lists.collective, algorithm, nodes, topology, mapping, banks, bytes, lists.root});
  return all;
}

}  // namespace vnode
