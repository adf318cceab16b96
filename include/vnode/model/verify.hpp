#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/model/cost.hpp>
#include <vnode/model/ports.hpp>
#include <vnode/model/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the promises that a schedule has to keep beyond its contract. Empty ones are not checked.
struct Promises {
  Ports ports = Ports::single;        ///< the port model
  std::optional<int> rounds = {};     ///< number of rounds
  std::optional<int> transfers = {};  ///< number of messages in all rounds together
  /// The step-synchronous cost, where the first arrival in an empty block does not count as combined.
  std::optional<Cost> cost = {};
  /// Returns whether node `from` may send to node `to` in a round, numbered from 0.
  std::function<bool(int round, Rank from, Rank to)> peers = {};
  bool in_order = false;   ///< whether contributions are combined in rank order
  bool same_bits = false;  ///< whether all nodes' outputs of a block are one expression, which rounds equally
};

/// Replays `schedule` on counted contributions and returns what is wrong with it as sentences; none if it
/// keeps its contract and promises. Beyond a hundred it returns the first hundred and the number of the
/// others. Rounds and blocks are numbered as picture() does. Costs a few tens of nanoseconds per block of a
/// transfer. Besides contract and promises it checks:
/// - causality: what is sent was held before the round; no node sends to itself;
/// - every transfer matters: a replace brings something new, a signal news, no transfer is repeated, an
///   output depends on every block that is sent;
/// - nothing is counted twice: combines join disjoint sets of contributions to one block;
/// - one form for each step: one arrival in an empty block is a replace, several are one n-ary combine;
/// - sides: the operand with the lowest origin is the left one (of a transfer of many blocks the first
///   decides); in an n-ary combine lower ranks come before, higher ranks after. So both partners of an
///   exchange compute the same expression.
std::vector<std::string> verify(const Schedule& schedule, const Contract& contract,
                                const Promises& promises = {});

/// Returns whether every output is combined in rank order, so that the operator need not be commutative.
bool keeps_order(const Schedule& schedule, const Contract& contract);

/// Returns whether every output is the canonical expression of its contributions, so that its bits are the
/// same whatever the algorithm: the contributions in rank order, lowest bit first. Neighbours are combined in
/// pairs, the first with the second, the third with the fourth; then the pairs likewise, and so on; a
/// contribution without a partner at the end of a level is carried up to the next as it is. For p = 5 that is
/// (((0 1) (2 3)) 4), for p = 6 (((0 1) (2 3)) (4 5)): always the first 2^k < p, as many as possible, and the
/// rest. An n-ary combine counts as evaluated likewise over its operands. True if nothing is combined.
bool canonical(const Schedule& schedule, const Contract& contract);

/// Verifies schedules that differ in a few rounds from one that is right, each only from these rounds on, and
/// without copying what they have in common. One thread uses it.
class ChangeVerifier {
 public:
  /// Throws UsageError if verify() does not accept the right schedule. The arguments need not live on.
  ChangeVerifier(const Schedule& schedule, const Contract& contract, const Promises& promises = {});
  ~ChangeVerifier();

  /// Returns whether verify() would accept `changed`, which differs from the right schedule in the rounds
  /// first to last only, numbered from 0. Costs a replay from `first` on. Throws UsageError if there are no
  /// such rounds, or if `changed` has another number of rounds.
  bool accepts(const Schedule& changed, int first, int last);

 private:
  struct [[gnu::visibility("hidden")]] State;
  std::unique_ptr<State> state_;
};

}  // namespace vnode
#pragma GCC visibility pop
