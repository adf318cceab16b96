#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/numa.hpp>
#include <vnode/rank.hpp>

namespace vnode {

/// Describes one placement to try: a collective by an algorithm, its nodes on PUs, its buffers on banks.
struct Experiment {
  Collective collective = Collective::broadcast;
  std::string algorithm = "auto";   ///< of the register, or "auto": the one that would be chosen
  int nodes = 1;                    ///< p
  std::string topology = "full";    ///< as Shape::parse reads it
  std::string mapping = "compact";  ///< a policy or a list of PUs, as mapping_by reads it
  Banks banks = Banks::owner;       ///< of the ports' buffers
  std::size_t bytes = 0;            ///< m
  Rank root = 0;                    ///< where there is one
  friend bool operator==(const Experiment&, const Experiment&) = default;
};

/// Returns "broadcast_esbt_all_port, 8 nodes, hypercube, compact, banks one, 64K", and ", root 3" unless that
/// is 0.
std::string text(const Experiment& experiment);
/// Returns ", root 3", or "" for root 0.
std::string root_text(const Experiment& experiment);

/// Holds lists, all combinations of which are experiments.
struct ExperimentLists {
  Collective collective = Collective::broadcast;
  std::vector<std::string> algorithms = {"auto"};
  std::vector<int> nodes = {};
  std::vector<std::string> topologies = {"full"};
  std::vector<std::string> mappings = {"compact"};
  std::vector<Banks> banks = {Banks::owner};
  std::vector<std::size_t> bytes = {};
  Rank root = 0;
  friend bool operator==(const ExperimentLists&, const ExperimentLists&) = default;
};

/// Describes many experiments, and all that their results depend on besides the machine and the program.
struct Campaign {
  std::string name = {};                             ///< its own
  std::string about = {};                            ///< what it is for, for people
  std::optional<std::string> machine = {};           ///< a described one, as Machine::parse reads it
  std::optional<std::string> profile = {};           ///< of the costs, as --profile
  std::optional<std::string> latencies = {};         ///< a file of them between PUs, as --latencies
  std::optional<double> ts = {}, tw = {}, top = {};  ///< costs, nanoseconds (per byte), as --ts, --tw, --top
  std::optional<double> bank_bandwidth = {};         ///< of each bank, 10^9 bytes per second
  std::optional<double> link_bandwidth = {};         ///< between NUMA nodes, 10^9 bytes per second
  int repeats = 31;                                  ///< calls that are timed in each measurement
  int seed = 1;                                      ///< of the search for optimised mappings
  std::vector<ExperimentLists> experiments = {};     ///< in this order
  friend bool operator==(const Campaign&, const Campaign&) = default;
};

/// A campaign has at most so many experiments.
inline constexpr std::size_t most_experiments = 100'000;
/// An experiment has at most so many nodes, and messages of at most so many bytes.
inline constexpr int most_experiment_nodes = 4096;
inline constexpr std::size_t most_experiment_bytes = std::size_t{1} << 40;
/// A measurement times at most so many calls.
inline constexpr int most_repeats = 1'000'000;

/// Throws UsageError, which names the key as in a campaign's text, for what cannot be: an empty list, a value
/// that comes twice, an algorithm of another collective, a topology that cannot have so many nodes, a mapping
/// that there is not, a size that cannot be combined, a root that is no rank, more than most_experiments.
void check(const Campaign& campaign);
/// Returns all experiments, in the order of nodes, topologies, algorithms, mappings, banks, bytes, the last
/// varying fastest.
std::vector<Experiment> experiments(const Campaign& campaign);

/// Reads a campaign from a JSON text. Throws UsageError, which names the line of what is no JSON, or else the
/// key that is unknown, missing, twice there, or has a value that cannot be. It is a pure function, O(text).
Campaign campaign_from_json(std::string_view text);
/// Returns a text that campaign_from_json() reads as the same campaign, with every key.
std::string to_json(const Campaign& campaign);

}  // namespace vnode
