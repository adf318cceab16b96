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

/// Operations that return as soon as the call is in flight: see Group::nonblocking.
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
  Request perform(const LaidArguments& call);
  Request perform(const ExchangeArguments& call);
  std::shared_ptr<Member> member_;
};

/// Operations that only plan the call: see Group::persistent.
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
  Persistent perform(const LaidArguments& call);
  Persistent perform(const ExchangeArguments& call);
  std::shared_ptr<Member> member_;
};

namespace shapes {

/// The dimensions in which the nodes of one group may differ after a split: for mesh:4x4, along{1} makes rows
/// and along{0} columns; for a hypercube, along{0, 2} makes squares whose ranks differ in bits 0 and 2.
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

/// The color with which a node joins none of the groups that split makes.
inline constexpr int no_color = -1;

/// Some or all nodes of a team, as one of them sees them: they call collectives together, have ranks 0 to p-1
/// and a topology of their own. The operations that Group inherits are blocking: they return when the node's
/// data may be used again.
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
  using MessageOperations::recv;
  using MessageOperations::sendrecv;
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
  Rank rank() const;
  /// Returns the number of nodes in the group; 0 if it is empty.
  int size() const;
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

  /// Sends `data`, a range or a value, and returns when it may be reused. Messages of one tag (0 to 2^31-1)
  /// between two nodes arrive in the order sent. Short messages are eager, as in MPI: the receiver stores
  /// those that it has not asked for yet. Sending to no_rank does nothing. Throws UsageError if `to` is this
  /// node, the message is long, and no receive of this node is in flight that takes it.
  template <class Data>
  void send(Data&& data, Rank to, int tag = 0) {
    const auto sent = elements_of<Use::read, Data>(data);
    if constexpr (is_laid<std::remove_cvref_t<Data>>)
      send_laid(sent, type_of(sent), to, tag);
    else
      send_elements(sent.data(), sent.size(), type_of(sent), to, tag);
  }
  /// Receives into `data`, a range or a variable, and returns the number of elements received. `from` may be
  /// any_source or no_rank, `tag` any_tag. Throws Mismatch if the message is longer than `data`.
  template <class Data>
  requires(!Value<Data>) std::size_t recv(Data&& data, Rank from, int tag = 0) {
    const auto room = elements_of<Use::written, Data>(data);
    if constexpr (is_laid<std::remove_cvref_t<Data>>)
      return receive_laid(room, type_of(room), from, tag).bytes / type_of(room).bytes;
    else
      return receive_elements(room.data(), room.size(), type_of(room), from, tag);
  }
  /// Receives and returns one element: `me.recv<double>(from)`. Throws Mismatch if the message has any other
  /// number.
  template <Value T>
  [[nodiscard("what is received is returned")]] T recv(Rank from, int tag = 0) {
    T value{};
    receive_one(&value, element_type<T>, from, tag);
    return value;
  }
  /// Sends and receives at the same time, so that no exchange can deadlock. The ranges or variables must not
  /// overlap. Either peer may be no_rank, and `from` any_source. Returns the number of elements received.
  template <class Out, class In>
  std::size_t sendrecv(Out&& out, Rank to, In&& in, Rank from, int tag = 0) {
    const auto sent = elements_of<Use::read, Out>(out);
    const auto room = elements_of<Use::written, In>(in);
    using T = typename decltype(sent)::value_type;
    using U = typename decltype(room)::value_type;
    static_assert(std::is_same_v<T, U> || std::is_same_v<T, Refused> || std::is_same_v<U, Refused>,
                  "vnode: in and out hold elements of one type");
    if constexpr (is_laid<std::remove_cvref_t<Out>> || is_laid<std::remove_cvref_t<In>>)
      return exchange_laid(sent, to, tag, room, from, tag, type_of(sent)).bytes / type_of(sent).bytes;
    else
      return exchange_elements(sent.data(), sent.size(), to, room.data(), room.size(), from, type_of(sent),
                               tag);
  }
  /// Starts a send and returns at once; `data` may be reused when the request is complete.
  template <class Data>
  Request isend(Data&& data, Rank to, int tag = 0) {
    const auto sent = elements_of<Use::read_later, Data>(data);
    if constexpr (is_laid<std::remove_cvref_t<Data>>)
      return start_sending_laid(sent, type_of(sent), to, tag);
    else
      return start_sending(sent.data(), sent.size(), type_of(sent), to, tag);
  }
  /// Starts a receive and returns at once; the message has arrived when the request is complete, and
  /// Request::count tells its length, Request::info its source and tag.
  template <class Data>
  Request irecv(Data&& data, Rank from, int tag = 0) {
    const auto room = elements_of<Use::written_later, Data>(data);
    if constexpr (is_laid<std::remove_cvref_t<Data>>)
      return start_receiving_laid(room, type_of(room), from, tag);
    else
      return start_receiving(room.data(), room.size(), type_of(room), from, tag);
  }

