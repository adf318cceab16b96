#include "report/station.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sys/utsname.h>

#include <vnode/machine.hpp>
#include <vnode/version.hpp>

#include "measure/affinity.hpp"
#include "measure/clock.hpp"

namespace vnode::bench {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  return fmt::format("gcc {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

std::string system_name() {
  utsname name{};
  if (uname(&name) != 0) return "unknown";
  return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

std::string pinning(const std::vector<Affinity>& nodes) {
  const bool pinned = std::ranges::all_of(nodes, [](const Affinity& pus) { return pus.size() == 1; });
  if (!pinned) return "none: nodes run where the system puts them";
  constexpr std::size_t shown = 16;
  std::string text;
  for (std::size_t node = 0; node < std::min(shown, nodes.size()); ++node)
    text += fmt::format("{}node {} on PU {}", node == 0 ? "" : ", ", node, nodes[node].front());
  return nodes.size() > shown ? text + ", ..." : text;
}

int cores_of(const Machine& machine, const std::vector<Affinity>& nodes) {
  std::set<int> cores;
  for (const Pu& pu : machine.pus)
    for (const Affinity& pus : nodes)
      if (std::ranges::binary_search(pus, pu.os_index)) cores.insert(pu.core);
  return static_cast<int>(cores.size());
}

}  // namespace

Station station(Team& team, const Machine& machine, Loop loop) {
  const std::vector<Affinity> nodes = affinities(team);
  const Clock& clock = the_clock();
  Station station;
  station.program = fmt::format("vnode-bench {}", version());
  station.compiler = compiler();
  station.system = system_name();
  station.model = machine.model;
  station.packages = static_cast<int>(machine.packages.size());
  station.numa_nodes = static_cast<int>(machine.numas.size());
  station.cores = static_cast<int>(machine.cores.size());
  station.pus = static_cast<int>(machine.pus.size());
  station.cores_used = cores_of(machine, nodes);
  station.pinning = pinning(nodes);
  station.clock = fmt::format("{}, {:.1f} ticks per us, read in {:.0f} ns", clock.source, clock.ticks_per_us,
                              clock.us(clock.cost) * 1000);
  station.timing =
      loop == Loop::osu ? "the mean over the ranks of the time each is inside, net of reading the clock; a "
                          "barrier in between"
      : team.size() <= machine.allowed_cores()
          ? "first entry to last exit, net of reading the clock; released at one deadline, late ones dropped"
          : "first entry to last exit; more nodes than cores, so per call of a batch between barriers";
  return station;
}

std::vector<std::string> header(const Station& station) {
  return {fmt::format("{}, {}, {}", station.program, station.compiler, station.system),
          fmt::format("machine: {}, packages {}, NUMA nodes {}, cores {}, PUs {}",
                      station.model.empty() ? "unknown" : station.model, station.packages, station.numa_nodes,
                      station.cores, station.pus),
          fmt::format("cores used: {}", station.cores_used),
          fmt::format("pinning: {}", station.pinning),
          fmt::format("clock: {}", station.clock),
          fmt::format("time: {}", station.timing)};
}

}  // namespace vnode::bench
