#pragma once

#include <memory>
#include <oneapi/tbb/global_control.h>
#include <optional>
#include <string>
#include <vector>

#include <vnode/arena.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/machine_domains.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/rank.hpp>

namespace vnode {

/// Holds the arenas of a team's nodes: each arena has its node's share of the domain that the node is in.
class Arenas {
 public:
  /// Makes the arenas. With `pinning`, threads other than the nodes' are pinned to a node's share while they
  /// work there.
  Arenas(const Machine& machine, const Mapping& mapping, DomainLevel level, bool pinning);

  Arena& of(Rank rank) const { return *arenas_[static_cast<std::size_t>(rank)]; }
  /// Returns a line for people, without its line end.
  std::string report(const Machine& machine) const;

  /// Lets oneTBB find out how many threads it may have and where they may run, which it does once and for
  /// good. Must be called before a team pins the main thread, which would leave oneTBB a single PU.
  static void let_workers_be_counted();

 private:
  DomainLevel level_;
  std::vector<Arena::State*> states_;  // by rank, of:
  std::vector<std::unique_ptr<Arena>> arenas_;
  std::optional<oneapi::tbb::global_control> workers_;
};

}  // namespace vnode
