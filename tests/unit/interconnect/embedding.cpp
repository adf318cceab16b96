#include <doctest/doctest.h>
#include <numeric>

#include <vnode/lab/embedding.hpp>
#include <vnode/model/gray_code.hpp>

#include "unit/topology/message.hpp"

using vnode::Embedding;
using vnode::gray_embedding;
using vnode::Rank;
using vnode::Routing;
using vnode::Shape;
using vnode::Topology;

namespace {

std::vector<Rank> identity(int nodes) {
  std::vector<Rank> images(static_cast<std::size_t>(nodes));
  std::iota(images.begin(), images.end(), 0);
  return images;
}

Topology topology(const char* text, int nodes) { return {Shape::parse(text), nodes}; }

}  // namespace

TEST_CASE("the Gray codes of three bits are the book's") {
  const int codes[] = {0b000, 0b001, 0b011, 0b010, 0b110, 0b111, 0b101, 0b100};
  for (int position = 0; position < 8; ++position) {
    CHECK(vnode::gray_encode(position) == codes[position]);
    CHECK(vnode::gray_decode(codes[position]) == position);
  }
  static_assert(vnode::gray_decode(vnode::gray_encode(0x7fffffff)) == 0x7fffffff);
}

TEST_CASE("a ring of eight in a hypercube lies on the Gray codes") {
  const Embedding ring = gray_embedding(topology("ring", 8));
  CHECK(ring.images() == std::vector<Rank>{0, 1, 3, 2, 6, 7, 5, 4});
  CHECK(ring.host() == topology("hypercube", 8));
}

TEST_CASE("a mesh in a hypercube has the Gray codes of its coordinates side by side") {
  const Embedding mesh = gray_embedding(topology("mesh:2x4", 8));
  CHECK(mesh.images() == std::vector<Rank>{0b000, 0b001, 0b011, 0b010, 0b100, 0b101, 0b111, 0b110});
}

TEST_CASE("a ring of six takes the first and the last three codes, a ring of five closes over two bits") {
  const Embedding six = gray_embedding(topology("ring", 6));
  CHECK(six.images() == std::vector<Rank>{0b000, 0b001, 0b011, 0b111, 0b101, 0b100});
  CHECK(six.dilation() == 1);
  CHECK(gray_embedding(topology("ring", 5)).dilation() == 2);
}

TEST_CASE("dilation and congestion of embeddings in the natural order") {
  const Embedding ring_in_array(topology("ring", 8), topology("array", 8), identity(8));
  CHECK(ring_in_array.dilation() == 7);
  CHECK(ring_in_array.congestion() == 2);
  const Embedding cube_in_array(topology("hypercube", 8), topology("array", 8), identity(8));
  CHECK(cube_in_array.dilation() == 4);
  // Over the middle: the 4 links of dimension 2. One link further: 3 of these and the 2 of dimension 1 in
  // that half.
  CHECK(cube_in_array.congestion() == 5);
  const Embedding ring_in_cube(topology("ring", 8), topology("hypercube", 8), identity(8));
  CHECK(ring_in_cube.dilation() == 3);
  CHECK(ring_in_cube.congestion(Routing::ecube) == 2);
  const Embedding array_in_mesh(topology("array", 12), topology("mesh:3x4", 12), identity(12));
  CHECK(array_in_mesh.dilation() == 4);
  CHECK(array_in_mesh.congestion(Routing::xy) == 2);
  CHECK(Embedding(topology("ring", 4), topology("tree", 4), identity(4)).dilation() == 4);
  CHECK(Embedding(topology("array", 1), topology("ring", 8), {5}).dilation() == 0);
}

TEST_CASE("what is no embedding is refused") {
  const Topology ring = topology("ring", 4);
  const Topology cube = topology("hypercube", 8);
  CHECK(message([&] {
          Embedding(ring, cube, {0, 1, 3});
        }) == "an embedding needs one image for each of 4 nodes, not 3");
  CHECK(message([&] {
          Embedding(ring, cube, {0, 1, 3, 8});
        }) == "8 cannot be an image: the host's nodes are 0 to 7");
  CHECK(message([&] {
          Embedding(ring, cube, {0, 1, 3, -1});
        }) == "-1 cannot be an image: the host's nodes are 0 to 7");
  CHECK(message([&] {
          Embedding(ring, cube, {0, 1, 3, 1});
        }) == "1 is the image of two nodes: every node needs one of its own");
  CHECK(message([&] { Embedding(topology("tree", 4), cube, identity(4)); }) ==
        "tree cannot be embedded: its switches would have no image");
  CHECK(message([&] { gray_embedding(cube); }) ==
        "hypercube has no Gray code embedding: array, ring, mesh and torus have");
  CHECK(message([&] { gray_embedding(topology("mesh:5x5x5x5x5x5x5", 78125)); }) ==
        "a topology has at most 1048576 nodes, not 2097152");
  CHECK(message([&] { gray_embedding(ring).congestion(Routing::xy); }) ==
        "hypercube has no routing xy: it has ecube and ecube_high");
}
