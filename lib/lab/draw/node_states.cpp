#include "draw/node_states.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace vnode {

Arrangement with_states(Arrangement arrangement, const std::vector<std::string>& states,
                        const std::vector<Stroke>& arrows, const Topology& topology) {
  const Drawing below = nodes_and_links(topology, arrangement);
  const auto lines = [](const std::vector<Stroke>& strokes, const Box& box) {
    return std::ranges::count_if(strokes, [&](const Stroke& stroke) {
      for (std::size_t i = 1; i < stroke.points.size(); ++i)
        if (crosses(stroke.points[i - 1], stroke.points[i], box)) return true;
      return false;
    });
  };
  const auto cost = [&](const Label& label) {
    const Box box = box_of(label);
    long covered = 10 * lines(arrows, box) + lines(below.strokes, box);
    for (const Disc& disc : below.discs)
      if (overlap(box, {disc.center.x - disc.radius, disc.center.y - disc.radius, 2 * disc.radius,
                        2 * disc.radius}))
        covered += 100;
    for (const Label& other : arrangement.names)
      if (overlap(box, box_of(other))) covered += 100;
    return covered;
  };
  const double size = std::clamp(0.8 * arrangement.radius, 9.0, 11.0);
  const double reach = arrangement.radius + 0.8 * size, beside = arrangement.radius + 3;
  for (std::size_t node = 0; node < states.size(); ++node) {
    std::optional<Label> best;
    const std::array<std::pair<Point, Anchor>, 8> places{{{{0, reach}, Anchor::middle},
                                                          {{0, -reach}, Anchor::middle},
                                                          {{beside, 0}, Anchor::start},
                                                          {{-beside, 0}, Anchor::end},
                                                          {{4, reach}, Anchor::start},
                                                          {{-4, reach}, Anchor::end},
                                                          {{4, -reach}, Anchor::start},
                                                          {{-4, -reach}, Anchor::end}}};
    for (const auto& [from_node, anchor] : places) {
      const Label label{.text = states[node],
                        .at = arrangement.at[node] + from_node,
                        .size = size,
                        .anchor = anchor,
                        .ink = ink(Ink::text),
                        .backed = true};
      if (!best || cost(label) < cost(*best)) best = label;
    }
    if (!best->text.empty()) arrangement.names.push_back(*best);
  }
  return arrangement;
}

}  // namespace vnode
