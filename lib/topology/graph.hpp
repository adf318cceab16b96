#pragma once

#include <vnode/topology.hpp>

#include "topology/full.hpp"
#include "topology/grid.hpp"
#include "topology/hypercube.hpp"
#include "topology/tree.hpp"

namespace vnode {

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

}  // namespace vnode
