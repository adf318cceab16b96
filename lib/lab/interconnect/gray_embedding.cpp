#include <bit>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/embedding.hpp>
#include <vnode/lab/gray_code.hpp>


namespace vnode {
namespace {

/// The bits it takes to write the numbers below `extent`.
int bits(int extent) { return static_cast<int>(std::bit_width(static_cast<unsigned>(extent - 1))); }

// Codes are mirrored about their middle: code(2^d - 1 - i) is code(i) with the highest bit flipped. So a ring
// that takes as many of the last codes as of the first closes over one bit; an odd one has one more of the
// first.
int ring_code(int position, int extent) {
  const int first = (extent + 1) / 2;
  return gray_encode(position < first ? position : position + (1 << bits(extent)) - extent);
}

}  // namespace

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
  return Embedding(guest, Topology(hypercube{}, 1 << dimensions), std::move(images));
}

}  // namespace vnode