 protected:
  /// Makes the group in which `member` is this node's place.
  explicit Group(std::shared_ptr<Member> member) : member_(std::move(member)) {}
  /// Returns this node's place in the group. Throws UsageError if the group is empty or no run of its team is
  /// on.
  Member& member() const;

 private:
  friend Operations<Group, void>;
  friend Exchanges<Group, void>;
  friend MessageOperations<Group>;
  friend Member;
  friend Untyped;
  template <class T>
  static constexpr const ElementType& type_of(std::span<T>) {
    return element_type<std::remove_const_t<T>>;
  }
  template <class T>
  static constexpr const ElementType& type_of(const Laid<T>&) {
    return element_type<std::remove_const_t<T>>;
  }
  void perform(const Arguments& call);
  void perform(const LaidArguments& call);
  void perform(const ExchangeArguments& call);
  void send_elements(const void* data, std::size_t count, const ElementType& type, Rank to, int tag);
  std::size_t receive_elements(void* data, std::size_t count, const ElementType& type, Rank from, int tag);
  void receive_one(void* value, const ElementType& type, Rank from, int tag);
  std::size_t exchange_elements(const void* out, std::size_t out_count, Rank to, void* in,
                                std::size_t in_count, Rank from, const ElementType& type, int tag);
  Request start_sending(const void* data, std::size_t count, const ElementType& type, Rank to, int tag);
  Request start_receiving(void* data, std::size_t count, const ElementType& type, Rank from, int tag);
  MessageInfo receive_message(void* data, std::size_t count, const ElementType& type, Rank from, int tag);
  MessageInfo receive_one_message(void* value, const ElementType& type, Rank from, int tag);
  void send_synchronously(const void* data, std::size_t count, const ElementType& type, Rank to, int tag);
  Request start_sending_synchronously(const void* data, std::size_t count, const ElementType& type, Rank to,
                                      int tag);
  std::optional<MessageInfo> probe_message(Rank from, int tag, bool wait);
  MatchedMessage match_message(Rank from, int tag, bool wait);
  MessageInfo exchange_messages(const void* out, std::size_t out_count, Rank to, int out_tag, void* in,
                                std::size_t in_count, Rank from, int in_tag, const ElementType& type);
  MessageInfo replace_elements(void* data, std::size_t count, const ElementType& type, Rank to, int out_tag,
                               Rank from, int in_tag);
  void send_laid(const LaidElements& data, const ElementType& type, Rank to, int tag);
  MessageInfo receive_laid(const LaidElements& data, const ElementType& type, Rank from, int tag);
  MessageInfo exchange_laid(const LaidElements& out, Rank to, int out_tag, const LaidElements& in, Rank from,
                            int in_tag, const ElementType& type);
  void send_laid_synchronously(const LaidElements& data, const ElementType& type, Rank to, int tag);
  Request start_sending_laid_synchronously(const LaidElements& data, const ElementType& type, Rank to,
                                           int tag);
  Request start_sending_laid(const LaidElements& data, const ElementType& type, Rank to, int tag);
  Request start_receiving_laid(const LaidElements& data, const ElementType& type, Rank from, int tag);

  std::shared_ptr<Member> member_;
};

}  // namespace vnode
#pragma GCC visibility pop
