#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/lab/link_loads.hpp>
#include <vnode/model/memory_banks.hpp>
#include <vnode/model/message_costs.hpp>
#include <vnode/model/ports.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/model/timeline.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Says how a message travels a path of several links.
enum class Switching {
  cut_through,        ///< it holds all of them from its first byte to its last, as with wormholes
  store_and_forward,  ///< it arrives whole at every vertex before it goes on
};
namespace enums {
/// Returns "cut-through" or "store-and-forward".
std::string_view name(Switching switching);
}

/// Describes the costs and rules of a simulation, in seconds and bytes.
struct SimulationOptions {
  std::variant<Hockney, LogGP> costs = {};  ///< cost of a message
  /// Returns the cost of a message from a to b, instead of `costs`. If empty, all pairs have `costs`.
  std::function<Hockney(Rank from, Rank to)> pair_costs = {};
  /// The eager limit in bytes: t_s of Hockney's costs counts twice for a message of this many, as for longer
  /// ones, which are announced and answered, and in proportion more for shorter ones. Not given: once for
  /// all.
  std::optional<double> eager_to = {};
  /// Bytes from which both ends of a message work on it, each on half of its bytes and of what is combined of
  /// them, where its sender does nothing else in the round. Under Hockney's costs. Not given: the receiver
  /// does all.
  std::optional<double> shared_from = {};
  double hop = 0;                                ///< additional time for each link of the path
  double t_op = 0;                               ///< time to combine a byte with another
  Switching switching = Switching::cut_through;  ///< switching on paths of several links
  Ports ports = Ports::single;                   ///< number of messages that a node handles at a time
  /// Multiplies every message's times by 1 + noise * X, with X >= 0 of the exponential distribution of mean
  /// 1, drawn from `seed` and the message's number in the schedule.
  double noise = 0;
  std::uint64_t seed = 0;                  ///< seed of the noise: equal seeds give equal results
  std::optional<MemoryBanks> memory = {};  ///< the memory that transfers share; none: it is fast enough
  bool timeline = true;  ///< whether to keep all messages; without them the results are small
};

/// Names the last obstacle before a message could go.
enum class HeldBy {
  none,           ///< none: it went at once
  data,           ///< its data had not arrived, or were not combined
  sender_port,    ///< an earlier message at its sender's port
  receiver_port,  ///< an earlier message at its receiver's port
  link,           ///< another message on a link of its path
};
namespace enums {
/// Returns "none", "data", "sender's port", "receiver's port" or "link".
std::string_view name(HeldBy held_by);
}

/// Describes a step of the critical path, the chain that determines the total time: a message, or everything
/// that a node combines in a round.
struct CriticalStep {
  TimedMessage message;  ///< for a combine, from and to are its node, and bytes are all operands that arrive
  HeldBy held_by = HeldBy::none;  ///< the obstacle that the step before it in the chain removed
  double since = 0;  ///< time from which the step is critical: when the obstacle was removed; never decreases
                     ///< along the path
  /// Returns whether the step is a combine.
  bool combines() const { return message.from == message.to; }
};

/// Describes the time for which the ports of a node were occupied, waiting for links and LogGP's gap
/// included; the sum over its ports.
struct NodeUse {
  double send = 0;     ///< seconds
  double receive = 0;  ///< seconds
};

/// Describes the result of a simulation, in which every message starts as soon as it can.
struct Simulation {
  double seconds = 0;                       ///< until all has arrived and is combined
  std::size_t messages = 0;                 ///< number of messages
  int peak = 0;                             ///< most messages under way at the same time
  Timeline timeline;                        ///< the messages with their times, unless these were not wanted
  std::vector<NodeUse> nodes;               ///< by rank
  std::vector<LinkUse> links;               ///< the links that carried something, by number
  std::vector<CriticalStep> critical_path;  ///< in the order of time
};

/// Simulates a schedule message by message; docs/simulation.md has the rules. In short: a message starts when
/// its data are there, as of the state before its round, and when its ports are free, which serve messages in
/// the order of the schedule. After the start-up it takes its links, which serve messages in the order in
/// which they ask. Every version of a block has its own memory, so no message waits for memory. Under
/// Duplex::half `links` has both directions under the even number.
///
/// O((messages + blocks' pieces + links of all paths) log messages) time, and more with memory banks:
/// O(messages under way) for each start and end. Throws UsageError if the schedule has another number of
/// nodes than the topology, sends to itself, or a number is invalid.
Simulation simulate(const Schedule& schedule, const Volume& volume, const Interconnect& interconnect,
                    const SimulationOptions& options);

/// Describes the input of one of many simulations.
struct SimulationCase {
  std::function<Schedule()> schedule;  ///< makes the schedule where it is simulated; a pure function
  Volume volume;                       ///< as in simulate()
  Interconnect interconnect;           ///< as in simulate()
  SimulationOptions options;           ///< as in simulate()
};

/// Simulates all cases, in parallel on all cores, and returns the results in their order. `progress` is
/// called with the number of cases done, one call at a time, from any thread. Rethrows what a case throws.
std::vector<Simulation> simulate(const std::vector<SimulationCase>& cases,
                                 const std::function<void(std::size_t done)>& progress = {});

}  // namespace vnode
#pragma GCC visibility pop
