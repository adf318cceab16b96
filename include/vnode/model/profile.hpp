#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/model/cost.hpp>
#include <vnode/model/latencies.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/message_costs.hpp>
#include <vnode/model/numa_distances.hpp>
#include <vnode/model/tuning.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Says how near two PUs are, by the innermost part that both belong to; the nearest first.
enum class PairClass {
  same_core,        ///< PUs of one core, or one PU
  same_l2,          ///< cores that share a second level cache
  same_l3,          ///< cores that share a third level cache
  same_numa,        ///< one NUMA node
  same_package,     ///< two NUMA nodes of one package
  across_packages,  ///< two packages
  across_machines   ///< two machines, over a network
};
/// Is the number of pair classes.
inline constexpr std::size_t pair_class_count = 7;
/// Returns all classes, the nearest first.
std::span<const PairClass> pair_classes();
namespace enums {
/// Returns "same_core", "same_l2" and so on.
std::string_view name(PairClass pair_class);
}
/// Returns the class of two PUs, indices into Machine::pus, in either order. Throws UsageError if there is no
/// such PU. O(PUs + the PUs of all caches).
PairClass pair_class(const Machine& machine, int a, int b);

/// Describes two different PUs of a class.
struct ClassExample {
  PairClass pair_class = PairClass::same_core;  ///< their class
  int a = 0;                                    ///< index into Machine::pus
  int b = 0;                                    ///< another
  friend bool operator==(const ClassExample&, const ClassExample&) = default;
};
/// Returns, for each class that two PUs have which the process may use, the first such pair. The nearest
/// class comes first; empty on a machine with one PU. O(PUs^2) for the PUs of a machine.
std::vector<ClassExample> class_examples(const Machine& machine);

/// Names the origin of a value.
enum class Origin {
  given,      ///< given by a person
  typical,    ///< guessed from machines in general
  distances,  ///< scaled by the distances between NUMA nodes that hwloc reports
  measured,   ///< measured on the machine itself
  latencies   ///< scaled by a matrix of latencies between PUs (vnode/model/latencies.hpp)
};
namespace enums {
/// Returns "given", "typical", "hwloc distances", "measured" or "latencies".
std::string_view name(Origin origin);
}

/// Describes a number and its origin.
struct Quantity {
  double value = 0;               ///< in seconds, seconds per byte, bytes per second, or bytes
  Origin origin = Origin::given;  ///< the origin of the value
  friend bool operator==(const Quantity&, const Quantity&) = default;
};

/// Describes the costs of messages between two PUs of a class, and of working on their bytes.
struct PairCosts {
  Quantity t_s;    ///< Hockney's start-up time, where both ends send and receive at the same time
  Quantity t_w;    ///< Hockney's time per byte
  Quantity L;      ///< LogGP's latency
  Quantity o;      ///< LogGP's overhead
  Quantity g;      ///< LogGP's gap between two messages
  Quantity G;      ///< LogGP's gap per byte
  Quantity t_op;   ///< seconds to combine a byte with another
  Quantity t_put;  ///< seconds to write a byte to the other node's memory
  Quantity eager_to{1024, Origin::typical};     ///< the eager limit in bytes
  Quantity shared_from{8192, Origin::typical};  ///< bytes from which both ends copy

  /// Returns Hockney's costs without their origins.
  Hockney hockney() const { return {t_s.value, t_w.value}; }
  /// Returns the LogGP costs without their origins.
  LogGP log_gp() const { return {L.value, o.value, g.value, G.value}; }
  /// Returns the costs by which algorithms are chosen if all messages are of this class.
  CostModel cost_model() const;
  friend bool operator==(const PairCosts&, const PairCosts&) = default;
};

/// Returns the costs of messages between machines that follow from the seconds to start one, the seconds for
/// a byte on a machine's link, and the seconds of a thread's work for one at either end.
PairCosts network(double t_s, double t_w, double work, Origin origin);
/// Returns the costs of messages between machines that nobody has measured: those of MPI over TCP on 10
/// Gbit/s Ethernet, t_s = 15 us, of which 3 us are work at each end (o), and t_w = 1 / (1.2 GB/s), what its
/// frames leave of 10 Gbit/s; docs/cluster.md has the sources.
const PairCosts& typical_network();

/// Describes the profile of a machine: what is known about its speed.
struct MachineProfile {
  std::string name{};     ///< the profile's own name: "profile"
  std::string machine{};  ///< the machine, for people
  std::string when{};     ///< time of its making: "2026-11-21T19:30:00Z"; empty if unknown
  std::string remark{};   ///< what whoever uses it should know: that the machine was busy; or empty
  /// The costs by class; none for classes that the machine does not have, or that nobody measured. Across
  /// machines t_w is that of a machine's link, which its nodes share, o a thread's work for a message at
  /// either end, and eager_to and shared_from say nothing.
  std::array<std::optional<PairCosts>, pair_class_count> pairs{};
  /// Holds, by NUMA node, the bytes per second that all its PUs together read from its memory.
  std::vector<std::optional<Quantity>> banks{};
  /// Holds, by NUMA nodes a and b, a != b, the bytes per second that all PUs of a together read from the
  /// memory of b. Empty, or a row for each NUMA node.
  std::vector<std::vector<std::optional<Quantity>>> links{};
  /// Holds the latencies between single PUs, by which a pair costs more or less than the median of its class;
  /// none where no more than classes is known.
  std::optional<Latencies> latencies{};
  /// Holds what `vnode tune` has measured, by which algorithms are chosen before any prediction.
  std::vector<TunedPoint> tuned{};

