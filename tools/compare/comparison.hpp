#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/charts.hpp>
#include <vnode/model/select.hpp>

#include "options/costs.hpp"
#include "options/written.hpp"

namespace vnode {

/// Says what is compared: one collective on one topology, for some sizes, under some costs.
struct Contest {
  Demand demand{};                       ///< its bytes are those of each size in turn
  Topology topology;                     ///< whose congestion excludes algorithms from being the best
  int machines = 1;                      ///< that have as many consecutive nodes each
  std::vector<std::size_t> sizes{};      ///< m, ascending
  std::vector<const Algorithm*> only{};  ///< these algorithms; empty: all of the collective
  CostChoice costs{};                    ///< what predictions start from
  CostModel farthest{};                  ///< of messages between the farthest nodes
};

/// The most transfers of a simulated schedule: with more, all sizes of one algorithm would take minutes.
inline constexpr int most_simulated_transfers = 1 << 20;

/// Holds the times of one algorithm for one size.
struct Entry {
  std::size_t bytes = 0;                 ///< m
  const Algorithm* algorithm = nullptr;  ///< of the register
  int segments = 1;                      ///< the number with the least estimate
  Hierarchy hierarchy{};                 ///< of a hierarchical algorithm, in the form that was compared
  bool carried = true;                   ///< promises load 1 on the topology, or no other does either
  bool best = false;                     ///< the cheapest of those that are carried, and compared
  /// Holds seconds, one for each of Comparison::kinds; nothing where nothing was simulated.
  std::vector<std::optional<double>> predicted{};
  std::optional<double> measured{};  ///< seconds, where it was measured
  bool late = false;                 ///< `measured` is of rounds that began late, for lack of others
};

/// Says how the rounds of a measurement began.
struct Beginnings {
  bool together = false;  ///< at one moment of the clock; otherwise there were more nodes than cores
  std::size_t rounds = 0, late = 0;  ///< all rounds, and those that some node began late
};

/// Holds all algorithms that can run, size by size, in the order of the register.
struct Comparison {
  /// Names the predictions. "estimate" is what the choice of an algorithm goes by (Candidate::seconds);
  /// "formula" is the textbook's T, which knows one machine only; "simulated" goes message by message, with
  /// the congestion of the topology and of machines' links.
  std::vector<std::string> kinds{};
  std::vector<Entry> entries{};
  std::optional<Beginnings> beginnings{};  ///< where it was measured
};

/// Predicts every algorithm of the collective that is asked for and can run, for every size; hierarchical
/// ones in both forms, unless one is asked for. Throws UsageError if no algorithm can run, or if they have
/// too many transfers to be looked at in time.
Comparison compared(const Contest& contest);

/// Returns "broadcast_pipeline", or of a hierarchical algorithm that is compared in both forms
/// "broadcast_hierarchical, leaders".
std::string entry_name(const Contest& contest, const Entry& entry);
/// Tells whether both have the same predicted times for the same size, and none was measured.
bool tied(const Entry& a, const Entry& b);
/// Tells whether some entry was measured.
bool measured(const Comparison& comparison);
/// Returns the plot of times over sizes, without a title: eight algorithms at most, those that are the best
/// of some size first, and a note that names the others. It has no line if no time has a place on the axes.
Plot plot_of(const Contest& contest, const Comparison& comparison);

/// Returns the report in the form that the options ask for. The picture is of time over size: a line for each
/// algorithm, dashed for measured times.
std::string comparison_report(const Contest& contest, const Comparison& comparison,
                              const ReportOptions& options);

/// Measures every entry on this machine, with one team of the topology's nodes, and sets Entry::measured and
/// Comparison::beginnings: the seconds from a common start until the last node is done, the median of its
/// rounds.
///
/// All algorithms of a size take turns, as vnode::measure(Team&, ...) lets them. All use the same memory,
/// which the nodes that bring data write anew before each call, and calls are planned before. Where every
/// node has a core of its own the nodes start at one moment of the clock, and a round that some node has
/// entered late is dropped, unless all were late, which Entry::late says. Elsewhere they start when they have
/// met, and the time counts from the first that enters. Calls `measured` with the share that is done so far.
/// Throws UsageError if the data need more than half of the machine's memory.
void measure(const Contest& contest, Comparison& comparison, const std::function<void(double)>& measured);

}  // namespace vnode
