#pragma once

#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/lab/memory_banks.hpp>
#include <vnode/lab/message_costs.hpp>
#include <vnode/lab/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Tells how much a round asks of memory. A message is two streams: one reads the bank of its sender's
/// buffer, one writes that of its receiver's. A buffer on every bank is a share of a stream in each.
struct BankLoad {
  int bank = -1;       ///< the one that slows its streams most, or would first; -1 if nothing is sent
  double streams = 0;  ///< S_b: streams of that bank at the same time
  double factor = 1;   ///< that t_w is multiplied by in this round: S_b / (W_b t_w), at least 1
};

/// Whether memory feeds all ports: in every round S_b <= W_b t_w for every bank b, which delivers W_b bytes
/// per second, where a stream needs 1 / t_w.
struct BankCondition {
  std::vector<double> most;      ///< by bank: W_b t_w, the streams that it feeds
  std::vector<BankLoad> rounds;  ///< in their order
  double seconds = 0;            ///< the rounds one after the other: t_s + t_w * factor * the largest message
  double unlimited = 0;          ///< the same if all banks sufficed

  /// Whether it is met in every round.
  bool holds() const;
  /// The round with the greatest factor, the first of equal ones; an empty one if there are none.
  BankLoad tightest() const;
};

/// The condition for a schedule. Messages take the ports where their ways begin and end; what lies between
/// NUMA nodes is not counted. UsageError if the topology has another number of nodes, or a bank does not
/// exist. O(messages x (links of a way + banks)).
BankCondition bank_condition(const Schedule& schedule, const Volume& volume, const Interconnect& interconnect,
                             const MemoryBanks& memory, const Hockney& costs);

}  // namespace vnode
#pragma GCC visibility pop
