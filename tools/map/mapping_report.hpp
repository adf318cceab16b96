#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/mapping_metrics.hpp>
#include <vnode/lab/numa_distances.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/topology.hpp>

namespace vnode {

/// A topology on a machine, by one policy.
struct MappedBy {
  std::string name;
  Mapping mapping;
  MappingMetrics metrics;
};

/// A policy that cannot map the topology, and why.
struct NotMapped {
  std::string name, reason;
};

/// What `vnode map` has found.
struct MappingReport {
  Machine machine;
  Topology topology;
  NumaDistances distances;  ///< between the machine's NUMA nodes
  std::vector<MappedBy> mapped;
  std::vector<NotMapped> refused;
};

/// The metrics in a few words: "weighted hops 328; links (at least) between NUMA nodes 16 (16)".
std::string metrics_note(const MappingMetrics& metrics);
/// The policies side by side; if it is one, also the PU of every node.
std::string to_text(const MappingReport& report, std::size_t width);
std::string to_json(const MappingReport& report);
/// A line for each policy, with the system's numbers of its PUs as --mapping takes them, or why it cannot.
std::string to_csv(const MappingReport& report);

}  // namespace vnode
