#pragma once

#include <map>
#include <string>
#include <vector>

#include <vnode/contract.hpp>
#include <vnode/schedule.hpp>

#include "verify/values.hpp"

namespace vnode {

/// A schedule played on contributions. Every block of every node is a place that holds a value or none.
class Replay {
 public:
  /// Sentences go to `findings`. The schedule fits the contract in nodes and blocks, and its transfers are
  /// well formed.
  Replay(const Schedule& schedule, const Contract& contract, std::vector<std::string>& findings);

  /// Reports every output that is not what the contract wants.
  void check_outputs();
  /// Reports every output that is not combined in rank order.
  void check_order();

 private:
  struct Arrival {
    const Transfer* transfer;
    Value value;
    bool leads;  // the first block of its transfer, which decides the side of all
  };

  void play(const Round& round);
  std::vector<Value> sent(const Transfer& transfer);
  void check_sends_copy(Rank rank, int block);
  void arrive(Rank rank, int block, std::vector<Arrival>& arrivals);
  Value replaced(Rank rank, int block, const Arrival& arrival, Value own);
  Value combined(Rank rank, int block, std::vector<Arrival>& arrivals, Value own);
  void check_side(Rank rank, int block, const Arrival& arrival, bool before);
  void check_output(Rank rank, int block);
  std::string spelled(Value value) const;
  Value& place(Rank rank, int block);
  template <class... Arguments>
  void report(const char* format, const Arguments&... arguments);

  const Schedule& schedule_;
  const Contract& contract_;
  std::vector<std::string>& findings_;
  Values values_;
  std::vector<std::vector<Value>> places_;
  int round_ = 0;
};

/// A barrier played on knowledge: who knows of whom.
void replay_knowledge(const Schedule& schedule, std::vector<std::string>& findings);

}  // namespace vnode
