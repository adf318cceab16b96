#include <algorithm>
#include <string>
#include <vector>

#include <vnode/lab/textbook.hpp>

namespace vnode {
namespace {

/// Two numbers of segments to tell what depends on them.
constexpr int few_segments = 840, many_segments = 2 * few_segments;

/// The shift, from 0 to p - 1.
int forward(const Parameters& parameters) {
  return (parameters.shift % parameters.nodes + parameters.nodes) % parameters.nodes;
}

}  // namespace

SymbolValues symbol_values(const Algorithm& algorithm, const Parameters& parameters) {
  SymbolValues values{.extents = parameters.extents};
  values.named["p"] = parameters.nodes;
  if (algorithm.segments) values.named["k"] = parameters.segments;
  if (algorithm.radix) values.named["k"] = parameters.radix;
  if (algorithm.collective == Collective::circular_shift) values.named["q"] = forward(parameters);
  if (parameters.extents.size() == 2) {
    values.named["r"] = parameters.extents[0];
    values.named["c"] = parameters.extents[1];
  }
  for (const Symbol& symbol : algorithm.symbols)
    values.named[std::string(symbol.name)] = symbol.value(parameters);
  return values;
}

LowerBound lower_bound(Collective collective, const Parameters& parameters, int ports) {
  const int p = parameters.nodes;
  switch (collective) {
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::scatter:
    case Collective::gather:
    case Collective::all_to_all:
      return personalized_bound(p, ports);
    case Collective::all_reduce:
      return all_reduce_bound(p, ports);
    case Collective::circular_shift:
      return shift_bound(forward(parameters));
    case Collective::barrier:
      return barrier_bound(p, ports);
    default:
      return broadcast_bound(p, ports, parameters.segments);
  }
}

int ports_at_once(Ports ports, const Topology& topology) {
  int most = 1;
  if (ports == Ports::all)
    for (Rank rank = 0; rank < topology.nodes(); ++rank) most = std::max(most, topology.degree(rank));
  return most;
}

LowerBound lower_bound(Collective collective, const Parameters& parameters, Ports ports,
                       const Topology& topology) {
  const int together = ports_at_once(ports, topology);
  const bool exchange = collective == Collective::all_to_all && topology.family() == Family::hypercube;
  if (exchange && together > 1) return hypercube_exchange_bound(parameters.nodes);
  return lower_bound(collective, parameters, together);
}

std::optional<Formula> optimum_formula(const Algorithm& algorithm, const Parameters& parameters) {
  if (!algorithm.segments) return std::nullopt;
  auto formula = Formula::parse(algorithm.time).optimum("k");
  if (!formula) return std::nullopt;
  const std::vector<std::string> used = Formula::parse(algorithm.time).symbols();
  Parameters low = parameters, high = parameters;
  low.segments = few_segments;
  high.segments = many_segments;
  for (const Symbol& symbol : algorithm.symbols)
    if (std::ranges::find(used, symbol.name) != used.end() && symbol.value(low) != symbol.value(high))
      return std::nullopt;
  return formula;
}

}  // namespace vnode
