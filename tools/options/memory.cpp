#include "options/memory.hpp"

#include <fmt/format.h>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>

namespace vnode {
namespace {

Option add_bandwidth(Command command, const std::string& option, std::optional<double>& value,
                     const std::string& description) {
  constexpr double least = 1e-6, most = 1e6;  // 1 KB/s to 1 PB/s, as in a profile
  return command
      .decimal(
          option, {.least = least, .most = most}, [&value](double number) { value = number * giga; },
          description)
      .type_name("GB/S");
}

/// Returns the profile's bandwidths if it has one for every bank of a machine with so many; else none.
std::vector<double> bandwidths_of(const CostChoice& costs, std::size_t banks) {
  std::vector<double> list;
  if (!costs.kept || costs.kept->banks.size() != banks) return list;
  for (const auto& bandwidth : costs.kept->banks)
    if (bandwidth) list.push_back(bandwidth->value);
  return list.size() == banks ? list : std::vector<double>();
}

std::vector<std::vector<double>> links_of(const CostChoice& costs, std::size_t banks) {
  std::vector<std::vector<double>> table;
  if (!costs.kept || costs.kept->links.size() != banks) return table;
  for (std::size_t from = 0; from < banks; ++from) {
    auto& row = table.emplace_back();
    for (std::size_t to = 0; to < banks; ++to) {
      const auto& link = costs.kept->links[from][to];
      if (!link && from != to) return {};
      row.push_back(link ? link->value : costs.kept->banks[from]->value);
    }
  }
  return table;
}

}  // namespace

std::vector<Option> add_bandwidths(Command command, MemoryOptions& options) {
  return {
      add_bandwidth(
          command, "--bank-bandwidth", options.bank_bandwidth,
          "of each bank, in 10^9 bytes per second, to read and write together (default: the profile's)"),
      add_bandwidth(
          command, "--link-bandwidth", options.link_bandwidth,
          "from one NUMA node to another, in 10^9 bytes per second (default: the profile's, or no limit)")};
}

void add_memory(Command command, MemoryOptions& options) {
  Choices<Banks> policies;
  for (const Banks banks : all_banks()) policies.emplace_back(enums::name(banks), banks);
  command = command.group("Memory, with --banks");
  command.choice<Banks>(
      "--banks", policies, into(options.banks),
      "on a NUMA machine, on which bank a port's buffers lie: then messages share the banks' bandwidth "
      "(default: memory is no limit)");
  command
      .option("--machine", into(options.machine),
              "that machine: hwloc's XML or a synthetic text such as \"numa:4 core:8 pu:1\" (default: this "
              "machine)")
      .type_name("NAME|FILE.xml|SYNTHETIC")
      .needs("--banks");
  command
      .option("--mapping", into(options.mapping),
              "which PUs of it the nodes are on, as vnode map has it (default: compact)")
      .type_name("NAME|LIST")
      .needs("--banks");
  for (const Option& option : add_bandwidths(command, options)) option.needs("--banks");
}

BankSpeeds bank_speeds(const MemoryOptions& options, const Machine& machine, const CostChoice& costs) {
  const std::size_t count = machine.numas.size();
  BankSpeeds speeds{.bandwidth = {}, .between = {}, .source = "as given"};
  if (options.bank_bandwidth) {
    speeds.bandwidth.assign(count, *options.bank_bandwidth);
  } else if (!options.machine) {  // the profile is of this machine
    speeds.bandwidth = bandwidths_of(costs, count);
    speeds.source = costs.source;
    if (!speeds.bandwidth.empty()) speeds.between = links_of(costs, count);
  }
  if (options.link_bandwidth)
    speeds.between.assign(count, std::vector<double>(count, *options.link_bandwidth));
  return speeds;
}

std::optional<MemoryChoice> chosen_memory(const MemoryOptions& options, const Topology& topology,
                                          const CostChoice& costs) {
  if (!options.banks) return std::nullopt;
  Machine machine = options.machine ? Machine::parse(*options.machine) : Machine::discover();
  MappingSearch search;
  if (costs.profile && !options.machine)  // it is of this machine
    search.distances = numa_distances(*costs.profile, machine);
  Mapping mapping = mapping_by(machine, topology, options.mapping, search);
  PortBanks banks(machine, mapping, topology, *options.banks);
  BankSpeeds speeds = bank_speeds(options, machine, costs);
  if (speeds.bandwidth.empty())
    throw UsageError(
        "the bandwidth of the banks is not known: give --bank-bandwidth in 10^9 bytes per second, or "
        "have this machine's measured by vnode calibrate");
  MemoryBanks memory = banks.memory(std::move(speeds.bandwidth), std::move(speeds.between));
  return MemoryChoice{std::move(machine), std::move(mapping), std::move(banks), std::move(memory),
                      std::move(speeds.source)};
}

}  // namespace vnode
