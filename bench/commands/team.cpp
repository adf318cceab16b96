#include "commands/team.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <unistd.h>

#include <vnode/error.hpp>
#include <vnode/model/machine_domains.hpp>
#include <vnode/model/schedule.hpp>

#include "base/bytes.hpp"
#include "collectives/task.hpp"
#include "timing/affinity.hpp"

namespace vnode::bench {
namespace {

std::size_t memory_there_is() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

int nodes_of(const Options& options, const Machine& machine) {
  if (options.nodes) return *options.nodes;
  if (options.own != nullptr) return options.own->schedule().nodes();
  if (const auto nodes = Shape::parse(options.topology).nodes()) return *nodes;
  const int most = options.arenas ? static_cast<int>(allowed_domains(machine, *options.arenas).size())
                                  : machine.allowed_cores();
  return std::max(2, std::min(most, 64));
}

std::unique_ptr<Team> team_of(const Options& options, int nodes) {
  TeamOptions team = options.team_options();
  team.deterministic = false;
  team.mapping.clear();
  team.banks.reset();
  team.arenas.reset();
  return std::make_unique<Team>(nodes, shapes::full{}, team);
}

std::unique_ptr<Team> team_for(const Options& options, int nodes, const Machine& machine) {
  TeamOptions team = options.team_options();
  team.nodes = options.nodes_as.value_or(usual_nodes(nodes, machine));
  return std::make_unique<Team>(nodes, Shape::parse(options.topology), team);
}

std::size_t most_bytes(const Operation& operation, const Setting& setting) {
  if (!operation.sized) return std::numeric_limits<std::size_t>::max();
  Setting of_one_byte = setting;
  of_one_byte.bytes = 1;
  // Messages have a vector at each end of both nodes that take part.
  const std::size_t vectors = operation.collective ? memory(*operation.collective, of_one_byte) : 4;
  return memory_there_is() / 2 / std::max<std::size_t>(vectors, 1);
}

void check_room(const Options& options, int nodes) {
  std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const Operation& operation : operations())
    if (operation.collective) most = std::min(most, most_bytes(operation, {.nodes = nodes}));
  if (options.max_bytes > most)
    throw UsageError{
        fmt::format("--max-bytes {}: this machine has memory for vectors of up to {} on {} nodes",
                    bytes_text(options.max_bytes), bytes_text(std::bit_floor(most)), nodes)};
}

void check_walks(const Options& options, int nodes) {
  const std::size_t most = memory_there_is() / 2 / static_cast<std::size_t>(nodes);
  if (options.effort.cold > most)
    throw UsageError{fmt::format("--cold {}: this machine has memory for walks of up to {} on {} nodes",
                                 bytes_text(options.effort.cold), bytes_text(std::bit_floor(most)), nodes)};
}

}  // namespace vnode::bench
