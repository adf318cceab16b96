#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Says where a node is.
enum class Whereabouts : std::uint8_t {
  absent,     ///< no thread is the node: no run is on, or the node's part of it has not begun
  joining,    ///< a thread has joined as the node, and waits until all others have
  computing,  ///< in the run, in no call of vnode
  calling,    ///< in a call
  left,       ///< the node's part of the run is over, that of others is not
};
namespace enums {
/// Returns "absent", "joining", "computing", "calling" or "left".
std::string_view name(Whereabouts where);
}

/// Describes one node of a roll call.
struct NodeState {
  Rank node = 0;                            ///< the node's rank in the team
  Whereabouts where = Whereabouts::absent;  ///< where it is
  /// The call: "reduce of 100 x double with std::plus<void>, root 3, by reduce_binomial"; empty outside of
  /// calls, and if the node was about to change to another one.
  std::string call{};
  std::optional<std::uint32_t> number{};  ///< of a collective, among those of its group
  std::optional<int> tag{};               ///< of a message
  std::vector<Rank> group{};              ///< of a call: the group's nodes, the team's ranks
  /// The round that a collective waits in, if it has waited for more than some microseconds.
  std::optional<int> round{};
  /// The node of the team that a call waits for, -1 for several, likewise.
  std::optional<Rank> awaited{};
  std::string text{};  ///< "is in call 7 (…), round 2, and waits for node 5"

  friend bool operator==(const NodeState&, const NodeState&) = default;
};

/// Says where the nodes of a team are: see Team::state. Each node's line was true at some moment of the call;
/// what nodes have done since, they have done.
struct RollCall {
  std::string topology{};          ///< as Topology::text() has it
  bool joined = false;             ///< whether the nodes are threads of the program
  bool in_run = false;             ///< whether a run is on, or a thread has joined
  std::vector<NodeState> nodes{};  ///< by rank

  /// Returns a line on the team, and one for each node if a run is on.
  std::string text() const;
  /// Returns one line of JSON, an object with these fields.
  std::string json() const;

  friend bool operator==(const RollCall&, const RollCall&) = default;
};

}  // namespace vnode
#pragma GCC visibility pop
