#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/hierarchy.hpp>
#include <vnode/lab/contract.hpp>
#include <vnode/lab/cost.hpp>
#include <vnode/lab/ports.hpp>
#include <vnode/lab/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What a builder is told besides its own name.
struct Parameters {
  int nodes = 1;                  ///< p
  Rank root = 0;                  ///< ignored by collectives without a root
  std::vector<int> extents = {};  ///< of the mesh, slowest first; read by algorithms that need extents
  std::vector<int> dimension_order = {};  ///< of the hypercube; empty: the algorithm's own
  bool keep_order = false;                ///< the operator is not commutative: combine in rank order
  int shift = 0;             ///< q of a circular shift, of either sign; ignored by other collectives
  int segments = 1;          ///< k: pieces a message is cut into; read by pipelined algorithms
  int radix = 2;             ///< of k-nomial trees
  Hierarchy hierarchy = {};  ///< which nodes are near each other; read by hierarchical algorithms
};

/// What an algorithm needs of its parameters.
enum class Need {
  power_of_two,      ///< p = 2^d
  extents,           ///< p = the product of the extents
  even,              ///< p is even, or 1
  rows_and_columns,  ///< the extents are two of at least 2, or p = 1
  domains,           ///< a hierarchy of p nodes whose domains the algorithms in use can serve
};
/// "power_of_two", "extents", "even", "rows_and_columns", "domains".
std::string_view name(Need need);

/// Whether an algorithm combines in rank order, when Parameters::keep_order asks for it.
enum class KeepsOrder {
  always,        ///< for every root, at no price ("yes"); also where nothing is combined
  through_zero,  ///< for some roots by way of rank 0, or of the first of the ranks that an algorithm in use
                 ///< works for, at the price of a round each time ("through rank 0")
  never,         ///< for p > 2 not at all ("no"): needs a commutative operator
};
/// "yes", "through rank 0", "no".
std::string_view name(KeepsOrder keeps_order);

/// A family of topologies whose links carry the algorithm without congestion: for every root and every round,
/// load 1.
struct Carrier {
  std::string_view family;   ///< as in the text of a topology: "array", "ring", "mesh", ...
  std::string_view routing;  ///< a named routing of that family; empty: its default
};

/// A number that an algorithm promises: the formula for people and the same formula for tests.
struct Count {
  /// Of p and the other parameters.
  using Formula = int (*)(const Parameters&);
  std::string_view text;  ///< "ceil(log2 p)"
  Formula value;          ///< what the text says, as a number
};

/// A name that an algorithm's formulas use besides p, m, t_s and so on (vnode/lab/formula.hpp).
struct Symbol {
  std::string_view name;               ///< "D"
  std::string_view meaning;            ///< "the depth of the deeper tree"
  double (*value)(const Parameters&);  ///< for given parameters
};

/// The p up to which algorithms are verified if nothing else is asked for.
inline constexpr int usual_sweep = 64;

/// One algorithm, a row of the registry. Everything but `build` is a promise that the verifier holds it to.
struct Algorithm {
  std::string_view name;  ///< `collective_algorithm`
  Collective collective;  ///< what it achieves
  /// A pure function. Call it only if why_not() is silent.
  Schedule (*build)(const Parameters&);
  /// Startups and words by formula, not derived from the schedule.
  Cost (*cost)(const Parameters&);
  Count rounds;     ///< of the schedule
  Count transfers;  ///< messages, all rounds together
  /// T as a formula in t_s, t_w, t_op, m, p and so on, in the grammar of vnode/lab/formula.hpp: "(t_s + t_w
  /// m) log2 p". It evaluates to what `cost` says.
  std::string_view time = {};
  std::span<const Symbol> symbols = {};  ///< that `time`, `rounds` and `transfers` use of its own
  /// The pairs that may talk in a round (numbered from 0): the algorithm's distances, as a rule.
  bool (*peers)(const Parameters&, int round, Rank from, Rank to);
  Ports ports = Ports::single;       ///< the port model it keeps to
  std::span<const Need> needs = {};  ///< all of them; none: any p
  /// For Need::domains: why the algorithms that it is made of cannot serve the hierarchy, if so.
  std::optional<std::string> (*domains_refused)(const Parameters&) = nullptr;
  bool dimension_order = false;                 ///< reads Parameters::dimension_order
  bool segments = false;                        ///< reads Parameters::segments
  bool radix = false;                           ///< reads Parameters::radix
  KeepsOrder keeps_order = KeepsOrder::always;  ///< whether operators need not be commutative
  std::span<const Carrier> carriers = {};       ///< where it is free of congestion
  /// A sweep that goes to usual_sweep nodes goes on to this p, if it is more: some patterns take many nodes
  /// to show themselves.
  int sweep_to = usual_sweep;
  std::string_view best_for = {};  ///< half a sentence for a person
  std::string_view source = {};    ///< where it was published
};

/// The registry: every algorithm there is, by collective.
std::span<const Algorithm> algorithms();
/// The algorithm of that name; UsageError names near matches.
const Algorithm& algorithm(std::string_view name);
/// nullopt if the algorithm can run with these parameters, otherwise the reason: "needs a power of two, 6 is
/// not".
std::optional<std::string> why_not(const Algorithm& algorithm, const Parameters& parameters);
/// The port model that an algorithm keeps to with these parameters: its own, or, with a hierarchy, that of
/// the algorithms it is made of.
Ports ports(const Algorithm& algorithm, const Parameters& parameters);
/// What a schedule of `blocks` blocks must achieve to be this collective. A scan's message has
/// parameters.segments blocks, so that there are running totals if `blocks` is twice that, for an exclusive
/// scan three times.
Contract contract(Collective collective, const Parameters& parameters, int blocks);

}  // namespace vnode
#pragma GCC visibility pop
