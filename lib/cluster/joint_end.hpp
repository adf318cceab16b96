#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "channel/processes.hpp"
#include "channel/wire.hpp"
#include "transport/remote.hpp"
#include "watch/remote_journals.hpp"

namespace vnode {

/// Ends a run whose nodes are in several processes: all of them come to its end, know what was wrong, and
/// leave no message of it in transit. All call the same functions, in this order, once for each run.
class JointEnd {
 public:
  /// Is made when all nodes of this process have been connected. All arguments outlive it.
  JointEnd(Transport& transport, Fabric& fabric);

  /// Holds what the processes know together of the calls of a run.
  struct Compared {
    bool ended_by_calls = false;  ///< a Mismatch or a Deadlock has ended it in some process
    std::string differ;  ///< says which calls of two processes' nodes do not match; empty: none found
  };
  /// Meets the other processes when the nodes of this one have come to the end of a run. Afterwards it is
  /// known whether the run has failed, and all messages have arrived. If calls do not match, the journals of
  /// all nodes are there too, until the fabric is reset.
  Compared meet();
  /// Returns what was wrong with the run, here and elsewhere, or null. No message of it is in transit any
  /// more.
  std::exception_ptr conclude(std::exception_ptr wrong);

 private:
  std::string compare_calls(const std::function<void()>& look);
  /// Advances messages, and returns true when none is in transit.
  bool take_in();
  void poll();
  /// Returns the sum of a counter over the wires of all nodes here, for messages to or from a process.
  std::uint64_t sum(std::uint64_t (Wire::*count)(int) const, int process) const;
  Rank first() const { return processes_.first(processes_.here()); }
  Rank last() const { return processes_.last(processes_.here()); }

  Transport& transport_;
  const Processes& processes_;
  Fabric& fabric_;
  const std::vector<Remote*>& remotes_;  // of the nodes here
  RemoteJournals told_;
};

}  // namespace vnode
