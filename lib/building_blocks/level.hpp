#pragma once

#include <deque>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/model/algorithms.hpp>

#include "building_blocks/phases.hpp"

namespace vnode {

/// Says that rank order is asked for and cannot be kept.
inline constexpr const char* needs_order =
    "needs a commutative operator, or domains of consecutive ranks and algorithms that combine in rank order";

/// Lists what a hierarchical algorithm leaves to others: collectives inside a domain, and across domains.
struct Tasks {
  std::span<const Collective> inner, outer;
};
/// Returns what the hierarchical algorithm for `collective` leaves to others.
Tasks tasks(Collective collective, HierarchyForm form);

/// Has the outermost level of a hierarchy, and builds the schedules of the algorithms that work inside its
/// domains and among them. All functions that build throw UsageError, a reason as why_not() gives it, if an
/// algorithm cannot serve.
class Level {
 public:
  /// Takes the outermost level of the parameters' hierarchy, for the hierarchical algorithm of `collective`.
  Level(Collective collective, const Parameters& parameters);

  HierarchyForm form() const { return form_; }
  /// Returns the ranks of each domain.
  const Hierarchy::Domains& domains() const { return domains_; }
  int count() const { return static_cast<int>(domains_.size()); }
  const std::vector<Rank>& domain(int index) const { return domains_[static_cast<std::size_t>(index)]; }
  int size(int index) const { return static_cast<int>(domain(index).size()); }
  /// Returns how many nodes of a domain exchange messages with other domains: 1, or as many as the smallest
  /// has.
  int slices() const { return slices_; }
  /// Return the domain of a rank, and its place there.
  int domain_of(Rank rank) const;
  int place_of(Rank rank) const;
  /// Returns the rank of node `slice` of every domain.
  std::vector<Rank> across(int slice) const;
  /// Returns the places in domain `index` that node `slice` serves, which exchanges messages with other
  /// domains for them: slice, slice + slices() and so on.
  std::vector<int> served(int index, int slice) const;
  /// Returns the ranks of the nodes at these places.
  std::vector<Rank> served_ranks(int index, int slice) const;

  /// Throws UsageError if rank order is asked for and a domain's ranks are not consecutive.
  void check_order() const;

  /// Returns an algorithm's schedule for all nodes of domain `index`, from or to the one at place `root`. It
  /// is built once for all domains that are equal.
  const Schedule& inside(Collective task, int index, int root = 0) const;
  /// Returns the same for `nodes` nodes of a domain.
  const Schedule& among(Collective task, int nodes, int root = 0) const;
  /// Returns an algorithm's schedule for one node of each domain.
  const Schedule& outside(Collective task, int root = 0) const;

 private:
  struct Built {
    Built(const Algorithm* row, Parameters told, Schedule made)
        : algorithm(row), parameters(std::move(told)), schedule(std::move(made)) {}
    const Algorithm* algorithm;
    Parameters parameters;
    Schedule schedule;
  };
  const Schedule& built(const Algorithm& algorithm, std::string_view where, Parameters parameters) const;

  HierarchyForm form_;
  Hierarchy hierarchy_;
  Hierarchy::Domains domains_;
  int slices_;
  int radix_;
  bool keep_order_;
  mutable std::deque<Built> built_;  // so far
};

/// Gives the first `given` of so many nodes a unit each, the others none: {0}, {1}, {} ...
std::vector<Units> first_units(int nodes, int given);
/// Gives every rank the unit of its own number: {ranks[0]}, {ranks[1]} ...
std::vector<Units> own_units(const std::vector<Rank>& ranks);

}  // namespace vnode
