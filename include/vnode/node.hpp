#pragma once

#include <utility>

#include <vnode/arena.hpp>
#include <vnode/group.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Represents a virtual node as the body of Team::run, or the thread that has joined, sees it: the group of
/// all nodes of the team, the same object in every run. Only the node's own thread uses it: in another one
/// every call throws UsageError. No exception leaves a call while another node may still touch the data
/// passed to it.
class Node : public Group {
 public:
  /// Returns the node's threads on its domain of the machine. Throws UsageError if the team has no arenas.
  Arena& arena() const;
  /// Lets other nodes run that share the node's PU. A node that computes for long, or looks for something
  /// that another node does without a call, calls it now and then. Throws Aborted if another node has failed.
  /// Takes some ten nanoseconds where nodes are fibers, and a system call where they are threads.
  void yield() const;

 private:
  friend class Team;
  using Group::Group;
};

/// Returns the node that the calling thread, or fiber, is: of several teams' the one that it became last. It
/// is the object that Team::run passes to its body and a Membership refers to, for code that is called
/// within a node's part of a run without a handle of it, such as a pool's operator. Returns null in a thread
/// that is no node, also if a node has started it. Takes some nanoseconds.
///
///     void normalize(std::span<float> part) {
///       const float all = vnode::this_node()->all_reduce(sum_of_squares(part), std::plus<>{});
///       ...
///     }
Node* this_node() noexcept;

}  // namespace vnode
#pragma GCC visibility pop
