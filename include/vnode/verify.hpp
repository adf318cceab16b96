#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <vnode/contract.hpp>
#include <vnode/cost.hpp>
#include <vnode/ports.hpp>
#include <vnode/schedule.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What a schedule is held to beyond its contract. What is left empty is not checked.
struct Promises {
  Ports ports = Ports::single;        ///< the port model
  std::optional<int> rounds = {};     ///< their number
  std::optional<int> transfers = {};  ///< messages, all rounds together
  std::optional<Cost> cost = {};      ///< must equal the step-synchronous cost
  /// The pairs that may talk in a round, numbered from 0.
  std::function<bool(int round, Rank from, Rank to)> peers = {};
  bool in_order = false;  ///< contributions are combined in rank order
};

/// Replays `schedule` on counted contributions and returns what is wrong with it as sentences; none if it
/// keeps its contract and promises. Rounds and blocks are numbered as picture() does. Beyond contract and
/// promises it checks:
/// - causality: what is sent was held before the round; nothing is sent to oneself;
/// - nothing happens for nothing: a replace brings something new, a signal news, no transfer stands there
/// twice;
/// - nothing is counted twice: combines join disjoint sets of contributions to one block;
/// - one way to write a thing: one arrival in an empty place is a replace, several are one n-ary combine;
/// - sides: the operand with the lowest origin is the left one (of a transfer of many blocks the first
///   decides); in an n-ary combine lower ranks come before, higher ranks after. So both partners of an
///   exchange compute the same expression.
/// Cost: O(transfers * blocks * nodes).
std::vector<std::string> verify(const Schedule& schedule, const Contract& contract,
                                const Promises& promises = {});

/// Whether every output is combined in rank order: then a non-commutative operator will do.
bool keeps_order(const Schedule& schedule, const Contract& contract);

/// The traffic of one round on the links of a topology.
struct RoundLoad {
  int messages = 0;  ///< on the most loaded directed link
  int blocks = 0;    ///< on the directed link that carries most of them
  int largest = 0;   ///< blocks of the largest message
  friend bool operator==(const RoundLoad&, const RoundLoad&) = default;
};
/// One RoundLoad per round. UsageError if the topology has another number of nodes or not that routing.
std::vector<RoundLoad> link_loads(const Schedule& schedule, const Topology& topology, Routing routing);
/// The greatest number of messages on one directed link in any round; 0 if nothing is sent.
int greatest_load(const std::vector<RoundLoad>& loads);
/// The coefficient of t_w with congestion: a round takes as long as its largest message or its busiest link.
/// `message_blocks` blocks make m.
double scaled_words(const std::vector<RoundLoad>& loads, int message_blocks);

/// A schedule with one mistake in it.
struct Mutant {
  std::string mistake;  ///< "round 2, transfer 1 (0>2): dropped"
  Schedule schedule;    ///< with the mistake
};
/// Every schedule that differs from `schedule` in one transfer that is dropped, there twice, from or into
/// another node, from or into other blocks, of another effect or side, or one round earlier.
std::vector<Mutant> mutants(const Schedule& schedule);

}  // namespace vnode
#pragma GCC visibility pop
