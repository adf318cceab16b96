#include <vnode/lab/placement.hpp>

#include "placement/slots.hpp"

namespace vnode {

Mapping compact_mapping(const Machine& machine, int nodes) {
  return mapping_on(machine, compact_slots(machine, nodes));
}

}  // namespace vnode
