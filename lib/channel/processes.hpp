#pragma once

#include <string>
#include <vector>

#include <vnode/rank.hpp>

#include "base/at.hpp"
#include "channel/wire.hpp"

namespace vnode {

/// Knows which of a team's nodes is in which process, and which process runs on which machine. All processes
/// know the same, but for which one is here().
class Processes {
 public:
  explicit Processes(const Transport& transport);

  int count() const { return static_cast<int>(machines_.size()); }
  /// Returns the number of this process.
  int here() const { return here_; }
  int nodes() const { return static_cast<int>(of_.size()); }
  int of(Rank rank) const { return at(of_, rank); }
  bool is_here(Rank rank) const { return of(rank) == here_; }
  /// Return the first node of a process, and one more than the last.
  Rank first(int process) const { return at(firsts_, process); }
  Rank last(int process) const { return at(firsts_, process + 1); }
  /// Returns the machine that a process runs on.
  int machine(int process) const { return at(machines_, process); }
  const std::string& machine_name(int process) const { return at(names_, process); }
  /// Returns a text such as "process 1 on m2".
  std::string text(int process) const;

 private:
  int here_;
  std::vector<int> of_, machines_;
  std::vector<Rank> firsts_;
  std::vector<std::string> names_;
};

}  // namespace vnode
