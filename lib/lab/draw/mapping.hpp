#pragma once

#include <string>
#include <vector>

#include <vnode/lab/draw.hpp>

#include "draw/drawing.hpp"

namespace vnode {

/// A part of a machine, with the parts inside it: a package holds NUMA nodes, these hold caches of level 3,
/// these hold cores, these hold PUs.
struct MachinePart {
  std::string name = {};                ///< "core 3"
  bool pu = false;                      ///< the innermost
  bool allowed = true;                  ///< of a PU: the process may use it
  std::vector<int> ranks = {};          ///< of a PU: the nodes on it
  std::vector<MachinePart> parts = {};  ///< from left to right
};

/// The machine as nested parts; UsageError as of draw().
MachinePart parts_of(const MappingPicture& picture);
Drawing drawing_of(const MappingPicture& picture);
std::string text_of(const MappingPicture& picture);

}  // namespace vnode
