#include "simulate/message_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>

#include <vnode/error.hpp>

namespace vnode {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014): every counter gives another number, whatever was asked before.
std::uint64_t mixed(std::uint64_t counter) {
  std::uint64_t z = counter * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// Returns 1 + noise * X.
double stretch(double noise, std::uint64_t seed, int message) {
  if (noise == 0) return 1;
  const std::uint64_t bits = mixed(mixed(seed + 1) + static_cast<std::uint64_t>(message));
  const double uniform = static_cast<double>(bits >> 11) * 0x1p-53;
  return 1 - noise * std::log1p(-uniform);
}

void check_number(double value, std::string_view what) {
  if (!(value >= 0) || !std::isfinite(value))
    throw UsageError(fmt::format("{} is {} in a simulation: it is at least 0 and finite", what, value));
}

void check_costs(const Hockney& costs) {
  check_number(costs.t_s, "t_s");
  check_number(costs.t_w, "t_w");
}

void check_costs(const LogGP& costs) {
  check_number(costs.L, "L");
  check_number(costs.o, "o");
  check_number(costs.g, "g");
  check_number(costs.G, "G");
}

void check_memory(const MemoryBanks& memory, int nodes) {
  const std::size_t banks = memory.bandwidth.size();
  const auto good = [](double bandwidth) { return bandwidth > 0; };
  if (banks == 0 || !std::ranges::all_of(memory.bandwidth, good))
    throw UsageError("memory banks have bandwidths above 0 bytes per second, and there is at least one");
  if (!memory.between.empty()) {
    const auto fits = [&](const std::vector<double>& row) {
      return row.size() == banks && std::ranges::all_of(row, good);
    };
    if (memory.between.size() != banks || !std::ranges::all_of(memory.between, fits))
      throw UsageError(
          fmt::format("the bandwidths between NUMA nodes are a table of {} x {} numbers above 0, or empty",
                      banks, banks));
  }
  if (!memory.home || !memory.bank)
    throw UsageError("memory banks need functions that say where nodes and buffers are");
  for (Rank node = 0; node < nodes; ++node)
    if (const int home = memory.home(node); home < 0 || home >= static_cast<int>(banks))
      throw UsageError(
          fmt::format("node {} cannot be on NUMA node {}: there are 0 to {}", node, home, banks - 1));
}

}  // namespace

MessageTimes message_times(const Task& message, int task, const Volume& volume,
                           const SimulationOptions& options) {
  const double factor = stretch(options.noise, options.seed, task);
  const double bytes = volume.of(message.blocks);
  if (const auto* const log_gp = std::get_if<LogGP>(&options.costs); log_gp && !options.pair_costs)
    return {factor * log_gp->o, std::max(bytes - 1, 0.0), factor * log_gp->G,
            factor * (log_gp->L + log_gp->o), std::max(log_gp->g - log_gp->o, 0.0)};
  const Hockney costs =
      options.pair_costs ? options.pair_costs(message.from, message.to) : std::get<Hockney>(options.costs);
  if (options.pair_costs) check_costs(costs);
  const double startups = options.eager_to ? 1 + std::min(bytes / std::max(*options.eager_to, 1.0), 1.0) : 1;
  const double part = message.shared > 0 ? 0.5 : 1;
  return {factor * startups * costs.t_s, bytes, factor * part * costs.t_w, 0, 0};
}

void check(const SimulationOptions& options, int nodes) {
  std::visit([](const auto& costs) { check_costs(costs); }, options.costs);
  check_number(options.hop, "the time of a hop");
  check_number(options.t_op, "t_op");
  check_number(options.noise, "the noise");
  if (!options.memory) return;
  check_memory(*options.memory, nodes);
  if (options.switching == Switching::store_and_forward)
    throw UsageError("memory banks are simulated with cut-through switching only: no buffers lie on the way");
}

}  // namespace vnode
