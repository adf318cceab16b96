#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <vnode/data.hpp>
#include <vnode/element.hpp>
#include <vnode/exchanges.hpp>
#include <vnode/message.hpp>
#include <vnode/message_info.hpp>
#include <vnode/message_operations.hpp>
#include <vnode/operations.hpp>
#include <vnode/rank.hpp>
#include <vnode/request.hpp>
#include <vnode/topology.hpp>
#include <vnode/value_operations.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Offers operations that return as soon as the call is in flight: see Group::nonblocking.
class Nonblocking : public Operations<Nonblocking, Request>, public Exchanges<Nonblocking, Request> {
 public:
  /// Returns the node's rank in the group.
  Rank rank() const;
  /// Returns the number of nodes in the group.
  int size() const;

 private:
  friend class Group;
  friend Untyped;
  friend Operations<Nonblocking, Request>;
  friend Exchanges<Nonblocking, Request>;
  explicit Nonblocking(std::shared_ptr<Member> member) : member_(std::move(member)) {}
  Request perform(const Arguments& call);
  std::shared_ptr<Member> member_;
};

/// Offers operations that only plan the call: see Group::persistent.
class Planning : public Operations<Planning, Persistent>, public Exchanges<Planning, Persistent> {
 public:
  /// Returns the node's rank in the group.
  Rank rank() const;
  /// Returns the number of nodes in the group.
  int size() const;

 private:
  friend class Group;
  friend Untyped;
  friend Operations<Planning, Persistent>;
  friend Exchanges<Planning, Persistent>;
  explicit Planning(std::shared_ptr<Member> member) : member_(std::move(member)) {}
  Persistent perform(const Arguments& call);
  std::shared_ptr<Member> member_;
};

namespace shapes {

/// Describes the dimensions in which the nodes of one group may differ after a split: for mesh:4x4, along{1}
/// makes rows and along{0} columns; for a hypercube, along{0, 2} makes squares whose ranks differ in bits 0
/// and 2.
struct along {
  std::vector<int> dimensions;  ///< dimensions of the topology, 0 being the slowest; of a hypercube, bits
  /// Takes dimensions in any order; split throws UsageError if one does not exist or is listed twice.
  along(std::initializer_list<int> list) : dimensions(list) {}
};

}  // namespace shapes

/// Says what a split follows: machines, or the parts of one. A team on one machine is in one domain
/// `machine`.
enum class Domain {
  machine,  ///< a machine
  package,  ///< a processor in its socket
  numa,     ///< the PUs whose nearest NUMA node is the same
  l3,       ///< the cores that share a third level cache; without one, the package
  l2,       ///< the cores that share a second level cache; without one, the core
  core      ///< a physical core
};

/// Is the color with which a node joins none of the groups that split makes.
inline constexpr int no_color = -1;

/// Represents some or all nodes of a team, as one of them sees them: they call collectives together, have
/// ranks 0 to p-1 and a topology of their own. The operations that Group inherits are blocking: they return
/// when the node's data may be used again.
///
/// Only the node's own thread uses a group (another one gets UsageError), and only within runs of the team:
/// in the run that made it and, if it is kept, in all later ones, also after a run that failed. Between runs,
/// and when the team has ended, rank() and size() work and everything else throws UsageError. All nodes of a
/// group keep it, or none: a call that only some of them have made when a run ends is a Mismatch, which run()
/// throws.
///
///     vnode::Group row = me.split(vnode::shapes::along{1});
///     row.broadcast(pivot, owner);
class Group : public Operations<Group, void>,
              public ValueOperations<Group>,
              public Exchanges<Group, void>,
              public MessageOperations<Group> {
 public:
  using Operations::all_gather, ValueOperations::all_gather;
  using Operations::all_reduce, ValueOperations::all_reduce;
  using Operations::circular_shift, ValueOperations::circular_shift;
  using Operations::exclusive_scan, ValueOperations::exclusive_scan;
  using Operations::gather, ValueOperations::gather;
  using Operations::reduce, ValueOperations::reduce;
  using Operations::scan, ValueOperations::scan;
  using Operations::scatter, ValueOperations::scatter;

  /// Makes an empty group: it has no nodes, and every call throws UsageError.
  Group() = default;
  /// Returns whether the group has nodes.
  explicit operator bool() const { return member_ != nullptr; }

  /// Returns this node's rank in the group; -1 if the group is empty.
  Rank rank() const { return member_ == nullptr ? -1 : rank_; }
  /// Returns the number of nodes in the group; 0 if it is empty.
  int size() const { return member_ == nullptr ? 0 : size_; }
  /// Returns the topology of the group.
  const Topology& topology() const;
  /// Returns the team's rank of the node that has rank `rank` in the group.
  Rank team_rank(Rank rank) const;
  /// Returns the name of the algorithm that this node's newest collective call in this group ran; empty
  /// before the first.
  std::string_view last_algorithm() const;
  /// Returns the number of segments that that call cut its message into: 1 if its algorithm cuts none, 0
  /// before the first call.
  int last_segments() const;

  /// Returns the operations in their nonblocking form, which return a Request:
  /// `me.nonblocking().broadcast(x)`. All nodes of a group make its calls in the same order, whatever their
  /// form. There is no progress thread: calls in flight progress within the node's vnode calls of any kind
  /// and rest while it computes, so a long computation hides little of a call unless it calls Request::test
  /// now and then.
  Nonblocking nonblocking() const;
  /// Returns the operations in their persistent form, which return a Persistent:
  /// `me.persistent().broadcast(x)`. Calls that have been started progress as nonblocking() calls do.
  Planning persistent() const;

  /// Divides the group, all of whose nodes call this: nodes with equal `color` (0 or more) form a group,
  /// ranked by `key` and, where keys are equal, by their rank here. The new group's topology is `shape` with
  /// its number of nodes; throws UsageError if `shape` cannot have that many. A node with no_color gets an
  /// empty Group.
  Group split(int color, int key = 0, const Shape& shape = shapes::full{}) const;
  /// Divides the group into rows, columns, planes or sub-cubes: nodes that agree in all other dimensions form
  /// a group. Its topology is a part of this one: an array or ring, a mesh or torus, a hypercube. Throws
  /// UsageError for a dimension that does not exist, and for trees and full topologies.
  Group split(const shapes::along& dimensions) const;
  /// Divides the group by the machine: nodes whose PUs are in one domain form a group.
  Group split(Domain domain) const;

 protected:
  /// Makes the group in which `member` is this node's place.
  explicit Group(std::shared_ptr<Member> member);
  /// Returns this node's place in the group. Throws UsageError if the group is empty or no run of its team is
  /// on.
  Member& member() const;

 private:
  friend Operations<Group, void>;
  friend Exchanges<Group, void>;
  friend MessageOperations<Group>;
  friend Member;
  friend Untyped;
  void perform(const Arguments& call);
  MessageInfo perform(const MessageArguments& call);
  Request start(const MessageArguments& call);
  [[noreturn]] void refuse_empty(Rank from) const;
  [[noreturn]] static void refuse_no_group();
  std::optional<MessageInfo> probe_message(Rank from, int tag, bool wait);
  MatchedMessage match_message(Rank from, int tag, bool wait);

  std::shared_ptr<Member> member_;
  Rank rank_ = -1;
  int size_ = 0;
};

}  // namespace vnode
#pragma GCC visibility pop
