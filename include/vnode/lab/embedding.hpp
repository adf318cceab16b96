#pragma once

#include <vector>

#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes an embedding of one topology, the guest, into another, the host: every node of the guest has a
/// different node of the host as its image. A link of the guest becomes the path between the images of its
/// ends.
class Embedding {
 public:
  /// Takes the image of each node i as `images[i]`. Throws UsageError if they are not guest.nodes() different
  /// nodes of the host, or if the guest has switches, which would have no image.
  Embedding(const Topology& guest, const Topology& host, std::vector<Rank> images);

  /// Returns the topology that is embedded.
  const Topology& guest() const { return guest_; }
  /// Returns the topology that it is embedded into.
  const Topology& host() const { return host_; }
  /// Returns the image of each rank of the guest.
  const std::vector<Rank>& images() const { return images_; }

  /// Returns the length of the longest path that a link of the guest becomes, in links of the host; 0 if the
  /// guest has no links.
  int dilation() const;
  /// Returns the most paths over one directed link of the host, if every link of the guest is used in both
  /// directions. O(host.links() + guest.links() * dilation). Throws UsageError if the host has no such
  /// routing.
  int congestion(Routing routing) const;
  /// Returns the congestion by the host's default routing.
  int congestion() const { return congestion(host_.default_routing()); }

  /// Compares guest, host and images.
  friend bool operator==(const Embedding&, const Embedding&) = default;

 private:
  Topology guest_, host_;
  std::vector<Rank> images_;
};

/// Embeds the array, ring, mesh or torus `guest` into the smallest hypercube that has enough bits for each of
/// its extents: the coordinates, Gray-coded, side by side. Dilation and congestion are 1 for arrays and
/// meshes, and for rings and tori whose extents are even; the dilation is 2, the least possible, where a ring
/// of odd extent must close. Throws UsageError for the other families, and if the hypercube would have more
/// than max_nodes nodes.
Embedding gray_embedding(const Topology& guest);

}  // namespace vnode
#pragma GCC visibility pop
