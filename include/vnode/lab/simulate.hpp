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
#include <vnode/lab/memory_banks.hpp>
#include <vnode/lab/message_costs.hpp>
#include <vnode/lab/ports.hpp>
#include <vnode/lab/schedule.hpp>
#include <vnode/lab/timeline.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// How a message takes a way of several links.
enum class Switching {
  cut_through,        ///< it holds all of them from its first byte to its last: wormholes, too
  store_and_forward,  ///< it is whole at every vertex before it goes on
};
/// "cut-through", "store-and-forward".
std::string_view name(Switching switching);

/// What a simulation counts. Seconds, bytes.
struct SimulationOptions {
  std::variant<Hockney, LogGP> costs = {};  ///< of a message
  /// Of a message from a to b, instead of `costs`; empty: all pairs alike.
  std::function<Hockney(Rank from, Rank to)> pair_costs = {};
  double hop = 0;                                ///< more for each link of the way
  double t_op = 0;                               ///< to combine a byte with another
  Switching switching = Switching::cut_through;  ///< on ways of several links
  Ports ports = Ports::single;                   ///< how many messages a node handles at a time
  /// Every message's times are multiplied by 1 + noise * X, with X >= 0 of the exponential distribution of
  /// mean 1, drawn from `seed` and the message's number in the schedule.
  double noise = 0;
  std::uint64_t seed = 0;                  ///< equal seeds, equal results
  std::optional<MemoryBanks> memory = {};  ///< that transfers share; none: there is enough
  bool timeline = true;                    ///< keep all messages; without it the results are small
};

/// What held a message up last before it could go.
enum class HeldBy {
  none,           ///< it went at once
  data,           ///< what it brings, or the combining of it
  sender_port,    ///< an earlier message at its sender's port
  receiver_port,  ///< an earlier message at its receiver's port
  link,           ///< another message on a link of its way
};
/// "none", "data", "sender's port", "receiver's port", "link".
std::string_view name(HeldBy held_by);

/// A link of the chain that decides how long everything takes: a message, or all that a node combines in a
/// round.
struct CriticalStep {
  TimedMessage message;           ///< of a combining from and to are its node, and bytes all that comes in
  HeldBy held_by = HeldBy::none;  ///< what it got from the step before it in the chain
  double since = 0;  ///< when it got that: from then on it decides, until the next step's. Never falls.
  /// Whether it is a combining.
  bool combines() const { return message.from == message.to; }
};

/// How long the ports of a node were taken: waiting for links and LogGP's gap included, all ports of the node
/// together.
struct NodeUse {
  double send = 0;     ///< seconds
  double receive = 0;  ///< seconds
};

/// What a schedule takes when every message starts as soon as it can.
struct Simulation {
  double seconds = 0;                       ///< until all has arrived and is combined
  std::size_t messages = 0;                 ///< all of them
  int peak = 0;                             ///< messages under way at the same time, at most
  Timeline timeline;                        ///< with no messages in it if that was asked for
  std::vector<NodeUse> nodes;               ///< by rank
  std::vector<LinkUse> links;               ///< those that carried something, by number
  std::vector<CriticalStep> critical_path;  ///< in the order of time
};

/// Plays a schedule message by message; the rules are in docs/simulation.md. In short: a message starts when
/// its data are there, as of the state before its round, and when its ports are free, which serve messages in
/// the order of the schedule. After the start-up it takes its links, which serve messages in the order in
/// which they ask. Every version of a block has a place of its own: nobody waits for a place. Under
/// Duplex::half `links` has both directions under the even number.
///
/// O((messages + blocks' pieces + links of all ways) log messages) time, and more with memory banks: there
/// O(messages under way) for each start and end. UsageError if the schedule has another number of nodes than
/// the topology, sends to itself, or a number makes no sense.
Simulation simulate(const Schedule& schedule, const Volume& volume, const Interconnect& interconnect,
                    const SimulationOptions& options);

/// One of many simulations.
struct SimulationCase {
  std::function<Schedule()> schedule;  ///< made where it is simulated; a pure function
  Volume volume;                       ///< as in simulate()
  Interconnect interconnect;           ///< as in simulate()
  SimulationOptions options;           ///< as in simulate()
};

/// Simulates all cases, in parallel on all cores, and returns the results in their order. `progress` is told
/// how many are done, one call at a time, from any thread. What a case throws is thrown.
std::vector<Simulation> simulate(const std::vector<SimulationCase>& cases,
                                 const std::function<void(std::size_t done)>& progress = {});

}  // namespace vnode
#pragma GCC visibility pop
