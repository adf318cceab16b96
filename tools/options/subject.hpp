#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/cost.hpp>
#include <vnode/lab/interconnect.hpp>
#include <vnode/lab/schedule.hpp>
#include <vnode/lab/select.hpp>
#include <vnode/topology.hpp>

#include "options/place.hpp"

namespace vnode {

/// The most segments that can be asked for.
inline constexpr int most_asked_segments = 1 << 20;

/// What a command looks at, as it is asked for: an algorithm of the register by name, or a schedule of the
/// user's own from a file in the text form; on a topology.
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
/// UsageError if --segments, --radix or --hierarchy is given and the algorithm reads none.
void refuse_unread(const PlaceOptions& options, std::optional<int> segments, const Algorithm& algorithm);

/// The algorithms that lists of names, "a,b", name, each once. UsageError for a name that is none, and for
/// one of another collective if there is one.
std::vector<const Algorithm*> named_algorithms(const std::vector<std::string>& lists,
                                               std::optional<Collective> collective);

/// The schedule in a file in the text form. UsageError names the file, the line and the column.
Schedule read_schedule(const std::string& path);

/// Single if no node sends, or receives, two messages in a round; else all.
Ports ports_of(const Schedule& schedule);

/// The routing that the algorithm names for such a topology, or else the topology's first.
Routing routing_of(const Algorithm* algorithm, const Topology& topology);

/// What a command looks at.
struct Subject {
  const Algorithm* algorithm = nullptr;  ///< null for a schedule from a file
  std::optional<Collective> collective;  ///< the algorithm's, or --collective
  Parameters parameters;                 ///< what the schedule was built with
  Schedule schedule;                     ///< itself
  Topology topology;                     ///< by default the first that carries the algorithm at load 1
  Routing routing;                       ///< as asked for, or what the algorithm names, or the default
  int machines = 1;                      ///< that the nodes are on; of several, the topology does not count

  /// The algorithm's name, or "FILE".
  std::string title;
  /// What the schedule is to achieve; none where nobody says it.
  std::optional<Contract> contract() const;
  /// The size of its blocks if m is `bytes`: by its contract, or all of them make m.
  Volume volume(std::size_t bytes) const;
  /// What the algorithm is made for; ports_of() a schedule from a file.
  Ports ports() const;
  /// What its messages travel on.
  Interconnect interconnect(Duplex duplex = Duplex::full) const {
    return {topology, routing, duplex, machines};
  }
};

/// Where messages are cut into segments and --segments is not given, `segments` says how many there are.
/// UsageError for all that cannot be.
Subject subject(const SubjectOptions& options, int segments = 1);

/// The subject, its message of so many bytes cut into as many segments as its time by formula is least with,
/// unless `wanted` says how many, or it has none.
Subject with_segments(Subject subject, const SubjectOptions& wanted, std::size_t bytes,
                      const CostModel& costs);

/// What has more transfers is not built: it would take more than seconds, and some hundred MiB.
inline constexpr double most_built_transfers = 1 << 20;
/// The same for each of the schedules that are built when an algorithm is chosen, one after the other.
inline constexpr double most_chosen_transfers = 1 << 22;

/// By the formula as it is written: of many nodes there are more than an int counts.
double transfers_of(const Algorithm& algorithm, const Parameters& parameters);

/// UsageError, which says what would be right, if the algorithm's schedule has too many transfers or blocks
/// to be built.
void check_built(const Algorithm& algorithm, const Parameters& parameters);

/// The same, with what else would be right, for all schedules that are built when an algorithm is chosen:
/// those of one message each, of all algorithms of the collective or of the one that the demand names. How
/// many segments a choice will make is not known before. Algorithms over domains, which are built to be
/// counted, have about as many transfers as the others of their collective.
void check_choice(const Demand& demand, const char* or_else = "");

}  // namespace vnode
