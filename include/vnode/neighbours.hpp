#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include <vnode/rank.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Lists whom a node sends to and receives from when neighbours exchange (Exchanges::exchange), in the order
/// of its parts. Copies are cheap.
///
/// Neighbours in a topology, which are targets and sources alike:
/// - array, ring, mesh, torus: two for each dimension, the slowest dimension first as extents are listed, and
///   the lower coordinate before the higher one, as MPI orders those of a Cartesian communicator. At a border
///   there is no_rank instead. What goes through the lower side arrives at the higher side of the neighbour,
///   also where both sides lead to the same node, as in a ring of two, or to the node itself, as in a ring of
///   one.
/// - hypercube: one for each bit, bit 0 first.
/// - full: all other nodes by rank.
class Neighbours {
 public:
  /// Makes a list of none.
  Neighbours();
  /// Lists a node's neighbours in a topology. Throws UsageError for a tree, whose nodes are linked to
  /// switches only, and for a rank that does not exist.
  Neighbours(const Topology& topology, Rank rank);
  /// Lists targets and sources, which may differ. A node may be listed several times, and what is sent to it
  /// first arrives at the first of its sources that is the sender. If a lists b as target, b lists a as
  /// source. no_rank is allowed, and so is the node itself.
  Neighbours(std::span<const Rank> sources, std::span<const Rank> targets);
  /// Lists them in braces.
  Neighbours(std::initializer_list<Rank> sources, std::initializer_list<Rank> targets)
      : Neighbours(std::span(sources.begin(), sources.size()), std::span(targets.begin(), targets.size())) {}

  /// Returns whom it receives from, in the order of the parts of the output.
  std::span<const Rank> sources() const { return lists_->sources; }
  /// Returns whom it sends to, in the order of the parts of the input.
  std::span<const Rank> targets() const { return lists_->targets; }
  /// Returns what tells messages of one sender and receiver apart: of part i of the input of the sender it is
  /// what it is of the part of the receiver's output to which that goes.
  std::span<const std::uint16_t> source_marks() const { return lists_->source_marks; }
  /// Returns the same of the targets.
  std::span<const std::uint16_t> target_marks() const { return lists_->target_marks; }

  /// Returns the number of the neighbour in a dimension of an array, ring, mesh or torus, 0 being the
  /// slowest, towards lower (-1) or higher (+1) coordinates.
  static constexpr std::size_t number(int dimension, int step) {
    return 2 * static_cast<std::size_t>(dimension) + (step > 0 ? 1 : 0);
  }
  /// Compares what is listed.
  friend bool operator==(const Neighbours& a, const Neighbours& b) {
    return a.lists_ == b.lists_ || *a.lists_ == *b.lists_;
  }

 private:
  struct Lists {
    std::vector<Rank> sources, targets;
    std::vector<std::uint16_t> source_marks, target_marks;
    friend bool operator==(const Lists&, const Lists&) = default;
  };
  std::shared_ptr<const Lists> lists_;
};

}  // namespace vnode
#pragma GCC visibility pop
