#include "report/station.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <vnode/model/machine.hpp>
#include <vnode/version.hpp>

#include "base/bytes.hpp"
#include "timing/affinity.hpp"
#include "timing/clock.hpp"

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

// Returns runs of numbers that follow each other, in the order that they are in: "0-3,8,10-11".
std::string ranges(std::span<const int> numbers) {
  constexpr std::size_t most = 8;
  std::vector<std::string> runs;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    runs.push_back(last == first ? fmt::to_string(numbers[first])
                                 : fmt::format("{}-{}", numbers[first], numbers[last]));
    first = last + 1;
  }
  const bool cut = runs.size() > most;
  if (cut) runs.resize(most);
  return fmt::format("{}{}", fmt::join(runs, ","), cut ? ",..." : "");
}

// Returns how many nodes from `first` on are all on one PU, or each on a PU of its own.
std::size_t alike_from(std::span<const int> pus, std::size_t first) {
  const auto next_is_same = [&](std::size_t i) { return i + 1 < pus.size() && pus[i + 1] == pus[i]; };
  std::size_t end = first + 1;
  if (next_is_same(first))
    while (next_is_same(end - 1)) ++end;
  else
    while (end < pus.size() && !next_is_same(end)) ++end;
  return end - first;
}

// Returns the number of nodes after which the PUs repeat, or that of all nodes if they do not.
std::size_t period(std::span<const int> pus) {
  for (std::size_t k = 1; k < pus.size(); ++k)
    if (std::ranges::equal(pus.subspan(k), pus.first(pus.size() - k))) return k;
  return pus.size();
}

std::string pinning(const std::vector<Affinity>& nodes) {
  const bool pinned = std::ranges::all_of(nodes, [](const Affinity& pus) { return pus.size() == 1; });
  if (!pinned) return "none: nodes run where the system puts them";
  std::vector<int> pus;
  for (const Affinity& node : nodes) pus.push_back(node.front());
  return pinning_text(pus);
}

}  // namespace

std::string pinning_text(std::span<const int> pus) {
  const auto plural = [](std::size_t count) { return count == 1 ? "" : "s"; };
  const std::size_t turn = period(pus);
  if (turn > 1 && turn < pus.size())
    return fmt::format("nodes 0-{} in turn on PUs {}", pus.size() - 1, ranges(pus.first(turn)));
  constexpr std::size_t most = 6;
  std::vector<std::string> parts;
  for (std::size_t first = 0; first < pus.size();) {
    if (parts.size() == most) {
      parts.emplace_back("...");
      break;
    }
    const std::size_t count = alike_from(pus, first);
    const bool one_pu = count == 1 || pus[first + 1] == pus[first];
    parts.push_back(
        fmt::format("node{} {} on PU{} {}", plural(count),
                    count == 1 ? fmt::to_string(first) : fmt::format("{}-{}", first, first + count - 1),
                    one_pu ? "" : "s", ranges(pus.subspan(first, one_pu ? 1 : count))));
    first += count;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Station station(Team& team, const Machine& machine, const Effort& effort, int beside) {
  Station here = station(affinities(team), machine, effort, beside);
  if (team.nodes_as() == Nodes::fibers) here.pinning += ", as fibers";
  return here;
}

Station station(const std::vector<Affinity>& nodes, const Machine& machine, const Effort& effort,
                int beside) {
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
      effort.loop == Loop::osu
          ? "the mean over the ranks of the time each is inside, net of reading the clock; a "
            "barrier in between"
      : effort.core_each
          ? "first entry to last exit, net of reading the clock; released at one deadline, late ones dropped"
          : fmt::format(
                "first entry to last exit; more nodes{} than cores, so per call of a batch between barriers",
                beside > 0 ? " and busy processes" : "");
  station.cold_bytes = effort.cold;
  station.beside = beside;
  return station;
}

std::vector<std::string> header(const Station& station) {
  std::vector<std::string> lines{
      fmt::format("{}, {}, {}", station.program, station.compiler, station.system),
      fmt::format("machine: {}, packages {}, NUMA nodes {}, cores {}, PUs {}",
                  station.model.empty() ? "unknown" : station.model, station.packages, station.numa_nodes,
                  station.cores, station.pus),
      fmt::format("cores used: {}", station.cores_used),
      fmt::format("pinning: {}", station.pinning),
      fmt::format("clock: {}", station.clock),
      fmt::format("time: {}", station.timing)};
  if (station.cold_bytes > 0)
    lines.push_back(fmt::format("cold: every thread walks {} of its own before each timed call",
                                bytes_text(station.cold_bytes)));
  if (station.beside > 0)
    lines.push_back(fmt::format("beside: busy processes on any of the cores: {}", station.beside));
  return lines;
}

}  // namespace vnode::bench
