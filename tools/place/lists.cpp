#include "place/lists.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/model/numa_distances.hpp>

#include "options/place.hpp"
#include "options/values.hpp"

namespace vnode {
namespace {

constexpr const char* all_of_them = "all";

/// Returns the mappings: names are divided by commas, and what begins with a digit is one list of PUs.
std::vector<std::string> mappings_of(const Lists& lists) {
  std::vector<std::string> mappings;
  for (const std::string& text : lists.mappings) {
    const bool pus = !text.empty() && text.front() >= '0' && text.front() <= '9';
    for (const std::string& one : pus ? std::vector{text} : split(text))
      if (one == all_of_them)
        for (const MappingPolicy& policy : mapping_policies()) mappings.emplace_back(policy.name);
      else
        mappings.push_back(one);
  }
  if (mappings.empty()) mappings.emplace_back("compact");
  return mappings;
}

/// Returns the bank policies; on a machine with one bank all of them are the same one.
std::vector<Banks> banks_of(const std::string& text, const std::optional<std::string>& machine) {
  if (text == all_of_them &&
      vnode::banks_of(machine ? Machine::parse(*machine) : Machine::discover()).size() == 1)
    return {Banks::owner};
  if (text == all_of_them) return {all_banks().begin(), all_banks().end()};
  std::vector<Banks> banks;
  for (const std::string& one : split(text)) banks.push_back(parse_banks(one));
  return banks;
}

std::optional<double> in(std::optional<double> value, double unit) {
  return value ? std::optional(*value / unit) : std::nullopt;
}

}  // namespace

std::string Lists::given() const {
  const std::vector<std::pair<bool, std::string>> options{
      {!collective.empty(), "--collective"},
      {algorithms != "auto", "--algorithm"},
      {place.nodes.has_value(), "--nodes"},
      {place.topology.has_value(), "--topology"},
      {root.has_value(), "--root"},
      {!mappings.empty(), "--mapping"},
      {banks != "owner", "--banks"},
      {bytes != "64K,1M", "--bytes"},
      {memory.machine.has_value(), "--machine"},
      {costs.latencies.has_value(), "--latencies"},
      {costs.any(), costs.profile ? "--profile" : "--ts, --tw or --top"},
      {memory.bank_bandwidth.has_value(), "--bank-bandwidth"},
      {memory.link_bandwidth.has_value(), "--link-bandwidth"},
      {repeats.has_value(), "--repeats"},
      {seed.has_value(), "--seed"}};
  const auto first = std::ranges::find(options, true, &std::pair<bool, std::string>::first);
  return first == options.end() ? "" : first->second;
}

void add_lists(Command command, Lists& lists) {
  command.option("--collective", into(lists.collective), "broadcast, all_reduce, ...").type_name("C");
  command
      .option("--algorithm", into(lists.algorithms),
              "by names, as `vnode algorithms` lists them; auto: the one that is chosen (default: auto)")
      .type_name("NAME,...");
  add_nodes_and_topology(command, lists.place, "what the topology's extents make", "full");
  command.whole("--root", {}, into(lists.root), "the root (default: 0)").type_name("R");
  command
      .list("--mapping", lists.mappings,
            fmt::format("by names: {}, or all; or the systems' numbers of a PU for each rank, 0,2,8-11; can "
                        "be given several times (default: compact)",
                        policy_names()))
      .type_name("NAME,...|LIST");
  command
      .option("--banks", into(lists.banks),
              "on which bank a port's buffers lie: owner, peer, spread, interleave, one, or all (default: "
              "owner)")
      .type_name("BANKS,...");
  command
      .option("--bytes", into(lists.bytes),
              "m: a list, 64K,1M, or a range whose sizes double, 1K:8M (default: 64K,1M)")
      .type_name("M:M|LIST");
  command
      .option("--machine", into(lists.memory.machine),
              "a machine to predict for: hwloc's XML or a synthetic text such as \"numa:4 core:8 pu:1\" "
              "(default: this machine, measured, too)")
      .type_name("FILE.xml|SYNTHETIC");
  add_costs(command, lists.costs);
  command.group(costs_group)
      .option("--latencies", into(lists.costs.latencies),
              "a matrix of nanoseconds between the machine's PUs, as core-to-core benchmarks write it: by it "
              "every pair costs as much more or less")
      .type_name("FILE.csv");
  add_bandwidths(command.group(costs_group), lists.memory);
  command
      .whole("--repeats", {.least = 1, .most = most_repeats}, into(lists.repeats),
             "calls that are timed (default: 31)")
      .type_name("N");
  command.whole("--seed", {}, into(lists.seed), "of the search for the optimised mapping (default: 1)")
      .type_name("N");
}

Campaign campaign_of(const Lists& lists) {
  if (lists.collective.empty())
    throw UsageError("nothing to do: give --collective, --campaign, --report or --matrix");
  ExperimentLists one{.collective = parse_collective(lists.collective),
                      .algorithms = split(lists.algorithms),
                      .nodes = {nodes_of(lists.place)},
                      .topologies = {lists.place.topology.value_or("full")},
                      .mappings = mappings_of(lists),
                      .banks = banks_of(lists.banks, lists.memory.machine),
                      .bytes = parse_values(lists.bytes, "--bytes"),
                      .root = lists.root.value_or(0)};
  Campaign campaign{.name = lists.collective,
                    .machine = lists.memory.machine,
                    .profile = lists.costs.profile,
                    .latencies = lists.costs.latencies,
                    .ts = in(lists.costs.t_s, nanosecond),
                    .tw = in(lists.costs.t_w, nanosecond),
                    .top = in(lists.costs.t_op, nanosecond),
                    .bank_bandwidth = in(lists.memory.bank_bandwidth, giga),
                    .link_bandwidth = in(lists.memory.link_bandwidth, giga),
                    .repeats = lists.repeats.value_or(Campaign().repeats),
                    .seed = lists.seed.value_or(Campaign().seed),
                    .experiments = {std::move(one)}};
  check(campaign);
  return campaign;
}

}  // namespace vnode
