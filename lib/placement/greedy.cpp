#include <algorithm>
#include <limits>

#include "placement/search.hpp"

namespace vnode {
namespace {

/// So many nodes, and PUs times ends of links, are a matter of a second or so.
constexpr std::size_t most_nodes = 1 << 12, most_looks = std::size_t{1} << 28;

/// How many nodes a PU can still take, and how many all open ones together.
class Room {
 public:
  Room(const Slots& slots, std::size_t pus) : certain_(pus), open_(pus), take_(slots.take) {
    for (const int pu : slots.certain) ++certain_[static_cast<std::size_t>(pu)];
    for (const int pu : slots.open) open_[static_cast<std::size_t>(pu)] = true;
  }
  bool at(int pu) const {
    const auto place = static_cast<std::size_t>(pu);
    return certain_[place] > 0 || (open_[place] && take_ > 0);
  }
  void fill(int pu) {
    const auto place = static_cast<std::size_t>(pu);
    if (certain_[place] > 0) {
      --certain_[place];
      return;
    }
    open_[place] = false;
    --take_;
  }

 private:
  std::vector<int> certain_;
  std::vector<bool> open_;
  int take_;
};

}  // namespace

std::optional<std::vector<int>> greedy(const SearchSpace& space, const Deadline& deadline) {
  const auto nodes = static_cast<std::size_t>(space.graph.nodes());
  std::vector<int> usable = space.slots.certain;
  usable.insert(usable.end(), space.slots.open.begin(), space.slots.open.end());
  std::ranges::sort(usable);
  usable.erase(std::unique(usable.begin(), usable.end()), usable.end());
  if (nodes > most_nodes || usable.size() > most_looks / std::max<std::size_t>(space.graph.ends(), 1))
    return {};
  Room room(space.slots, space.l3s.size());
  std::vector<int> pus(nodes, -1);
  std::vector<double> drawn(nodes);  // by node not placed: the weight of its links to those that are
  for (std::size_t placed = 0; placed < nodes; ++placed) {
    if (late(deadline)) return {};
    std::size_t next = nodes;
    for (std::size_t node = 0; node < nodes; ++node)
      if (pus[node] < 0 && (next == nodes || drawn[node] > drawn[next])) next = node;
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const int pu : usable) {
      if (!room.at(pu)) continue;
      double hops = 0;
      for (const auto& [neighbour, weight] : space.graph.neighbours(static_cast<Rank>(next)))
        if (const int there = pus[static_cast<std::size_t>(neighbour)]; there >= 0)
          hops += weight * space.distance(pu, there);
      if (best >= 0 && hops >= least) continue;  // a sum of huge weights may be infinite
      least = hops;
      best = pu;
    }
    pus[next] = best;
    room.fill(best);
    for (const auto& [neighbour, weight] : space.graph.neighbours(static_cast<Rank>(next)))
      drawn[static_cast<std::size_t>(neighbour)] += weight;
  }
  return pus;
}

}  // namespace vnode
