#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/embedding.hpp>
#include <vnode/model/gray_code.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"

namespace vnode {
namespace {

/// Visits the images of both ends of every directed link.
template <class Visit>
void for_each_way(const Embedding& embedding, Visit visit) {
  const auto image = [&](int node) { return at(embedding.images(), node); };
  for (int link = 0; link < embedding.guest().directed_links(); ++link) {
    const auto [from, to] = embedding.guest().ends(link);
    visit(image(from), image(to));
  }
}

/// Returns the number of bits that the numbers below `extent` need.
int bits(int extent) { return static_cast<int>(std::bit_width(static_cast<unsigned>(extent - 1))); }

// Codes are mirrored about their middle: code(2^d - 1 - i) is code(i) with the highest bit flipped. So a ring
// that takes as many of the last codes as of the first closes over one bit; an odd one has one more of the
// first.
int ring_code(int position, int extent) {
  const int first = (extent + 1) / 2;
  return gray_encode(position < first ? position : position + (1 << bits(extent)) - extent);
}

}  // namespace

Embedding::Embedding(const Topology& guest, const Topology& host, std::vector<Rank> images)
    : guest_(guest), host_(host), images_(std::move(images)) {
  if (guest.vertices() > guest.nodes())
    throw UsageError(fmt::format("{} cannot be embedded: its switches would have no image", guest.text()));
  if (images_.size() != static_cast<std::size_t>(guest.nodes()))
    throw UsageError(fmt::format("an embedding needs one image for each of {}, not {}",
                                 counted(guest.nodes(), "node"), images_.size()));
  std::vector<bool> taken(static_cast<std::size_t>(host.nodes()));
  for (const Rank image : images_) {
    if (image < 0 || image >= host.nodes())
      throw UsageError(
          fmt::format("{} cannot be an image: the host's nodes are 0 to {}", image, host.nodes() - 1));
    if (at(taken, image))
      throw UsageError(fmt::format("{} is the image of two nodes: every node needs one of its own", image));
    at(taken, image) = true;
  }
}

int Embedding::dilation() const {
  int dilation = 0;
  for_each_way(*this, [&](Rank from, Rank to) { dilation = std::max(dilation, host_.distance(from, to)); });
  return dilation;
}

int Embedding::congestion(Routing routing) const {
  std::vector<int> load(static_cast<std::size_t>(host_.directed_links()));
  std::vector<int> route;
  int congestion = 0;
  for_each_way(*this, [&](Rank from, Rank to) {
    route.clear();
    host_.append_route(from, to, routing, route);
    for (const int link : route) congestion = std::max(congestion, ++at(load, link));
  });
  return congestion;
}

Embedding gray_embedding(const Topology& guest) {
  const Family family = guest.family();
  const bool wraps = family == Family::ring || family == Family::torus;
  if (!wraps && family != Family::array && family != Family::mesh)
    throw UsageError(
        fmt::format("{} has no Gray code embedding: array, ring, mesh and torus have", guest.text()));

  int dimensions = 0;
  for (const int extent : guest.extents()) dimensions += bits(extent);
  std::vector<Rank> images;
  for (Rank rank = 0; rank < guest.nodes(); ++rank) {
    Rank image = 0;
    for (int dimension = guest.dimensions() - 1; dimension >= 0; --dimension) {
      const int extent = guest.extent(dimension);
      const int position = guest.coordinate(rank, dimension);
      image = image << bits(extent) | (wraps ? ring_code(position, extent) : gray_encode(position));
    }
    images.push_back(image);
  }
  return Embedding(guest, Topology(shapes::hypercube{}, 1 << dimensions), std::move(images));
}

}  // namespace vnode
