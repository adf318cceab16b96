#include <algorithm>
#include <doctest/doctest.h>

#include "all_topologies.hpp"

using vnode::Family;
using vnode::Routing;
using vnode::Topology;

namespace {

/// Distances in links from `start` to every vertex, by breadth-first search.
std::vector<int> breadth_first(const Topology& t, int start) {
  std::vector<int> distance(static_cast<std::size_t>(t.vertices()), -1), queue{start};
  distance[static_cast<std::size_t>(start)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (int port = 0; port < t.degree(queue[i]); ++port) {
      const int next = t.neighbour(queue[i], port);
      if (distance[static_cast<std::size_t>(next)] >= 0) continue;
      distance[static_cast<std::size_t>(next)] = distance[static_cast<std::size_t>(queue[i])] + 1;
      queue.push_back(next);
    }
  return distance;
}

bool leads(const Topology& t, const std::vector<int>& route, int from, int to) {
  for (const int link : route) {
    if (t.ends(link).from != from) return false;
    from = t.ends(link).to;
  }
  return from == to;
}

/// Returns the dimension of each link of a route between nodes of a topology without switches.
std::vector<int> dimensions(const Topology& t, const std::vector<int>& route) {
  std::vector<int> result;
  for (const int link : route)
    for (int i = 0; i < t.dimensions(); ++i)
      if (t.coordinate(t.ends(link).from, i) != t.coordinate(t.ends(link).to, i)) result.push_back(i);
  return result;
}

template <class Visit>
void for_each_pair(const Topology& t, Visit visit) {
  for (int from = 0; from < t.nodes(); ++from)
    for (int to = 0; to < t.nodes(); ++to) visit(from, to);
}

}  // namespace

TEST_CASE("distance is breadth-first search's, the diameter is its maximum, and every route is such a way") {
  for (const Topology& t : topologies_up_to(40)) {
    CAPTURE(t.text());
    CAPTURE(t.nodes());
    int wrong = 0, greatest = 0;
    std::vector<int> shortest;
    for_each_pair(t, [&](int from, int to) {
      if (to == 0) shortest = breadth_first(t, from);
      const int distance = shortest[static_cast<std::size_t>(to)];
      greatest = std::max(greatest, distance);
      wrong += t.distance(from, to) != distance ? 1 : 0;
      for (const Routing routing : vnode::routings(t.family())) {
        const std::vector<int> route = t.route(from, to, routing);
        wrong += static_cast<int>(route.size()) != distance || !leads(t, route, from, to) ? 1 : 0;
      }
    });
    CHECK(wrong == 0);
    CHECK(t.diameter() == greatest);
  }
}

TEST_CASE("the same for 64 nodes in every topology of at most two dimensions") {
  for (const Topology& t : topologies(64)) {
    if (t.dimensions() > 2 && t.family() != Family::hypercube && t.family() != Family::tree) continue;
    CAPTURE(t.text());
    int wrong = 0;
    for (int from = 0; from < 64; ++from) {
      const std::vector<int> shortest = breadth_first(t, from);
      for (int to = 0; to < 64; ++to)
        wrong += t.distance(from, to) != shortest[static_cast<std::size_t>(to)] ? 1 : 0;
      wrong += *std::max_element(shortest.begin(), shortest.begin() + 64) > t.diameter() ? 1 : 0;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("xy and E-cube take the dimensions upwards, yx and ecube_high downwards") {
  for (const Topology& t : topologies_up_to(32)) {
    if (vnode::routings(t.family()).size() < 2) continue;
    CAPTURE(t.text());
    int wrong = 0;
    for_each_pair(t, [&](int from, int to) {
      const std::vector<int> up = dimensions(t, t.route(from, to, vnode::routings(t.family())[0]));
      std::vector<int> down = dimensions(t, t.route(from, to, vnode::routings(t.family())[1]));
      wrong += !std::ranges::is_sorted(up) ? 1 : 0;
      std::ranges::reverse(down);
      wrong += down != up ? 1 : 0;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("reversed, an xy way of a mesh is a yx way and an E-cube way an ecube_high way") {
  for (const Topology& t : topologies_up_to(32)) {
    if (t.family() != Family::mesh && t.family() != Family::hypercube) continue;
    CAPTURE(t.text());
    int wrong = 0;
    for_each_pair(t, [&](int from, int to) {
      std::vector<int> route = t.route(from, to, vnode::routings(t.family())[0]);
      std::ranges::reverse(route);
      for (int& link : route) link ^= 1;
      wrong += route != t.route(to, from, vnode::routings(t.family())[1]) ? 1 : 0;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("a ring's tie, and that of each ring of a torus, is gone towards higher ranks") {
  for (int p = 2; p <= 64; p += 2) {
    const Topology ring(vnode::shapes::ring{}, p);
    for (int from = 0; from < p; ++from) {
      const int first = ring.ends(ring.route(from, (from + p / 2) % p).front()).to;
      CHECK(first == (from + 1) % p);
    }
  }
  const Topology torus(vnode::shapes::torus{4, 6}, 24);
  for (int from = 0; from < 24; ++from) {
    const int row = torus.coordinate(from, 1), column = torus.coordinate(from, 0);
    const int across = torus.rank_at({(row + 2) % 4, (column + 3) % 6});
    CHECK(torus.ends(torus.route(from, across, Routing::xy).front()).to ==
          torus.rank_at({row, (column + 1) % 6}));
    CHECK(torus.ends(torus.route(from, across, Routing::yx).front()).to ==
          torus.rank_at({(row + 1) % 4, column}));
  }
}

TEST_CASE("thousands of nodes need no tables: the longest ways of every family of 4096") {
  for (const vnode::Family family : vnode::families()) {
    const Topology t(vnode::Shape(family), 4096);
    CAPTURE(t.text());
    int longest = 0;
    std::vector<int> route;
    for (int to = 0; to < 4096; ++to) {
      route.clear();
      t.append_route(0, to, t.default_routing(), route);
      CHECK(leads(t, route, 0, to));
      longest = std::max(longest, static_cast<int>(route.size()));
    }
    CHECK(longest == t.diameter());
  }
}
