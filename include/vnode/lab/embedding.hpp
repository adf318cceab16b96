#pragma once

#include <vector>

#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// One topology, the guest, laid into another, the host: every node of the guest has a node of the host of
/// its own, its image. A link of the guest becomes the way between the images of its ends.
class Embedding {
 public:
  /// `images[i]` is the image of node i. UsageError if they are not guest.nodes() different nodes of the
  /// host, or if the guest has switches, which would have no image.
  Embedding(const Topology& guest, const Topology& host, std::vector<Rank> images);

  /// The topology laid into the host.
  const Topology& guest() const { return guest_; }
  /// The topology it is laid into.
  const Topology& host() const { return host_; }
  /// By rank of the guest, the rank of its image.
  const std::vector<Rank>& images() const { return images_; }

  /// The longest way that a link of the guest becomes, in links of the host. 0 if the guest has no links.
  int dilation() const;
  /// The most ways that one directed link of the host carries, if every link of the guest is used in both
  /// directions. O(host.links() + guest.links() * dilation). UsageError if the host has no such routing.
  int congestion(Routing routing) const;
  /// The same by the host's default routing.
  int congestion() const { return congestion(host_.default_routing()); }

  /// Equal guest, host and images.
  friend bool operator==(const Embedding&, const Embedding&) = default;

 private:
  Topology guest_, host_;
  std::vector<Rank> images_;
};

/// The array, ring, mesh or torus `guest` in the smallest hypercube that has bits enough for each of its
/// extents: the coordinates, Gray-coded, side by side. Dilation 1 and congestion 1 for arrays and meshes, and
/// for rings and tori whose extents are even; dilation 2, the least possible, where a ring of odd extent must
/// close. UsageError for the other families, and if the hypercube would have more than max_nodes nodes.
Embedding gray_embedding(const Topology& guest);

}  // namespace vnode
#pragma GCC visibility pop
