#include "overlaps.hpp"

using namespace vnode;

namespace {

Box box_of(const Disc& disc) {
  return {disc.center.x - disc.radius, disc.center.y - disc.radius, 2 * disc.radius, 2 * disc.radius};
}

}  // namespace

bool within(const Box& inner, const Box& outer) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
}

std::string overlaps(const Drawing& drawing) {
  const Box all{0, 0, drawing.width, drawing.height};
  if (!within(bounds(drawing), all)) return "marks outside of the drawing";
  for (std::size_t i = 0; i < drawing.labels.size(); ++i) {
    const Label& label = drawing.labels[i];
    const Box box = vnode::box_of(label);
    for (std::size_t j = i + 1; j < drawing.labels.size(); ++j)
      if (overlap(box, vnode::box_of(drawing.labels[j])))
        return "\"" + label.text + "\" on \"" + drawing.labels[j].text + '"';
    for (const Disc& disc : drawing.discs)
      if (disc.center != label.at && overlap(box, box_of(disc))) return "\"" + label.text + "\" on a disc";
  }
  for (std::size_t i = 0; i < drawing.discs.size(); ++i)
    for (std::size_t j = i + 1; j < drawing.discs.size(); ++j)
      if (length(drawing.discs[i].center - drawing.discs[j].center) <
          drawing.discs[i].radius + drawing.discs[j].radius)
        return "discs on discs";
  return "";
}
