#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/team.hpp>

#include "timing/affinity.hpp"
#include "timing/contest.hpp"

namespace vnode::bench {

/// Watches what other programs take of this machine's processors.
class OtherPrograms {
 public:
  OtherPrograms() : before_(now()) {}
  /// Returns their share of all processors since this object was made, from 0 to 1. Returns nothing where the
  /// system does not tell, or where too little time has passed.
  std::optional<double> share() const;

 private:
  /// Holds seconds of all processors together, of all that programs used, and of what this program used.
  struct Times {
    double all, busy, own;
  };
  static std::optional<Times> now();

  const std::optional<Times> before_;
};

/// Returns a sentence for whoever reads the times, if the machine was too busy for them: `late` of `calls`
/// were dropped since a node came late, and other programs had the share `others` of the processors, as far
/// as that is known.
std::optional<std::string> busy_sentence(std::size_t late, std::size_t calls, std::optional<double> others);

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
