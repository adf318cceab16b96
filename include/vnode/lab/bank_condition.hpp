#pragma once

#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/model/memory_banks.hpp>
#include <vnode/model/message_costs.hpp>
#include <vnode/model/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the load that a round puts on memory. A message is two streams: one reads the bank of its
/// sender's buffer, one writes that of its receiver's. A buffer on every bank is a share of a stream in each.
struct BankLoad {
  int bank = -1;  ///< the bank that slows its streams most, or is nearest to doing so; -1 if nothing is sent
  double streams = 0;  ///< S_b: concurrent streams of that bank
  double factor = 1;   ///< factor by which t_w grows in this round: S_b / (W_b t_w), at least 1
};

/// Says whether memory is fast enough for all ports: in every round S_b <= W_b t_w for every bank b, which
/// delivers W_b bytes per second, where a stream needs 1 / t_w.
struct BankCondition {
  std::vector<double> most;      ///< by bank, W_b t_w: the streams that it feeds at full speed
  std::vector<BankLoad> rounds;  ///< one for each round
  double seconds = 0;            ///< the sum over the rounds of t_s + t_w * factor * the largest message
  double unlimited = 0;          ///< that sum if all banks sufficed

  /// Returns whether the condition is met in every round.
  bool holds() const;
  /// Returns the load of the round with the greatest factor, the first of equal ones; an empty one if there
  /// is none.
  BankLoad tightest() const;
};

/// Returns the condition for a schedule. Messages use the ports where their paths begin and end; the links
/// between NUMA nodes are not counted. Throws UsageError if the topology has another number of nodes, or a
/// bank does not exist. O(messages x (links of a path + banks)).
BankCondition bank_condition(const Schedule& schedule, const Volume& volume, const Interconnect& interconnect,
                             const MemoryBanks& memory, const Hockney& costs);

}  // namespace vnode
#pragma GCC visibility pop
