#pragma once

#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>

namespace vnode {

/// Returns the allowed PUs, layer by layer: the first of every core, then every second, and so on; each layer
/// is ascending, and none is empty. Throws UsageError if no PU is allowed.
std::vector<std::vector<int>> pu_layers(const Machine& machine);

/// Throws UsageError if `nodes` < 1.
void check_nodes(int nodes);

/// Lists the PUs that so many nodes take if loads differ by one at most and no core gets a second node while
/// another has none: all the `certain` ones and any `take` of the `open` ones.
struct Slots {
  std::vector<int> certain = {};  ///< ascending, a PU as often as nodes run on it in any case
  std::vector<int> open = {};     ///< ascending, of one layer: no two on one core
  int take = 0;                   ///< less than there are open ones
};
/// Returns the PUs for so many nodes. Throws UsageError if `nodes` < 1 or no PU is allowed.
Slots slots(const Machine& machine, int nodes);
/// Returns the certain and the first open ones, ascending.
std::vector<int> compact_slots(const Machine& machine, int nodes);

/// Returns the mapping with node i on PU pus[i], all of which the machine has.
Mapping mapping_on(const Machine& machine, std::vector<int> pus);

/// Lists some PUs, and says how the machine divides them. A part that is not divided further has no parts.
struct PuPart {
  std::vector<int> pus = {};  ///< those of its parts, one after the other; one may be there several times
  std::vector<PuPart> parts = {};  ///< two or more, or none
};

/// Divides these PUs by package, NUMA node, third and second level cache and core, from the outside in: of
/// two kinds of parts the one with the largest part is outside. Parts are in the order of their first PUs in
/// `pus`.
PuPart divided(const Machine& machine, const std::vector<int>& pus);

}  // namespace vnode
