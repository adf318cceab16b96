#pragma once

#include <string>
#include <vector>

#include <vnode/lab/draw.hpp>

#include "draw/drawing.hpp"

namespace vnode {

/// UsageError as of draw().
Drawing drawing_of(const HeatMapPicture& picture);
std::string text_of(const HeatMapPicture& picture);

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

/// UsageError as of draw().
Drawing drawing_of(const SpaceTimePicture& picture);
std::string text_of(const SpaceTimePicture& picture);

/// A time for people: "12 us", "1.5 ms".
std::string time_text(double seconds);
/// The least of 1, 2, 5, 10, 20, … times a power of ten that divides `seconds` into at most `parts` parts.
double tick(double seconds, int parts);

}  // namespace vnode
