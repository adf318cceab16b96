#include <algorithm>
#include <optional>
#include <string_view>

#include <vnode/model/select.hpp>

#include "generate.hpp"

namespace vnode_test {
namespace {

using enum vnode::Collective;

bool has_variant(vnode::Collective collective) {
  return collective == all_gather || collective == gather || collective == scatter ||
         collective == all_to_all || collective == reduce_scatter;
}
bool has_p_parts(vnode::Collective collective) { return has_variant(collective); }

/// m: mostly short, now and then of several segments, in all not more than some 300 KiB per node.
std::size_t random_count(Random& random, const Operation& operation, std::size_t nodes) {
  const std::size_t most = (random.one_in(20) ? 300000u : 30000u) / bytes(operation.element) /
                           (has_p_parts(operation.collective) ? nodes : 1);
  const std::size_t wanted = random.one_of<std::size_t>({0, 1, 1, 2, 3, 7, nodes, 50, 300, 3000, 100000});
  return std::min(wanted, most);
}

void random_counts(Random& random, Operation& operation, std::size_t nodes) {
  const bool pairs = operation.collective == all_to_all;
  operation.counts.resize(pairs ? nodes * nodes : nodes);
  for (std::size_t& count : operation.counts)
    count = random.one_in(3) ? 0 : random.below(operation.count + 2);
  if (!pairs || !operation.in_place) return;
  for (std::size_t from = 0; from < nodes; ++from)  // what is sent to a node is as long as what comes from it
    for (std::size_t to = 0; to < from; ++to)
      operation.counts[from * nodes + to] = operation.counts[to * nodes + from];
}

/// Returns whether the algorithm, or any at all, can do it.
bool possible(const Operation& operation, const Members& members, std::string_view algorithm) {
  const vnode::Topology& topology = members.topology;
  vnode::Demand demand;
  demand.collective = operation.collective;
  demand.bytes = 0;
  demand.deterministic = deterministic(operation.element) && vnode::combines(operation.collective);
  demand.varying = operation.varying;
  demand.algorithm = algorithm;
  vnode::Parameters& parameters = demand.parameters;
  parameters.nodes = topology.nodes();
  parameters.root = operation.root;
  parameters.shift = operation.shift;
  parameters.segments = operation.segments;
  parameters.radix = operation.radix;
  parameters.keep_order =
      vnode::combines(operation.collective) && (demand.deterministic || !commutes(operation.element));
  const bool grid = topology.family() == vnode::Family::mesh || topology.family() == vnode::Family::torus;
  const vnode::Topology shape = grid ? topology : vnode::Topology(vnode::shapes::mesh{}, topology.nodes());
  parameters.extents.assign(shape.extents().begin(), shape.extents().end());
  try {
    vnode::choose(demand, topology, vnode::typical_costs);
    return true;
  } catch (const vnode::UsageError&) {
    return false;
  }
}

/// One of the algorithms that can do it; empty: the automatic choice.
std::string_view random_algorithm(Random& random, const Operation& operation, const Members& members) {
  if (random.one_in(3)) return {};
  std::vector<std::string_view> names;
  for (const vnode::Algorithm& algorithm : vnode::algorithms())
    if (algorithm.collective == operation.collective) names.push_back(algorithm.name);
  random.shuffle(names);
  for (const std::string_view name : names)
    if (possible(operation, members, name)) return name;
  return {};
}

}

Operation random_collective(Random& random, const Members& members) {
  const int nodes = members.topology.nodes();
  Operation made;
  const auto all = vnode::collectives();
  made.collective = all[random.below(all.size())];
  made.element = static_cast<Element>(random.below(element_kinds));
  made.count = random_count(random, made, static_cast<std::size_t>(nodes));
  made.root = random.below(nodes);
  made.shift = random.below(5 * nodes) - 2 * nodes;
  made.segments = random.one_of({0, 0, 1, 2, 5});
  made.radix = random.one_of({2, 2, 3, 4});
  made.in_place = made.collective != broadcast && made.collective != barrier && random.one_in(3);
  made.varying = has_variant(made.collective) && random.one_in(3);
  made.layout = random.word();
  if (made.varying) random_counts(random, made, static_cast<std::size_t>(nodes));
  if (!possible(made, members, {})) made.element = Element::u64;  // nothing computes the canonical expression
  made.algorithm = random_algorithm(random, made, members);
  return made;
}

}
