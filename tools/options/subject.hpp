#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/cost.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/model/select.hpp>
#include <vnode/topology.hpp>

#include "options/place.hpp"

namespace vnode {

/// The most segments that can be asked for.
inline constexpr int most_asked_segments = 1 << 20;

/// Says what a command looks at, as it is asked for: an algorithm of the register by name, or a schedule of
/// the user's own from a file in the text form; on a topology.
struct SubjectOptions : PlaceOptions {
  std::string algorithm;                  ///< ALGORITHM; empty with --schedule
  std::optional<std::string> schedule;    ///< --schedule FILE
  std::optional<std::string> collective;  ///< --collective: what a schedule from a file is to achieve
  std::optional<int> segments;            ///< --segments
  std::optional<Routing> routing;         ///< --routing
  bool in_order = false;                  ///< --in-order: the operator is not commutative
};

/// Adds ALGORITHM and all the options of both to a command.
void add_subject(Command command, SubjectOptions& options);

/// Adds --segments; the help says what is `usual`.
void add_segments(Command command, std::optional<int>& segments, const std::string& usual);
/// Throws UsageError if --segments, --radix or --hierarchy is given and the algorithm reads none.
void refuse_unread(const PlaceOptions& options, std::optional<int> segments, const Algorithm& algorithm);

/// Returns the algorithms that lists like "a,b" name, each once. Throws UsageError for a name that no
/// algorithm has, and, if a collective is given, for an algorithm of another one.
std::vector<const Algorithm*> named_algorithms(const std::vector<std::string>& lists,
                                               std::optional<Collective> collective);

/// Reads the schedule in a file in the text form. Throws UsageError, which names the file, the line and the
/// column.
Schedule read_schedule(const std::string& path);

/// Returns Ports::single if no node sends, or receives, two messages in a round; else Ports::all.
Ports ports_of(const Schedule& schedule);

/// Returns the routing that the algorithm names for such a topology, or else the topology's first.
Routing routing_of(const Algorithm* algorithm, const Topology& topology);

/// Holds what a command looks at.
struct Subject {
  const Algorithm* algorithm = nullptr;  ///< null for a schedule from a file
  std::optional<Collective> collective;  ///< the algorithm's, or --collective
  Parameters parameters;                 ///< what the schedule was built with
  Schedule schedule;                     ///< itself
  Topology topology;                     ///< by default the first that carries the algorithm at load 1
  Routing routing;                       ///< as asked for, or what the algorithm names, or the default
  int machines = 1;                      ///< that the nodes are on; of several, the topology does not count

  /// Holds the algorithm's name, or "FILE".
  std::string title;
  /// Returns what the schedule is to achieve; nothing where that is not given.
  std::optional<Contract> contract() const;
  /// Returns the size of its blocks if m is `bytes`: by its contract, or, without one, so that all of them
  /// make m.
  Volume volume(std::size_t bytes) const;
  /// Returns the ports that the algorithm is made for, or ports_of() a schedule from a file.
  Ports ports() const;
  /// Returns what its messages travel on.
  Interconnect interconnect(Duplex duplex = Duplex::full) const {
    return {topology, routing, duplex, machines};
  }
};

/// Returns the subject that is asked for. Where messages are cut into segments and --segments is not given,
/// `segments` says how many there are. Throws UsageError for all that cannot be.
Subject subject(const SubjectOptions& options, int segments = 1);

/// Returns the subject with its message of so many bytes cut into the number of segments with the least time
/// by formula, unless `wanted` says how many, or its algorithm has none.
Subject with_segments(Subject subject, const SubjectOptions& wanted, std::size_t bytes,
                      const CostModel& costs);

/// The most transfers of a schedule that is built: with more it would take more than seconds, and some
/// hundred MiB.
inline constexpr double most_built_transfers = 1 << 20;
/// The most transfers of each of the schedules that are built, one after the other, when an algorithm is
/// chosen.
inline constexpr double most_chosen_transfers = 1 << 22;

/// Returns the number of transfers by the formula as it is written: of many nodes there are more than an int
/// counts.
double transfers_of(const Algorithm& algorithm, const Parameters& parameters);

/// Throws UsageError, which says what would be right, if the algorithm's schedule has too many transfers or
/// blocks to be built.
void check_built(const Algorithm& algorithm, const Parameters& parameters);

/// Throws UsageError in the same way, with `or_else` as another remedy, for all schedules that are built when
/// an algorithm is chosen: those of one message each, of all algorithms of the collective or of the one that
/// the demand names. How many segments a choice will make is not known before. Algorithms over domains, which
/// are built to be counted, have about as many transfers as the others of their collective.
void check_choice(const Demand& demand, const char* or_else = "");

}  // namespace vnode
