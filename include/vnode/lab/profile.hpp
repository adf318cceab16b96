#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/lab/cost.hpp>
#include <vnode/lab/machine.hpp>
#include <vnode/lab/message_costs.hpp>
#include <vnode/lab/numa_distances.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// How near two PUs are, by the innermost part of the machine that both belong to. The nearest first.
enum class PairClass {
  same_core,       ///< PUs of one core, or one PU
  same_l2,         ///< cores that share a second level cache
  same_l3,         ///< cores that share a third level cache
  same_numa,       ///< one NUMA node
  same_package,    ///< two NUMA nodes of one package
  across_packages  ///< two packages
};
/// The number of classes.
inline constexpr std::size_t pair_class_count = 6;
/// All classes, the nearest first.
std::span<const PairClass> pair_classes();
/// "same_core", "same_l2" and so on.
std::string_view name(PairClass pair_class);
/// The class of two PUs, indices into Machine::pus, in either order. UsageError if there is no such PU.
/// O(PUs + the PUs of all caches).
PairClass pair_class(const Machine& machine, int a, int b);

/// Two different PUs of a class.
struct ClassExample {
  PairClass pair_class = PairClass::same_core;  ///< their class
  int a = 0;                                    ///< index into Machine::pus
  int b = 0;                                    ///< another
  friend bool operator==(const ClassExample&, const ClassExample&) = default;
};
/// For each class that two PUs have which the process may use: the first two. The nearest first; empty on a
/// machine with one PU. O(PUs^2).
std::vector<ClassExample> class_examples(const Machine& machine);

/// How a value came about.
enum class Origin {
  given,      ///< somebody wrote it
  typical,    ///< a guess at machines in general
  distances,  ///< scaled by what hwloc says about distances between NUMA nodes
  measured    ///< on the machine itself
};
/// "given", "typical", "hwloc distances", "measured".
std::string_view name(Origin origin);

/// A number and how it came about.
struct Quantity {
  double value = 0;               ///< in seconds, seconds per byte, or bytes per second
  Origin origin = Origin::given;  ///< how it came about
  friend bool operator==(const Quantity&, const Quantity&) = default;
};

/// What messages between two PUs of a class cost, and what a node does with their bytes.
struct PairCosts {
  Quantity t_s;    ///< Hockney's start-up time, where both ends send and receive at the same time
  Quantity t_w;    ///< its time per byte
  Quantity L;      ///< LogGP's latency
  Quantity o;      ///< its overhead
  Quantity g;      ///< its gap between two messages
  Quantity G;      ///< its gap per byte
  Quantity t_op;   ///< seconds to combine a byte with another
  Quantity t_put;  ///< seconds to write a byte to the other's memory

  /// Without the origins.
  Hockney hockney() const { return {t_s.value, t_w.value}; }
  /// Without the origins.
  LogGP log_gp() const { return {L.value, o.value, g.value, G.value}; }
  /// What algorithms are chosen by, where all messages are of this class.
  CostModel cost_model() const { return {t_s.value, t_w.value, t_op.value, t_put.value}; }
  friend bool operator==(const PairCosts&, const PairCosts&) = default;
};

/// What is known about the speed of a machine.
struct MachineProfile {
  std::string name{};     ///< its own: "profile"
  std::string machine{};  ///< what it is about, for people
  std::string when{};     ///< when it was made: "2026-11-21T19:30:00Z"; empty if unknown
  /// By class; those that the machine does not have, or nobody looked at, have none.
  std::array<std::optional<PairCosts>, pair_class_count> pairs{};
  /// By NUMA node: bytes per second that all its PUs together read from its bank.
  std::vector<std::optional<Quantity>> banks{};
  /// links[a][b]: bytes per second that all PUs of NUMA node a together read from the bank of b, a != b.
  /// Empty, or a row for each bank.
  std::vector<std::vector<std::optional<Quantity>>> links{};

  /// Of the class itself; where it has none, of the next farther that has, or else of the next nearer.
  /// UsageError if no class has any.
  const PairCosts& costs(PairClass pair_class) const;
  friend bool operator==(const MachineProfile&, const MachineProfile&) = default;
};

/// What messages between nodes a and b cost, where node i is on PU pus[i] (Mapping::pu). UsageError if there
/// is no such node.
Hockney pair_costs(const MachineProfile& profile, const Machine& machine, std::span<const int> pus, Rank a,
                   Rank b);
/// What algorithms are chosen by for a team whose node i is on PU pus[i]: the costs of the farthest class
/// that two of its nodes have. UsageError without nodes. O(PUs^2) for the PUs in use.
CostModel cost_model(const MachineProfile& profile, const Machine& machine, std::span<const int> pus);

/// A profile of guesses: the classes of the machine's PUs, or same_core if it has one PU; banks unknown.
MachineProfile typical_profile(const Machine& machine);

/// `base` carried over to `machine` by its Machine::distances: the classes between NUMA nodes cost what the
/// farthest class inside one costs in `base`, t_s, t_w, L, G and t_put times the mean relative latency of the
/// class; o, g and t_op, which a core needs for itself, stay. Only classes that `base` has not measured and
/// nobody gave are replaced; those that the machine lacks are dropped, and so are banks and links if their
/// number is another. UsageError if the machine tells no distances, or none that make sense.
MachineProfile with_distances(const MachineProfile& base, const Machine& machine);

/// numa_distances(machine), but measured where the system reports none of them: 10 times the latency L of the
/// class of two NUMA nodes' PUs over that of the farthest class inside one. Banks that are no PU's nearest
/// keep their distances by levels; all do if one of the classes needed is not measured. O(NUMA nodes^2 + the
/// PUs of all caches).
NumaDistances numa_distances(const MachineProfile& profile, const Machine& machine);

/// The profile as JSON, 2 spaces deep: profile_from_json reads the same back. Numbers that were given stand
/// alone, others beside their origin.
std::string to_json(const MachineProfile& profile);
/// The profile of such a text. UsageError names the line of what is no JSON, or else the key that is unknown,
/// missing, twice there or has a value that cannot be: times are 0 to 1 second, times per byte 0 to a
/// millisecond, bandwidths 1 KB/s to 1 PB/s, banks at most 4096. O(text).
MachineProfile profile_from_json(std::string_view text);

}  // namespace vnode
#pragma GCC visibility pop
