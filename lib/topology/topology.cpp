#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include <vnode/error.hpp>
#include <vnode/topology.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "base/enum_names.hpp"
#include "topology/graphs.hpp"
#include "topology/grid.hpp"

namespace vnode {
namespace {

/// Throws UsageError unless 0 <= index < count; `what` is the singular: "node", "port".
void check_range(std::string_view what, int index, int count) {
  if (index >= 0 && index < count) return;
  if (count == 0) throw UsageError(fmt::format("there is no {} {}: there are none", what, index));
  throw UsageError(fmt::format("there is no {} {}: the numbers are 0 to {}", what, index, count - 1));
}

/// Returns {rows, columns} with rows * columns = `nodes` and rows <= columns as close as can be.
std::array<int, 2> squarest_factorisation(int nodes) {
  int rows = 1;
  for (int divisor = 2; divisor * divisor <= nodes; ++divisor)
    if (nodes % divisor == 0) rows = divisor;
  return {rows, nodes / rows};
}

int checked_nodes(Family family, int nodes) {
  if (nodes < 1) throw UsageError(fmt::format("a topology has at least 1 node, not {}", nodes));
  if (nodes > max_nodes)
    throw UsageError(fmt::format("a topology has at most {} nodes, not {}", max_nodes, nodes));
  if (family == Family::full && nodes > max_full_nodes)
    throw UsageError(fmt::format(
        "a full topology has at most {} nodes, not {}: it would have more links than can be numbered; "
        "hypercube or torus would be right",
        max_full_nodes, nodes));
  return nodes;
}

int checked_log2(Family family, int nodes) {
  const auto p = static_cast<unsigned>(nodes);
  if (!std::has_single_bit(p))
    throw UsageError(fmt::format("a {} has a power of two of nodes, not {}: {} or {} would be right",
                                 enums::name(family), nodes, std::bit_floor(p), std::bit_ceil(p)));
  return std::countr_zero(p);
}

/// Fills in the extents of a mesh or torus.
Shape resolved(const Shape& shape, int nodes) {
  if (shape.nodes() == nodes) return shape;
  const Shape squarest(shape.family(), squarest_factorisation(nodes));
  if (!shape.nodes()) return squarest;
  throw UsageError(fmt::format("{} has {}, not {}: {} would be right", shape.text(),
                               counted(*shape.nodes(), "node"), nodes, squarest.text()));
}

constexpr std::array only_way{Routing::shortest};
constexpr std::array dimension_orders{Routing::xy, Routing::yx};
constexpr std::array bit_orders{Routing::ecube, Routing::ecube_high};
constexpr std::array by_switches{Routing::tree};

constexpr EnumNames<Routing, 6> routing_names{{"shortest", "xy", "yx", "ecube", "ecube_high", "tree"}};

/// Asks the topology as the kind of graph it is.
template <class Question>
auto ask(const Topology& topology, Question question) {
  switch (topology.family()) {
    case Family::array:
    case Family::mesh:
      return question(Grid(topology.extents(), false));
    case Family::ring:
    case Family::torus:
      return question(Grid(topology.extents(), true));
    case Family::hypercube:
      return question(Hypercube(topology.dimensions()));
    case Family::tree:
      return question(Tree(topology.dimensions()));
    case Family::full:
      break;
  }
  return question(Full(topology.nodes()));
}

/// Asks about a port that exists.
template <class Question>
auto ask_port(const Topology& topology, int vertex, int port, Question question) {
  return ask(topology, [&](const auto& graph) {
    check_range("vertex", vertex, graph.vertices());
    check_range("port", port, graph.degree(vertex));
    return question(graph);
  });
}

void check_routing(const Topology& topology, Routing routing) {
  const std::span<const Routing> known = routings(topology.family());
  if (std::ranges::find(known, routing) != known.end()) return;
  std::string names;
  for (const Routing each : known)
    names += fmt::format("{}{}", names.empty() ? "" : " and ", enums::name(each));
  throw UsageError(fmt::format("{} has no routing {}: it has {}", enums::name(topology.family()),
                               enums::name(routing), names));
}

}  // namespace

Topology::Topology(const Shape& shape, int nodes)
    : family_(shape.family()), nodes_(checked_nodes(shape.family(), nodes)) {
  switch (family_) {
    case Family::mesh:
    case Family::torus: {
      const Shape complete = resolved(shape, nodes);
      dimensions_ = static_cast<int>(complete.extents().size());
      std::ranges::copy(complete.extents(), extents_.begin());
      break;
    }
    case Family::hypercube:
    case Family::tree:
      dimensions_ = checked_log2(family_, nodes);
      std::fill_n(extents_.begin(), dimensions_, 2);
      break;
    case Family::array:
    case Family::ring:
    case Family::full:
      dimensions_ = 1;
      extents_[0] = nodes;
      break;
  }
}

Shape Topology::shape() const {
  const bool grid = family_ == Family::mesh || family_ == Family::torus;
  return grid ? Shape(family_, extents()) : Shape(family_);
}

int Topology::extent(int dimension) const {
  check_range("dimension", dimension, dimensions_);
  return at(extents_, dimensions_ - 1 - dimension);
}

int Topology::coordinate(Rank rank, int dimension) const {
  check_range("node", rank, nodes_);
  check_range("dimension", dimension, dimensions_);
  for (int faster = 0; faster < dimension; ++faster) rank /= extent(faster);
  return rank % extent(dimension);
}

std::vector<int> Topology::coordinates(Rank rank) const {
  check_range("node", rank, nodes_);
  std::vector<int> coordinates(static_cast<std::size_t>(dimensions_));
  for (std::size_t i = coordinates.size(); i-- > 0; rank /= extents_[i]) coordinates[i] = rank % extents_[i];
  return coordinates;
}

Rank Topology::rank_at(std::span<const int> coordinates) const {
  if (coordinates.size() != extents().size())
    throw UsageError(
        fmt::format("a node of {} has {} coordinates, not {}", text(), dimensions_, coordinates.size()));
  Rank rank = 0;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (coordinates[i] < 0 || coordinates[i] >= extents_[i])
      throw UsageError(fmt::format("{} has no node at ({}): {} is not within 0 to {}", text(),
                                   fmt::join(coordinates, ","), coordinates[i], extents_[i] - 1));
    rank = rank * extents_[i] + coordinates[i];
  }
  return rank;
}

