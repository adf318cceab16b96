#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <vnode/data.hpp>
#include <vnode/element.hpp>
#include <vnode/operations.hpp>
#include <vnode/rank.hpp>
#include <vnode/request.hpp>
#include <vnode/topology.hpp>
#include <vnode/value_operations.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The operations that return as soon as the call is under way: see Group::nonblocking.
class Nonblocking : public Operations<Nonblocking, Request> {
 public:
  /// The node's rank in the group.
  Rank rank() const;
  /// The number of its nodes.
  int size() const;

 private:
  friend class Group;
  friend Operations<Nonblocking, Request>;
  explicit Nonblocking(std::shared_ptr<Member> member) : member_(std::move(member)) {}
  Request perform(const Arguments& call);
  std::shared_ptr<Member> member_;
};

/// The operations that only plan the call: see Group::persistent.
class Planning : public Operations<Planning, Persistent> {
 public:
  /// The node's rank in the group.
  Rank rank() const;
  /// The number of its nodes.
  int size() const;

 private:
  friend class Group;
  friend Operations<Planning, Persistent>;
  explicit Planning(std::shared_ptr<Member> member) : member_(std::move(member)) {}
  Persistent perform(const Arguments& call);
  std::shared_ptr<Member> member_;
};

/// The dimensions that the nodes of a split may differ in: for mesh:4x4, along{1} makes rows and along{0}
/// columns; for a hypercube, along{0, 2} makes squares whose ranks differ in bits 0 and 2.
struct along {
  std::vector<int> dimensions;  ///< of the topology, slowest first; of a hypercube: bits
  /// Any order; UsageError from split if a dimension does not exist or comes twice.
  along(std::initializer_list<int> list) : dimensions(list) {}
};

/// Parts of the machine that a split may follow.
enum class Domain {
  package,  ///< a processor in its socket
  numa,     ///< a NUMA domain
  l3,       ///< the cores that share a third level cache; without one, the package
  l2,       ///< the cores that share a second level cache; without one, the core
  core      ///< a physical core
};

/// Of split: this node shall be in none of the groups.
inline constexpr int no_color = -1;

/// Some nodes of a team, or all, as one of them sees them: they call collectives together, numbered 0 to p-1,
/// and pretend to have a topology of their own. The operations that it inherits are blocking: they return
/// when the node's data may be used again.
///
/// Used by that node's thread only, and within the team's runs: in the run that has made it, and if it is
/// kept, in all later ones, also after a run that failed. Between runs, and when the team has ended, rank()
/// and size() are known, and all else throws UsageError. What is kept of a group is kept by all of its nodes:
/// a call that only some of them have made when a run ends throws Mismatch from it.
///
///     vnode::Group row = me.split(vnode::along{1});
///     row.broadcast(pivot, owner);
class Group : public Operations<Group, void>, public ValueOperations<Group> {
 public:
  using Operations::all_gather, ValueOperations::all_gather;
  using Operations::all_reduce, ValueOperations::all_reduce;
  using Operations::circular_shift, ValueOperations::circular_shift;
  using Operations::exclusive_scan, ValueOperations::exclusive_scan;
  using Operations::gather, ValueOperations::gather;
  using Operations::reduce, ValueOperations::reduce;
  using Operations::scan, ValueOperations::scan;
  using Operations::scatter, ValueOperations::scatter;

  /// No group: it has no nodes, and every call throws UsageError.
  Group() = default;
  /// Whether it is a group.
  explicit operator bool() const { return member_ != nullptr; }

  /// This node's rank in the group; -1 if it is none.
  Rank rank() const;
  /// The number of its nodes; 0 if it is none.
  int size() const;
  /// The group's own.
  const Topology& topology() const;
  /// The rank in the team of the group's node `rank`.
  Rank team_rank(Rank rank) const;
  /// The name of the algorithm that this node's newest collective call in this group ran; empty before the
  /// first.
  std::string_view last_algorithm() const;
  /// How many segments that call cut its message into; 1 if its algorithm cuts none, 0 before the first.
  int last_segments() const;

  /// The same operations, each returning a Request: `me.nonblocking().broadcast(x)`. Calls of one group are
  /// made in the same order by all its nodes, whatever their form. No thread drives them behind the node's
  /// back: they go on within the node's vnode calls, of any kind, and rest while it computes, so that a long
  /// computation hides little of a call unless it looks in with Request::test now and then.
  Nonblocking nonblocking() const;
  /// The same operations, each returning a Persistent: `me.persistent().broadcast(x)`. Driven as
  /// nonblocking() calls are.
  Planning persistent() const;

