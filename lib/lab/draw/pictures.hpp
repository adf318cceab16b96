#pragma once

#include <string>
#include <vector>

#include <vnode/lab/draw.hpp>

#include "draw/drawing.hpp"

namespace vnode {

/// Throws UsageError as draw() does.
Drawing drawing_of(const HeatMapPicture& picture);
std::string text_of(const HeatMapPicture& picture);

/// Describes a part of a machine, with the parts inside it: a package holds NUMA nodes, these hold caches of
/// level 3, these hold cores, and these hold PUs.
struct MachinePart {
  std::string name = {};                ///< "core 3"
  bool pu = false;                      ///< the innermost
  bool allowed = true;                  ///< of a PU: the process may use it
  std::vector<int> ranks = {};          ///< of a PU: the nodes on it
  std::vector<MachinePart> parts = {};  ///< from left to right
};

/// Returns the machine as nested parts. Throws UsageError as draw() does.
MachinePart parts_of(const MappingPicture& picture);
Drawing drawing_of(const MappingPicture& picture);
std::string text_of(const MappingPicture& picture);

/// Throws UsageError as draw() does.
Drawing drawing_of(const SpaceTimePicture& picture);
std::string text_of(const SpaceTimePicture& picture);

/// Returns a time for people: "12 us", "1.5 ms".
std::string time_text(double seconds);
/// Returns the least of 1, 2, 5, 10, 20, … times a power of ten that divides `seconds` into at most `parts`
/// parts.
double tick(double seconds, int parts);

}  // namespace vnode
