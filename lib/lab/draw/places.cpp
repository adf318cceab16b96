#include <algorithm>
#include <array>

#include "draw/geometry.hpp"
#include "draw/rounds.hpp"

namespace vnode {
namespace {

Box grown(const Box& box, double across, double along) {
  return {box.x - across, box.y - along, box.width + 2 * across, box.height + 2 * along};
}

}  // namespace

Places::Places(const Drawing& drawing) {
  constexpr double apart = 3;
  for (const Disc& disc : drawing.discs) {
    const double reach = disc.radius + apart;
    taken_.push_back({disc.center.x - reach, disc.center.y - reach, 2 * reach, 2 * reach});
  }
  for (const Label& label : drawing.labels) taken_.push_back(grown(box_of(label), 4, 0));
}

bool Places::is_free(const Box& box) const {
  return std::ranges::none_of(taken_, [&](const Box& other) { return overlap(box, other); });
}

bool Places::find(Label& label, std::span<const Point> line, std::span<const Stroke> lines, std::size_t own) {
  constexpr std::array fractions = {0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3,
                                    0.7, 0.25, 0.75, 0.2, 0.8, 0.15, 0.85};
  const auto covers = [&](const Box& box) {
    for (std::size_t i = 0; i < lines.size(); ++i)
      for (std::size_t j = 1; i != own && j < lines[i].points.size(); ++j)
        if (crosses(lines[i].points[j - 1], lines[i].points[j], box)) return true;
    return false;
  };
  for (const bool clear : {true, false})
    for (const double fraction : fractions) {
      label.at = along(line, fraction);
      const Box box = box_of(label);
      if (!is_free(box) || (clear && covers(grown(box, 3, 3)))) continue;
      taken_.push_back(grown(box, 4, 0));  // numbers side by side would be one number
      return true;
    }
  return false;
}

}  // namespace vnode
