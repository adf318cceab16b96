#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "channel/wire.hpp"
#include "communicator/engine.hpp"
#include "runtime/processes.hpp"
#include "runtime/told_calls.hpp"

namespace vnode {

/// Ends a run whose nodes are in several processes: all of them come to its end, know what was wrong, and
/// leave nothing of it on its way. All call the same functions, in this order, once for each run.
class JointEnd {
 public:
  /// Takes the engines of this process's nodes. All arguments outlive it.
  JointEnd(Transport& transport, Fabric& fabric, const std::vector<std::unique_ptr<Engine>>& engines);

  /// Says what processes know together of the calls of a run.
  struct Compared {
    bool ended_by_calls = false;  ///< a Mismatch or a Deadlock has ended it in some process
    std::string differ;           ///< calls of nodes of two processes, one of which has found that
  };
  /// The nodes of this process have come to the end of a run: whether it has failed is known afterwards, and
  /// all messages are there. If calls do not match, so are the journals of all nodes, until the fabric
  /// is reset.
  Compared meet();
  /// Returns what was wrong with the run, here and elsewhere, or null. Nothing of it is on its way any more.
  std::exception_ptr conclude(std::exception_ptr wrong);

 private:
  std::string compare_calls(const std::function<void()>& look);
  /// Lets messages come and go. True when none is on its way.
  bool take_in();
  void poll();
  /// Adds up what the wires of all nodes here have counted, to or from a process.
  std::uint64_t sum(std::uint64_t (Wire::*count)(int) const, int process) const;
  Rank first() const { return processes_.first(processes_.here()); }
  Rank last() const { return processes_.last(processes_.here()); }

  Transport& transport_;
  const Processes& processes_;
  Fabric& fabric_;
  const std::vector<std::unique_ptr<Engine>>& engines_;
  ToldCalls told_;
};

}  // namespace vnode
