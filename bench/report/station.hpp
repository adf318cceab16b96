#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/team.hpp>

#include "timing/affinity.hpp"
#include "timing/contest.hpp"

namespace vnode::bench {

/// Describes where and with what was measured.
struct Station {
  std::string program;  ///< vnode-bench and its version
  std::string compiler, system;
  std::string model;  ///< of the processor
  int packages = 0, numa_nodes = 0, cores = 0, pus = 0;
  int cores_used = 0;
  std::string pinning;  ///< "nodes 0-1 on PUs 0-1"
  std::string clock;
  std::string timing;          ///< how calls are released and timed
  std::size_t cold_bytes = 0;  ///< that every caller walks between two calls; 0: they are back to back
  int beside = 0;              ///< processes that compute beside the measurement
};

/// Describes the station of threads on this machine with these affinities, by rank.
Station station(const std::vector<Affinity>& nodes, const Machine& machine, const Effort& effort,
                int beside = 0);
/// Describes the station of a team on this machine, as it was discovered before the team ran. Runs the team
/// once.
Station station(Team& team, const Machine& machine, const Effort& effort, int beside = 0);
/// Says in short which PU each node is on, by rank: "nodes 0-63 in turn on PUs 0-1".
std::string pinning_text(std::span<const int> pus);
/// Returns the lines of a report's header, without the `#` in front.
std::vector<std::string> header(const Station& station);

}  // namespace vnode::bench
