#include "place/lists.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/model/numa_distances.hpp>

#include "options/place.hpp"
#include "options/values.hpp"

namespace vnode {
namespace {

constexpr const char* all_of_them = "all";

std::vector<std::string> mappings_of(const Lists& lists) {
  std::vector<std::string> mappings;
  for (const std::string& text : lists.mappings)
    std::ranges::copy(parse_mappings(text), std::back_inserter(mappings));
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

/// Returns a sentence about a campaign's key, "campaign, experiments[0].mappings: ...", as one about the
/// option.
std::string in_options(const std::string& sentence) {
  static const std::map<std::string, std::string, std::less<>> options{
      {"collective", "--collective"}, {"algorithms", "--algorithm"},
      {"nodes", "--nodes"},           {"topologies", "--topology"},
      {"mappings", "--mapping"},      {"banks", "--banks"},
      {"bytes", "--bytes"},           {"root", "--root"}};
  const std::size_t dot = sentence.find("]."), colon = sentence.find(": ");
  if (!sentence.starts_with("campaign, ") || dot > colon) return sentence;
  const auto option = options.find(sentence.substr(dot + 2, colon - dot - 2));
  return option == options.end() ? sentence : option->second + sentence.substr(colon);
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
  command
      .option("--collective", into(lists.collective), "broadcast, all_reduce, ...; several: broadcast,scan")
      .type_name("C,...");
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
      .type_name("NAME|FILE.xml|SYNTHETIC");
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
  ExperimentLists one{.algorithms = split(lists.algorithms),
                      .nodes = {nodes_of(lists.place)},
                      .topologies = {lists.place.topology.value_or("full")},
                      .mappings = mappings_of(lists),
                      .banks = banks_of(lists.banks, lists.memory.machine),
                      .bytes = parse_values(lists.bytes, "--bytes")};
  const bool several = lists.collective.find(',') != std::string::npos;
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
                    .experiments = {}};
  for (const Collective collective : parse_collectives(lists.collective)) {
    one.collective = collective;
    one.root = has_root(collective) || !several ? lists.root.value_or(0) : 0;
    campaign.experiments.push_back(one);
  }
  try {
    check(campaign);
  } catch (const UsageError& error) {
    throw UsageError(in_options(error.what()));
  }
  return campaign;
}

}  // namespace vnode
