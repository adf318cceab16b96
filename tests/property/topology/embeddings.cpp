#include <algorithm>
#include <bit>
#include <doctest/doctest.h>

#include <vnode/lab/embedding.hpp>
#include <vnode/model/gray_code.hpp>

#include "all_topologies.hpp"

using vnode::Embedding;
using vnode::Family;
using vnode::gray_encode;
using vnode::Routing;
using vnode::Topology;

TEST_CASE("Gray codes are permutations of d bits whose successors, cyclically, differ in one bit") {
  for (int d = 0; d <= 12; ++d) {
    const int count = 1 << d;
    std::vector<int> seen(static_cast<std::size_t>(count));
    int wrong = 0;
    for (int position = 0; position < count; ++position) {
      const int code = gray_encode(position), next = gray_encode((position + 1) % count);
      ++seen.at(static_cast<std::size_t>(code));
      wrong += vnode::gray_decode(code) != position ? 1 : 0;
      wrong += d > 0 && std::popcount(static_cast<unsigned>(code ^ next)) != 1 ? 1 : 0;
      wrong += d > 0 && gray_encode(count - 1 - position) != (code ^ count / 2) ? 1 : 0;  // reflected
    }
    CHECK(wrong == 0);
    CHECK(std::ranges::count(seen, 1) == count);
  }
}

TEST_CASE("Gray embeddings have dilation 1 and congestion 1 unless an odd ring must close, then dilation 2") {
  int guests = 0;
  for (const Topology& guest : topologies_up_to(64)) {
    const Family family = guest.family();
    if (family == Family::hypercube || family == Family::tree || family == Family::full) continue;
    CAPTURE(guest.text());
    CAPTURE(guest.nodes());
    const bool wraps = family == Family::ring || family == Family::torus;
    const bool odd_ring = wraps && std::ranges::any_of(guest.extents(), [](int extent) {
                            return extent > 1 && extent % 2 == 1;
                          });
    const Embedding embedding = vnode::gray_embedding(guest);
    CHECK(embedding.dilation() == (guest.links() == 0 ? 0 : odd_ring ? 2 : 1));
    if (odd_ring) continue;
    for (const Routing routing : {Routing::ecube, Routing::ecube_high})
      CHECK(embedding.congestion(routing) == (guest.links() == 0 ? 0 : 1));
    ++guests;
  }
  CHECK(guests > 500);
}

TEST_CASE("a guest whose extents are powers of two fills its hypercube") {
  for (int p = 1; p <= 256; p *= 2)
    for (const Topology& guest : topologies(p)) {
      if (guest.family() != Family::ring && guest.family() != Family::mesh && guest.family() != Family::torus)
        continue;
      const Embedding embedding = vnode::gray_embedding(guest);
      CHECK(embedding.host() == Topology(vnode::shapes::hypercube{}, p));
      CHECK(embedding.dilation() <= 1);
    }
}

TEST_CASE("a topology in itself has dilation 1 and congestion 1") {
  for (const Topology& t : topologies_up_to(32)) {
    if (t.family() == Family::tree || t.nodes() == 1) continue;
    std::vector<vnode::Rank> images;
    for (int rank = 0; rank < t.nodes(); ++rank) images.push_back(rank);
    const Embedding itself(t, t, images);
    CAPTURE(t.text());
    CHECK(itself.dilation() == 1);
    for (const Routing routing : vnode::routings(t.family())) CHECK(itself.congestion(routing) == 1);
  }
}