  /// Called by all nodes of this group: those of equal `color` (0 or more) form a group, ranked by `key`,
  /// equal ones by their rank here. The new group has the topology that `shape` becomes; UsageError if it
  /// cannot have that many nodes. A node with no_color gets an empty Group.
  Group split(int color, int key = 0, const Shape& shape = full{}) const;
  /// Rows, columns, planes, sub-cubes: nodes that agree in all other dimensions form a group. Its topology is
  /// the part of this one: an array or ring, a mesh or torus, a hypercube. UsageError for a dimension that
  /// there is not, and for trees and full topologies.
  Group split(const along& dimensions) const;
  /// Nodes whose threads are in one domain of the machine form a group.
  Group split(Domain domain) const;

  /// Returns when `data`, a range or a value, may be reused. Messages of one tag (0 to 2^31-1) between two
  /// nodes arrive in the order sent. Short ones are eager, as in MPI: the receiver's memory keeps those that
  /// it has not received.
  template <class Data>
  void send(Data&& data, Rank to, int tag = 0) {
    const auto sent = elements_of<Use::read, Data>(data);
    send_elements(sent.data(), sent.size(), type_of(sent), to, tag);
  }
  /// Returns the number of elements received; a message longer than `data`, a range or a variable, throws
  /// Mismatch.
  template <class Data>
  requires(!Value<Data>) std::size_t recv(Data&& data, Rank from, int tag = 0) {
    const auto room = elements_of<Use::written, Data>(data);
    return receive_elements(room.data(), room.size(), type_of(room), from, tag);
  }
  /// Returns what is received, one element: `me.recv<double>(from)`. Any other number throws Mismatch.
  template <Value T>
  [[nodiscard("what is received is returned")]] T recv(Rank from, int tag = 0) {
    T value{};
    receive_one(&value, element_type<T>, from, tag);
    return value;
  }
  /// Both at once, of ranges or variables apart: no exchange can deadlock. Returns the number of elements
  /// received.
  template <class Out, class In>
  std::size_t sendrecv(Out&& out, Rank to, In&& in, Rank from, int tag = 0) {
    const auto sent = elements_of<Use::read, Out>(out);
    const auto room = elements_of<Use::written, In>(in);
    using T = typename decltype(sent)::value_type;
    using U = typename decltype(room)::value_type;
    static_assert(std::is_same_v<T, U> || std::is_same_v<T, Refused> || std::is_same_v<U, Refused>,
                  "vnode: in and out hold elements of one type");
    return exchange_elements(sent.data(), sent.size(), to, room.data(), room.size(), from, type_of(sent),
                             tag);
  }
  /// As send, but returns at once; `data` may be reused when the request is complete.
  template <class Data>
  Request isend(Data&& data, Rank to, int tag = 0) {
    const auto sent = elements_of<Use::read_later, Data>(data);
    return start_sending(sent.data(), sent.size(), type_of(sent), to, tag);
  }
  /// As recv, but returns at once; the message is there when the request is complete.
  template <class Data>
  Request irecv(Data&& data, Rank from, int tag = 0) {
    const auto room = elements_of<Use::written_later, Data>(data);
    return start_receiving(room.data(), room.size(), type_of(room), from, tag);
  }

 protected:
  /// The group that `member` is this node's place in.
  explicit Group(std::shared_ptr<Member> member) : member_(std::move(member)) {}
  /// That place. UsageError if this is no group, or of a run that is over.
  Member& member() const;

 private:
  friend Operations<Group, void>;
  friend Member;
  template <class T>
  static constexpr const ElementType& type_of(std::span<T>) {
    return element_type<std::remove_const_t<T>>;
  }
  void perform(const Arguments& call);
  void send_elements(const void* data, std::size_t count, const ElementType& type, Rank to, int tag);
  std::size_t receive_elements(void* data, std::size_t count, const ElementType& type, Rank from, int tag);
  void receive_one(void* value, const ElementType& type, Rank from, int tag);
  std::size_t exchange_elements(const void* out, std::size_t out_count, Rank to, void* in,
                                std::size_t in_count, Rank from, const ElementType& type, int tag);
  Request start_sending(const void* data, std::size_t count, const ElementType& type, Rank to, int tag);
  Request start_receiving(void* data, std::size_t count, const ElementType& type, Rank from, int tag);

  std::shared_ptr<Member> member_;
};

}  // namespace vnode
#pragma GCC visibility pop