  /// Returns the costs of a class or, if it has none, those of the next farther class of the machine that
  /// has, or else of the next nearer; across machines the typical ones. Throws UsageError if no class has
  /// any.
  const PairCosts& costs(PairClass pair_class) const;
  /// Returns costs(pair_class) as algorithms are chosen by.
  CostModel cost_model(PairClass pair_class) const;
  friend bool operator==(const MachineProfile&, const MachineProfile&) = default;
};

/// Returns a function that tells the costs of messages between nodes a and b, where node i is on PU pus[i]
/// (Mapping::pu): those of their class and, if the profile has latencies, as much more or less as the way
/// between the two PUs is longer than the median of the class. It throws UsageError if there is no such node.
/// O(PUs), with latencies O(PUs^2); a call O(1).
std::function<Hockney(Rank, Rank)> pair_costs(const MachineProfile& profile, const Machine& machine,
                                              std::span<const int> pus);
/// Returns the costs by which algorithms are chosen for a team whose node i is on PU pus[i]: those of the
/// farthest class that two of its nodes have. Throws UsageError without nodes. O(PUs^2) for the PUs in use.
CostModel cost_model(const MachineProfile& profile, const Machine& machine, std::span<const int> pus);

/// Returns a profile of guesses for the classes of the machine's PUs that the process may use, with same_core
/// if no two of them are of one machine; the bandwidths are unknown.
MachineProfile typical_profile(const Machine& machine);

/// Returns `base` adapted to `machine` by Machine::distances: the classes between NUMA nodes cost as much as
/// the farthest class inside one in `base`, with t_s, t_w, L, G and t_put multiplied by the mean relative
/// latency of the class, and o, g and t_op, which are a core's own, as they are. Only classes that are
/// neither measured nor given in `base` are replaced; classes that the machine lacks are dropped, and so are
/// bandwidths if the number of NUMA nodes differs. Throws UsageError if the machine reports no distances, or
/// none that make sense.
MachineProfile with_distances(const MachineProfile& base, const Machine& machine);

/// Returns, for each class that two PUs have which the process may use, the pair with the median latency of
/// its class, the nearest class first. Throws UsageError if the matrix is not of so many PUs. O(PUs^2).
std::vector<ClassExample> median_examples(const Machine& machine, const Latencies& latencies);

/// Returns `base` adapted to a machine by its latencies: a class of PUs costs what typical costs of two cores
/// of an L3 become where a line takes as long as the median of the class, instead of the 50 ns that these are
/// of. Only classes that are neither measured nor given in `base` are replaced. Throws UsageError if the
/// matrix has not as many PUs as the system's numbers say. The profile keeps the matrix. O(PUs^2).
MachineProfile with_latencies(const MachineProfile& base, const Machine& machine, const Latencies& latencies);

/// Returns numa_distances(machine), but where the system reports no distance at all, measured ones: 10 times
/// the latency L of the class of two NUMA nodes' PUs over that of the farthest class inside one. NUMA nodes
/// that are no PU's nearest keep their distances by levels, as do all if one of the classes needed is not
/// measured. O(NUMA nodes^2 + the PUs of all caches).
NumaDistances numa_distances(const MachineProfile& profile, const Machine& machine);

/// Returns the profile as JSON, indented by 2 spaces: profile_from_json reads the same back. Numbers that
/// were given stand alone, others beside their origin.
std::string to_json(const MachineProfile& profile);
/// Reads what to_json() writes. Throws UsageError, which names the line of what is not JSON, or else the key
/// that is unknown, missing, repeated or has an impossible value: times are 0 to 1 second, times per byte 0
/// to a millisecond, lengths 0 to 1 TB, bandwidths 1 KB/s to 1 PB/s, banks at most 4096, tuned points at most
/// 100,000. O(text).
MachineProfile profile_from_json(std::string_view text);

/// Returns MachineProfile::machine of the profiles of a machine: its model and how much of what it has.
std::string profile_machine(const Machine& machine);

/// Tells whether a profile can have this name: it consists of letters, digits, _ and -.
bool is_profile_name(std::string_view text);
/// Returns the file of the profile of this name, $XDG_CONFIG_HOME/vnode/NAME.json, by default in ~/.config.
/// Throws SystemError if neither variable says where.
std::string profile_path(std::string_view name = "profile");
/// Reads the profile in a file. Throws SystemError if it cannot be read, and UsageError, which names the
/// file, if it is no profile.
MachineProfile read_profile(const std::string& file);

/// Holds a profile, or none, and where it is from.
struct ProfileChoice {
  std::optional<MachineProfile> profile{};  ///< none: typical costs
  std::string source{};                     ///< for people: "from /home/a/.config/vnode/profile.json"
};
/// Returns the profile that is asked for, or else the one that VNODE_PROFILE asks for, for a machine. What is
/// asked for has to be there: a file, if the text has a / or ends in .json, or the NAME of one that `vnode
/// calibrate --name NAME` has written; "none" asks for none. Where none is asked for, returns that of the
/// default file, if there is one and it is about the machine. Throws what read_profile throws, and UsageError
/// for what can be no name.
ProfileChoice choose_profile(const std::optional<std::string>& asked, const Machine& machine);

}  // namespace vnode
#pragma GCC visibility pop
