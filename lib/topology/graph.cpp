#include "topology/graph.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>

#include "topology/range.hpp"

namespace vnode {
namespace {

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
  for (const Routing each : known) names += fmt::format("{}{}", names.empty() ? "" : " and ", name(each));
  throw UsageError(
      fmt::format("{} has no routing {}: it has {}", name(topology.family()), name(routing), names));
}

}  // namespace

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
