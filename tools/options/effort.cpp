#include "options/effort.hpp"

#include <bit>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/formula.hpp>
#include <vnode/lab/textbook.hpp>

#include "base/counted.hpp"
#include "collective/needs.hpp"

namespace vnode {
namespace {

double blocks_of(const Algorithm& algorithm, const Parameters& parameters) {
  const double p = parameters.nodes;
  return algorithm.collective == Collective::all_to_all ? p * p : p;
}

bool fits(const Algorithm& algorithm, const Parameters& parameters, double most) {
  return transfers_of(algorithm, parameters) <= most && blocks_of(algorithm, parameters) <= most;
}

/// "2048 or fewer nodes", the greatest power of two that is right; fewer nodes where meshes and domains
/// change, too.
std::string right_nodes(const Algorithm& algorithm, Parameters parameters, double most) {
  if (needs(algorithm, Need::extents) || needs(algorithm, Need::rows_and_columns) ||
      needs(algorithm, Need::domains))
    return "fewer nodes";
  parameters.root = 0;
  for (unsigned nodes = std::bit_floor(static_cast<unsigned>(parameters.nodes)); nodes > 1; nodes /= 2) {
    parameters.nodes = static_cast<int>(nodes);
    if (!why_not(algorithm, parameters) && fits(algorithm, parameters, most))
      return fmt::format("{} or fewer nodes", nodes);
  }
  return "fewer nodes";
}

void check(const Algorithm& algorithm, const Parameters& parameters, double most, const char* or_else) {
  if (fits(algorithm, parameters, most)) return;
  const double transfers = transfers_of(algorithm, parameters);
  const bool blocks = transfers <= most;
  throw UsageError(fmt::format(
      "{} has {:.0f} {} on {}, more than the {:.0f} that can be looked at in time: give {}{}", algorithm.name,
      blocks ? blocks_of(algorithm, parameters) : transfers, blocks ? "blocks" : "transfers",
      counted(parameters.nodes, "node"), most, right_nodes(algorithm, parameters, most), or_else));
}

}  // namespace

double transfers_of(const Algorithm& algorithm, const Parameters& parameters) {
  return Formula::parse(algorithm.transfers.text).value(symbol_values(algorithm, parameters));
}

void check_built(const Algorithm& algorithm, const Parameters& parameters) {
  if (!why_not(algorithm, parameters))
    check(algorithm, parameters, most_built_transfers,
          algorithm.segments && parameters.segments > 1 ? ", or fewer segments" : "");
}

void check_choice(const Demand& demand, const char* or_else) {
  Parameters parameters = demand.parameters;
  parameters.segments = 1;
  const bool all = demand.algorithm.empty() || needs(vnode::algorithm(demand.algorithm), Need::domains);
  for (const Algorithm& algorithm : algorithms()) {
    const bool looked_at = all ? algorithm.collective == demand.collective && !needs(algorithm, Need::domains)
                               : algorithm.name == demand.algorithm;
    if (looked_at && !why_not(algorithm, parameters))
      check(algorithm, parameters, most_chosen_transfers, all ? or_else : "");
  }
}

}  // namespace vnode
