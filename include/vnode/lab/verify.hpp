#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/contract.hpp>
#include <vnode/lab/cost.hpp>
#include <vnode/lab/ports.hpp>
#include <vnode/lab/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What a schedule is held to beyond its contract. What is left empty is not checked.
struct Promises {
  Ports ports = Ports::single;        ///< the port model
  std::optional<int> rounds = {};     ///< their number
  std::optional<int> transfers = {};  ///< messages, all rounds together
  /// Must equal the step-synchronous cost, where what comes first to an empty place is not combined.
  std::optional<Cost> cost = {};
  /// The pairs that may talk in a round, numbered from 0.
  std::function<bool(int round, Rank from, Rank to)> peers = {};
  bool in_order = false;   ///< contributions are combined in rank order
  bool same_bits = false;  ///< all nodes' outputs of a block are the same expression: rounding is the same
};

/// Replays `schedule` on counted contributions and returns what is wrong with it as sentences; none if it
/// keeps its contract and promises. Of more than a hundred things it tells the first hundred, and last the
/// number of the others. Rounds and blocks are numbered as picture() does. Beyond contract and
/// promises it checks:
/// - causality: what is sent was held before the round; nothing is sent to oneself;
/// - nothing happens for nothing: a replace brings something new, a signal news, no transfer stands there
///   twice, an output depends on every block that is sent;
/// - nothing is counted twice: combines join disjoint sets of contributions to one block;
/// - one way to write a thing: one arrival in an empty place is a replace, several are one n-ary combine;
/// - sides: the operand with the lowest origin is the left one (of a transfer of many blocks the first
///   decides); in an n-ary combine lower ranks come before, higher ranks after. So both partners of an
///   exchange compute the same expression.
/// Cost: a few tens of nanoseconds per block of a transfer.
std::vector<std::string> verify(const Schedule& schedule, const Contract& contract,
                                const Promises& promises = {});

/// Whether every output is combined in rank order: then a non-commutative operator will do.
bool keeps_order(const Schedule& schedule, const Contract& contract);

/// Whether every output is the canonical expression of its contributions, so that its bits are the same
/// whatever the algorithm: the contributions in rank order, lowest bit first. Neighbours are combined in
/// pairs, the first with the second, the third with the fourth; then the pairs likewise, and so on; what has
/// no partner at the end of a level is carried up to the next as it is. For p = 5 that is
/// (((0 1) (2 3)) 4), for p = 6 (((0 1) (2 3)) (4 5)): always the first 2^k < p, as many as possible, and the
/// rest. An n-ary combine is taken as evaluated likewise over its operands. True where nothing is combined.
bool canonical(const Schedule& schedule, const Contract& contract);

/// A schedule with one mistake in it.
struct Mutant {
  std::string mistake;  ///< "round 2, transfer 1 (0>2): dropped"
  Schedule schedule;    ///< with the mistake
};
/// Every schedule that differs from `schedule` in one transfer that is dropped, there twice, from or into
/// another node, from or into other blocks, without its first or last block or with one more, of another
/// effect or side, or one round earlier.
std::vector<Mutant> mutants(const Schedule& schedule);

/// How a schedule's mutants fare.
struct MutantFindings {
  long mutants = 0;                    ///< how many there are
  std::vector<std::string> survivors;  ///< the mistakes of those that verify() accepts
};
/// Verifies all mutants(schedule), without making a copy of the schedule for each, and each only from the
/// round of its mistake on. UsageError if verify() does not accept the schedule itself.
MutantFindings verify_mutants(const Schedule& schedule, const Contract& contract,
                              const Promises& promises = {});

}  // namespace vnode
#pragma GCC visibility pop
