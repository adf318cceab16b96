#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/hierarchy.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/cost.hpp>
#include <vnode/model/ports.hpp>
#include <vnode/model/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the parameters of an algorithm besides its name.
struct Parameters {
  int nodes = 1;                  ///< p
  Rank root = 0;                  ///< ignored by collectives without a root
  std::vector<int> extents = {};  ///< extents of the mesh, slowest first; read by algorithms that need them
  std::vector<int> dimension_order = {};  ///< order of the hypercube's dimensions; empty: the algorithm's own
  bool keep_order = false;                ///< combine in rank order, as the operator is not commutative
  int shift = 0;             ///< q of a circular shift, of either sign; ignored by other collectives
  int segments = 1;          ///< k: pieces a message is cut into; read by pipelined algorithms
  int radix = 2;             ///< radix of k-nomial trees
  Hierarchy hierarchy = {};  ///< which nodes are near each other; read by hierarchical algorithms
  /// A node: only the transfers that it sends or receives are built, in their order, if all nodes are alike
  /// (Algorithm::alike). By default all are.
  std::optional<Rank> only = {};
};

/// Names a condition that an algorithm has on its parameters.
enum class Need {
  power_of_two,      ///< p = 2^d
  extents,           ///< p = the product of the extents
  even,              ///< p is even, or 1
  few_nodes,         ///< p is at most 64
  rows_and_columns,  ///< the extents are two of at least 2, or p = 1
  domains,  ///< there is a hierarchy of p nodes that the algorithms inside and across its domains can serve
};
namespace enums {
/// Returns "power_of_two", "extents", "even", "few_nodes", "rows_and_columns" or "domains".
std::string_view name(Need need);
}

/// Tells whether an algorithm can combine in rank order, as Parameters::keep_order asks for.
enum class KeepsOrder {
  always,        ///< for every root, at no cost ("yes"); also where nothing is combined
  through_zero,  ///< for some roots by way of rank 0, or of the first rank of the nodes that an algorithm
                 ///< inside or across domains serves, at the cost of a round each time ("through rank 0")
  never,         ///< not for p > 2 ("no"): the operator has to be commutative
};
namespace enums {
/// Returns "yes", "through rank 0" or "no".
std::string_view name(KeepsOrder keeps_order);
}

/// Describes a family of topologies on which the algorithm is contention-free: for every root and in every
/// round, no directed link carries more than one message.
struct Carrier {
  std::string_view family;   ///< the family as in a topology's text: "array", "ring", "mesh", ...
  std::string_view routing;  ///< a routing of that family; empty: its default
};

/// Describes a number that an algorithm promises: the formula for people, and the same formula for tests.
struct Count {
  /// Computes the number from p and the other parameters.
  using Formula = int (*)(const Parameters&);
  std::string_view text;  ///< "p - 1"
  Formula value;          ///< the number that the text describes
};

/// Describes a name in an algorithm's formulas besides p, m, t_s and so on (vnode/lab/formula.hpp).
struct Symbol {
  std::string_view name;               ///< "D"
  std::string_view meaning;            ///< "the depth of the deeper tree"
  double (*value)(const Parameters&);  ///< the symbol's value for given parameters
};

/// Is the number of nodes up to which algorithms are verified by default.
inline constexpr int usual_sweep = 64;

/// Describes an algorithm: a row of the registry. All but `build` are promises that the verifier checks.
struct Algorithm {
  std::string_view name;  ///< `collective_algorithm`
  Collective collective;  ///< the collective that it performs
  /// Builds the schedule; a pure function. Call it only if why_not() returns nullopt.
  Schedule (*build)(const Parameters&);
  /// Returns the cost by formula, not derived from the schedule. Its startups are the number of the
  /// schedule's rounds.
  Cost (*cost)(const Parameters&);
  std::string_view rounds;  ///< number of the schedule's rounds as a formula: "ceil(log2 p)"
  Count transfers;          ///< number of messages in all rounds together
  /// T as a formula in t_s, t_w, t_op, m, p and so on, in the grammar of vnode/lab/formula.hpp: "(t_s + t_w
  /// m) log2 p". It evaluates to the same as `cost`.
  std::string_view time = {};
  /// k*, the number of segments with the least T, as a formula for p > 1: "sqrt((p - 2) t_w m / t_s)". Empty
  /// if T is not of the form A / k + B + C k.
  std::string_view best_segments = {};
  std::span<const Symbol> symbols = {};  ///< the algorithm's own symbols in `time`, `rounds` and `transfers`
  /// Tells whether node `from` may send to node `to` in a round, numbered from 0; this states the algorithm's
  /// distances, as a rule.
  bool (*peers)(const Parameters&, int round, Rank from, Rank to);
  /// Tells whether with these parameters all nodes are alike, and `build` reads Parameters::only: in every
  /// round all nodes send and receive as many messages of as many blocks, from and to as many places, so that
  /// a node sees in its own messages what its peers do in theirs. nullptr: never.
  bool (*alike)(const Parameters&) = nullptr;
  Ports ports = Ports::single;       ///< the port model that it keeps
  std::span<const Need> needs = {};  ///< its conditions, all of them; none: any p
  /// For Need::domains: returns why the algorithms inside and across domains cannot serve the hierarchy, or
  /// nullopt.
  std::optional<std::string> (*domains_refused)(const Parameters&) = nullptr;
  bool dimension_order = false;                 ///< whether it reads Parameters::dimension_order
  bool segments = false;                        ///< whether it reads Parameters::segments
  bool radix = false;                           ///< whether it reads Parameters::radix
  KeepsOrder keeps_order = KeepsOrder::always;  ///< whether it serves operators that are not commutative
  /// Says whether every result is combined from all that contribute to it in one step, so that an operator
  /// may round it once. Of two nodes, every algorithm does that.
  bool at_once = false;
  std::span<const Carrier> carriers = {};  ///< the topologies on which it is contention-free
  /// The p to which a sweep of usual_sweep nodes or more is extended, if it is greater: some patterns take
  /// many nodes to show themselves.
  int sweep_to = usual_sweep;
  std::string_view best_for = {};  ///< its best use, in half a sentence for people
  std::string_view source = {};    ///< its publication
};

/// Returns the registry: all algorithms, by collective.
std::span<const Algorithm> algorithms();
/// Returns the algorithm of that name; throws UsageError, which lists similar names.
const Algorithm& algorithm(std::string_view name);
/// Returns the algorithm of a collective that has this name, "broadcast_ring", or the rest of it, "ring".
/// Throws UsageError, also for one of another collective.
const Algorithm& algorithm(Collective collective, std::string_view name);
/// Returns nullopt if the algorithm can run with these parameters, otherwise the reason: "needs a power of
/// two, 6 is not".
std::optional<std::string> why_not(const Algorithm& algorithm, const Parameters& parameters);
/// Returns the number of rounds of an algorithm's schedule by formula.
int rounds(const Algorithm& algorithm, const Parameters& parameters);
/// Returns the port model that an algorithm keeps with these parameters: its own or, with a hierarchy, that
/// of the algorithms inside and across domains.
Ports ports(const Algorithm& algorithm, const Parameters& parameters);
/// Returns the contract that a schedule of `blocks` blocks must keep to be this collective. A scan's message
/// has parameters.segments blocks: if `blocks` is twice that, there are running totals, and for an exclusive
/// scan if it is three times that; if it is p * p times that, a scan has slices and a copy for each rank.
/// With parameters.only the shares of other nodes may be empty.
Contract contract(Collective collective, const Parameters& parameters, int blocks);

}  // namespace vnode
#pragma GCC visibility pop