Rank Topology::rank_at(std::initializer_list<int> coordinates) const {
  return rank_at(std::span<const int>{coordinates.begin(), coordinates.size()});
}

std::string_view enums::name(Routing routing) { return routing_names[routing]; }

std::span<const Routing> routings(Family family) {
  switch (family) {
    case Family::mesh:
    case Family::torus:
      return dimension_orders;
    case Family::hypercube:
      return bit_orders;
    case Family::tree:
      return by_switches;
    case Family::array:
    case Family::ring:
    case Family::full:
      break;
  }
  return only_way;
}

Routing parse_routing(std::string_view text) {
  if (const auto routing = routing_names.find(text)) return *routing;
  throw UsageError(fmt::format(
      "there is no routing \"{}\": there are shortest, xy, yx, ecube, ecube_high and tree", text));
}

int Topology::vertices() const {
  return ask(*this, [](const auto& graph) { return graph.vertices(); });
}

int Topology::degree(int vertex) const {
  return ask(*this, [=](const auto& graph) {
    check_range("vertex", vertex, graph.vertices());
    return graph.degree(vertex);
  });
}

int Topology::neighbour(int vertex, int port) const {
  return ask_port(*this, vertex, port,
                  [=](const auto& graph) { return graph.ends(graph.directed_link(vertex, port)).to; });
}

Port Topology::port(int vertex, int port) const {
  return ask_port(*this, vertex, port, [=](const auto& graph) { return graph.port(vertex, port); });
}

std::string Topology::port_name(int vertex, int port) const {
  return ask_port(*this, vertex, port, [=](const auto& graph) { return graph.port_name(vertex, port); });
}

int Topology::links() const {
  return ask(*this, [](const auto& graph) { return graph.links(); });
}

int Topology::directed_link(int vertex, int port) const {
  return ask_port(*this, vertex, port, [=](const auto& graph) { return graph.directed_link(vertex, port); });
}

DirectedLink Topology::ends(int directed_link) const {
  return ask(*this, [=](const auto& graph) {
    check_range("directed link", directed_link, 2 * graph.links());
    return graph.ends(directed_link);
  });
}

int Topology::port_of(int directed_link) const {
  return ask(*this, [=](const auto& graph) {
    check_range("directed link", directed_link, 2 * graph.links());
    return graph.port_of(directed_link);
  });
}

int Topology::distance(Rank a, Rank b) const {
  check_range("node", a, nodes_);
  check_range("node", b, nodes_);
  return ask(*this, [=](const auto& graph) { return graph.distance(a, b); });
}

int Topology::diameter() const {
  return ask(*this, [](const auto& graph) { return graph.diameter(); });
}

int Topology::bisection() const {
  return ask(*this, [](const auto& graph) { return graph.bisection(); });
}

std::vector<int> Topology::route(Rank from, Rank to, Routing routing) const {
  std::vector<int> links;
  append_route(from, to, routing, links);
  return links;
}

void Topology::append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const {
  check_range("node", from, nodes_);
  check_range("node", to, nodes_);
  check_routing(*this, routing);
  ask(*this, [&](const auto& graph) { graph.append_route(from, to, routing, links); });
}

}  // namespace vnode
