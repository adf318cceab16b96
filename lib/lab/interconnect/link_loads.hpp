#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <vnode/lab/link_loads.hpp>

namespace vnode {

/// Finds what link_loads() finds for many schedules on the links of one topology: routes are looked up once.
class LinkLoads {
 public:
  LinkLoads(const Topology& topology, Routing routing) : topology_(topology), routing_(routing) {}

  /// Returns one RoundLoad per round. Throws UsageError if the topology has another number of nodes, or does
  /// not have that routing.
  std::vector<RoundLoad> of(const Schedule& schedule);

  const Topology& topology() const { return topology_; }
  Routing routing() const { return routing_; }

 private:
  struct Link {
    int messages = 0, blocks = 0, round = 0;  // in the round that last used it
  };
  struct Route {
    std::size_t first, last;  // in links_
  };

  Route route(Rank from, Rank to);

  Topology topology_;
  Routing routing_;
  std::unordered_map<std::int64_t, Route> routes_;  // by the pair of nodes: those that were asked for
  std::vector<int> route_links_;                    // by their place in links_
  std::unordered_map<int, int> places_;  // of the topology's links in links_: a full one has too many
  std::vector<Link> links_;
  int round_ = 0;  // of all schedules
};

}  // namespace vnode
