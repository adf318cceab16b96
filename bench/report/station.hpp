#pragma once

#include <span>
#include <string>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/team.hpp>

#include "measure/stamp.hpp"

namespace vnode::bench {

/// Where and with what was measured.
struct Station {
  std::string program;  ///< vnode-bench and its version
  std::string compiler, system;
  std::string model;  ///< of the processor
  int packages = 0, numa_nodes = 0, cores = 0, pus = 0;
  int cores_used = 0;
  std::string pinning;  ///< "nodes 0-1 on PUs 0-1"
  std::string clock;
  std::string timing;  ///< how calls are released and timed
};

/// Of a team on this machine, as it was discovered before the team ran; runs the team once.
Station station(Team& team, const Machine& machine, Loop loop = Loop::completion);
/// Which PU each node is on, by rank, in short: "nodes 0-63 in turn on PUs 0-1".
std::string pinning_text(std::span<const int> pus);
/// As `#` header lines.
std::vector<std::string> header(const Station& station);

}  // namespace vnode::bench
