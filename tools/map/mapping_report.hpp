#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/mapping_metrics.hpp>
#include <vnode/model/numa_distances.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/topology.hpp>

namespace vnode {

/// Holds the mapping of a topology to a machine by one policy.
struct MappedBy {
  std::string name;
  Mapping mapping;
  MappingMetrics metrics;
};

/// Names a policy that cannot map the topology, and says why.
struct NotMapped {
  std::string name, reason;
};

/// Holds what `vnode map` has found.
struct MappingReport {
  Machine machine;
  Topology topology;
  NumaDistances distances;  ///< between the machine's NUMA nodes
  std::vector<MappedBy> mapped;
  std::vector<NotMapped> refused;
};

/// Returns the metrics in a few words: "weighted hops 328; links (at least) between NUMA nodes 16 (16)".
std::string metrics_note(const MappingMetrics& metrics);
/// Writes the policies side by side; if there is only one, also the PU of every node.
std::string to_text(const MappingReport& report, std::size_t width);
std::string to_json(const MappingReport& report);
/// Writes a line for each policy, with the system's numbers of its PUs as --mapping takes them, or why it
/// cannot map the topology.
std::string to_csv(const MappingReport& report);

}  // namespace vnode
