#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/select.hpp>

#include "options/costs.hpp"
#include "options/written.hpp"

namespace vnode {

/// What is compared: one collective on one topology, for some sizes, under some costs.
struct Contest {
  Demand demand{};                       ///< its bytes are those of each size in turn
  Topology topology;                     ///< whose congestion excludes algorithms from being the best
  int machines = 1;                      ///< that have as many consecutive nodes each
  std::vector<std::size_t> sizes{};      ///< m, ascending
  std::vector<const Algorithm*> only{};  ///< these algorithms; empty: all of the collective
  CostChoice costs{};                    ///< what predictions start from
  CostModel farthest{};                  ///< of messages between the farthest nodes
};

/// What has more transfers is not simulated: all sizes of one algorithm would take minutes.
inline constexpr int most_simulated_transfers = 1 << 20;

/// An algorithm for a size.
struct Entry {
  std::size_t bytes = 0;                 ///< m
  const Algorithm* algorithm = nullptr;  ///< of the register
  int segments = 1;                      ///< the number with the least estimate
  Hierarchy hierarchy{};                 ///< of hierarchical ones, in the form that was compared
  bool carried = true;                   ///< promises load 1 on the topology, or no other does either
  bool best = false;                     ///< the cheapest of those that are carried, and compared
  /// Seconds, one for each of Comparison::kinds; none where nothing was simulated.
  std::vector<std::optional<double>> predicted{};
  std::optional<double> measured{};  ///< seconds, where it was measured
  bool late = false;                 ///< of rounds that began late, for lack of others
};

/// How the rounds of a measurement began.
struct Beginnings {
  bool together = false;  ///< at one moment of the clock; otherwise there were more nodes than cores
  std::size_t rounds = 0, late = 0;  ///< all rounds, and those that some node began late
};

/// All that can run, size by size, in the order of the register.
struct Comparison {
  /// Of predictions. "estimate": what the choice of an algorithm goes by (Candidate::seconds); "formula": the
  /// textbook's T, which knows one machine only; "simulated": message by message, with the congestion of
  /// the topology and of machines' links.
  std::vector<std::string> kinds{};
  std::vector<Entry> entries{};
  std::optional<Beginnings> beginnings{};  ///< where it was measured
};

/// Predicts every algorithm of the collective that is asked for and can run, for every size; hierarchical
/// ones in both forms, unless one is asked for. UsageError if there is none, or if they have too many
/// transfers to be looked at in time.
Comparison compared(const Contest& contest);

/// "broadcast_pipeline"; of a hierarchical algorithm that is compared in both forms, "broadcast_hierarchical,
/// leaders".
std::string entry_name(const Contest& contest, const Entry& entry);
/// "broadcast on 8 nodes, full".
std::string comparison_title(const Contest& contest);
/// Whether there are measured times.
bool measured(const Comparison& comparison);
/// Measured by predicted time; none where nothing was predicted.
std::optional<double> ratio(const Entry& entry, std::size_t kind);
/// A line of names, and for each size a line for each algorithm; those with the same times have one together,
/// unless they were measured. The first cell of a size has its name, of the others nothing.
std::vector<std::vector<std::string>> comparison_rows(const Contest& contest, const Comparison& comparison);
/// What there is to say of these rows, a sentence or a list each.
std::vector<std::string> comparison_notes(const Contest& contest, const Comparison& comparison);

/// For a person, in lines of `width` letters if that is possible.
std::string comparison_table(const Contest& contest, const Comparison& comparison, std::size_t width);
/// As the options say. The picture is of time over size: a line for each algorithm, dashed where it was
/// measured.
std::string comparison_report(const Contest& contest, const Comparison& comparison,
                              const ReportOptions& options);

/// Measures every entry on this machine, with one team of the topology's nodes, and sets Entry::measured and
/// Comparison::beginnings: the seconds from a common start until the last node is done, the median of its
/// rounds.
///
/// Of a size all algorithms take turns, as vnode::measure(Team&, ...) lets them; all use the same memory,
/// which whoever brings data writes anew before. Calls are planned before. Where every node has a core of its
/// own they start at one moment of the clock, and a round that some node has entered late is dropped, unless
/// all were, which Entry::late says; elsewhere they start when they have met, and the first that enters
/// counts. `measured` is told the share done so far. UsageError if the data need more than half of the
/// machine's memory.
void measure(const Contest& contest, Comparison& comparison, const std::function<void(double)>& measured);

}  // namespace vnode
