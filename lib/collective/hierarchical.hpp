#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/error.hpp>

#include "collective/formula.hpp"
#include "collective/overlapped.hpp"
#include "collective/phases.hpp"
#include "collective/remembered.hpp"
#include "collective/row.hpp"

namespace vnode {

/// What a hierarchical algorithm leaves to others: collectives inside a domain, and across domains.
struct Tasks {
  std::span<const Collective> inner, outer;
};
/// Of the hierarchical algorithm for `collective`.
Tasks tasks(Collective collective, HierarchyForm form);

/// The outermost level of a hierarchy, and the schedules of the algorithms that work inside its domains and
/// among them. All functions that build throw UsageError, a reason as why_not() gives it, if an algorithm
/// cannot serve.
class Level {
 public:
  /// For the hierarchical algorithm of this collective.
  Level(Collective collective, const Parameters& parameters);

  HierarchyForm form() const { return form_; }
  /// The ranks of each domain.
  const Hierarchy::Domains& domains() const { return domains_; }
  int count() const { return static_cast<int>(domains_.size()); }
  const std::vector<Rank>& domain(int index) const { return domains_[static_cast<std::size_t>(index)]; }
  int size(int index) const { return static_cast<int>(domain(index).size()); }
  /// The number of nodes of a domain that talk to other domains: 1, or as many as the smallest has.
  int slices() const { return slices_; }
  /// The domain of a rank, and its place there.
  int domain_of(Rank rank) const;
  int place_of(Rank rank) const;
  /// Node `slice` of every domain.
  std::vector<Rank> across(int slice) const;
  /// The places in domain `index` whose nodes leave it to node `slice` to talk to other domains: slice, slice
  /// + slices() and so on.
  std::vector<int> served(int index, int slice) const;
  /// Their ranks.
  std::vector<Rank> served_ranks(int index, int slice) const;

  /// UsageError if rank order is asked for and a domain's ranks are not consecutive.
  void check_order() const;

  /// An algorithm's schedule for all nodes of domain `index`, from or to the one at place `root`; of domains
  /// that are equal, built once.
  const Schedule& inside(Collective task, int index, int root = 0) const;
  /// The same for `nodes` nodes of a domain.
  const Schedule& among(Collective task, int nodes, int root = 0) const;
  /// For one node of each domain.
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

/// The first `given` of so many nodes have a unit each, the others none: {0}, {1}, {} ...
std::vector<Units> first_units(int nodes, int given);
/// Every rank has the unit of its own number: {ranks[0]}, {ranks[1]} ...
std::vector<Units> own_units(const std::vector<Rank>& ranks);

/// A hierarchical algorithm: the rows of the register are made of one segment's schedule, which is overlapped
/// with those of the other segments. `segment` throws UsageError if an algorithm cannot serve.
template <Collective collective, Schedule (*segment)(const Parameters&)>
struct Hierarchical {
  static Overlapped overlapped(const Parameters& parameters) {
    Schedule schedule = segment(parameters);
    const int message_blocks = contract(collective, parameters, schedule.blocks()).message_blocks;
    return {std::move(schedule), message_blocks};
  }
  static const Overlapped& made(Parameters parameters) {
    parameters.segments = 1;
    return remembered<overlapped>(parameters);
  }
  static std::optional<std::string> refused(const Parameters& parameters) try {
    made(parameters);
    return std::nullopt;
  } catch (const UsageError& error) {
    return error.what();
  }

  static Schedule build(const Parameters& parameters) {
    return made(parameters).schedule(parameters.segments);
  }
  static Cost cost(const Parameters& parameters) { return made(parameters).cost(parameters.segments); }
  static int rounds(const Parameters& parameters) { return made(parameters).rounds(parameters.segments); }
  static int transfers(const Parameters& parameters) {
    return made(parameters).transfers(parameters.segments);
  }
  static bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
    return made(parameters).peers(parameters.segments, round, from, to);
  }

  static constexpr Symbol R{
      "R", "the rounds of one segment: of the outer and of the inner algorithms, in turn",
      [](const Parameters& parameters) -> double { return made(parameters).rounds_of_segment(); }};
  static constexpr Symbol P{"P",
                            "the rounds from one segment's beginning to the next one's: until all ports "
                            "are free again; 0 if nothing is sent",
                            [](const Parameters& parameters) -> double {
                              return made(parameters).rounds(2) - made(parameters).rounds(1);
                            }};
  static constexpr Symbol M{"M", "the messages of one segment", [](const Parameters& parameters) -> double {
                              return made(parameters).messages_of_segment();
                            }};
  static constexpr Symbol W{"W", "the largest messages of all rounds together, in m",
                            [](const Parameters& parameters) -> double { return cost(parameters).words; }};
  static constexpr Symbol C{"C", "what those who combine most in each round combine, together, in m",
                            [](const Parameters& parameters) -> double { return cost(parameters).combined; }};
  static constexpr Symbol moving[] = {R, P, M, W};
  static constexpr Symbol combining[] = {R, P, M, W, C};
  static constexpr Symbol signalling[] = {R, M};
};

inline constexpr Need domains[] = {Need::domains};

/// The row of an algorithm that `Promised` builds, a Hierarchical: what it states of ports, needs and
/// carriers is the same for all.
template <class Promised>
constexpr Algorithm hierarchical_row(Stated stated) {
  stated.ports = Ports::all;
  stated.needs = domains;
  stated.carriers = fully_connected;
  Algorithm row = row_of<Promised>(stated);
  row.domains_refused = Promised::refused;
  return row;
}

/// The same of one that moves data segment by segment, and of one that combines it.
template <class Promised>
constexpr Algorithm moving_row(Stated stated) {
  stated.rounds = "R + (k - 1) P";
  stated.transfers = "M k";
  stated.time = "(R + (k - 1) P) t_s + W t_w m";
  stated.symbols = Promised::moving;
  stated.segments = true;
  return hierarchical_row<Promised>(stated);
}
template <class Promised>
constexpr Algorithm combining_row(Stated stated) {
  Algorithm row = moving_row<Promised>(stated);
  row.time = "(R + (k - 1) P) t_s + (W t_w + C t_op) m";
  row.symbols = Promised::combining;
  return row;
}

// Those that others are duals of, or the same backwards.
Schedule broadcast_hierarchical(const Parameters& parameters);
Schedule all_gather_hierarchical(const Parameters& parameters);
Schedule scatter_hierarchical(const Parameters& parameters);
/// The dual of what is moved by `build`, one segment of it. With keep_order, UsageError if it does not
/// combine in rank order.
Schedule hierarchical_dual(Schedule (*build)(const Parameters&), const Parameters& parameters);

}  // namespace vnode
