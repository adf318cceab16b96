#pragma once

#include <optional>
#include <string>
#include <vector>

#include <vnode/model/memory_banks.hpp>
#include <vnode/model/port_banks.hpp>

#include "options/costs.hpp"

namespace vnode {

/// Describes the NUMA machine that an algorithm is to be simulated on, as a command is told.
struct MemoryOptions {
  std::optional<Banks> banks;            ///< --banks; none: memory is no limit
  std::optional<std::string> machine;    ///< --machine
  std::string mapping = "compact";       ///< --mapping
  std::optional<double> bank_bandwidth;  ///< --bank-bandwidth, bytes per second
  std::optional<double> link_bandwidth;  ///< --link-bandwidth, bytes per second
};

/// Adds --bank-bandwidth and --link-bandwidth.
std::vector<Option> add_bandwidths(Command command, MemoryOptions& options);
/// Adds --banks, and --machine, --mapping, --bank-bandwidth and --link-bandwidth, which need it.
void add_memory(Command command, MemoryOptions& options);

/// Says what bandwidth the banks of a machine deliver.
struct BankSpeeds {
  std::vector<double> bandwidth;             ///< of each, bytes per second; empty: not known
  std::vector<std::vector<double>> between;  ///< as MemoryBanks::between
  std::string source;                        ///< for people, where they are from
};
/// Returns the bandwidths that are given, or those of the profile, if it is this machine's. Bandwidths
/// between NUMA nodes that are not known are no limit.
BankSpeeds bank_speeds(const MemoryOptions& options, const Machine& machine, const CostChoice& costs);

/// Holds the machine, the nodes on it, and the banks of their ports' buffers.
struct MemoryChoice {
  Machine machine;     ///< as asked for, or this one
  Mapping mapping;     ///< of the nodes
  PortBanks banks;     ///< of their ports
  MemoryBanks memory;  ///< the same, with bandwidths
  std::string source;  ///< for people, where those are from
};

/// Returns the choice that the options ask for, or nothing without --banks. Bandwidths that are not given are
/// the profile's; if none between NUMA nodes are known, these are no limit. Throws UsageError if those of the
/// banks are not known, or what is told cannot be.
std::optional<MemoryChoice> chosen_memory(const MemoryOptions& options, const Topology& topology,
                                          const CostChoice& costs);

}  // namespace vnode
