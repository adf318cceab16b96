#pragma once

#include <optional>
#include <span>
#include <vector>

#include <vnode/lab/pu_distance.hpp>
#include <vnode/topology.hpp>

#include "placement/link_graph.hpp"
#include "placement/slots.hpp"

namespace vnode {

/// What does not change while mappings are searched.
struct SearchSpace {
  SearchSpace(const Machine& machine, const Topology& topology, std::span<const double> weights,
              const std::optional<NumaDistances>& distances);

  PuDistance distance;
  LinkGraph graph;
  Slots slots;
  bool complete;                ///< all nodes are linked with weight 1: it only counts which PUs are used
  std::vector<int> l3s, numas;  ///< by PU, the domain
};

/// The ranks on the slots, and the exchange of what two slots hold. A slot that is open may be empty, and so
/// may its partner in an exchange; the others never are.
class SearchState {
 public:
  /// pus[i] is where node i begins; they fill the space's slots.
  SearchState(const SearchSpace& space, const std::vector<int>& pus);

  std::vector<int> pus() const;
  int slots() const { return static_cast<int>(slots_.size()); }
  int slot_of(Rank rank) const { return slot_of_[static_cast<std::size_t>(rank)]; }
  bool may_exchange(int a, int b) const;
  /// What an exchange adds to the hops.
  double change(int a, int b) const;
  void exchange(int a, int b);
  /// The slots whose PUs are of the same L3 as this one's.
  const std::vector<int>& near(int slot) const;
  /// The slots of each NUMA node.
  const std::vector<std::vector<int>>& by_numa() const { return by_numa_; }

 private:
  struct Slot {
    int pu;
    bool open;
    Rank rank;  ///< -1: empty
  };
  const Slot& at(int slot) const { return slots_[static_cast<std::size_t>(slot)]; }
  /// What the links of `rank`, but those to `except`, get longer if it goes to `pu`.
  double change(Rank rank, int pu, Rank except) const;

  const SearchSpace& space_;
  std::vector<Slot> slots_;  ///< certain ones first
  std::vector<int> slot_of_;
  std::vector<std::vector<int>> by_l3_, by_numa_;
};

}  // namespace vnode
