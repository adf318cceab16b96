#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/gray_code.hpp>
#include <vnode/model/mapping_metrics.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/topology.hpp>

#include "base/at.hpp"
#include "placement/slots.hpp"

namespace vnode {
namespace {

/// Says how nodes are divided where both can be done.
enum class BlockShape { boxes, halves };

/// Divides a topology's nodes, the ranks in `nodes`, among parts of `sizes` nodes, in sum as many, so that
/// few links are cut: in boxes of the same extents, where sizes are equal and the nodes are a box that these
/// divide; otherwise, or if halves are asked for and there is no power of two of parts, in halves of the
/// parts again and again, cut across the dimension where the fewest links are. Parts that follow one another
/// are neighbours. The topology's nodes have coordinates.
std::vector<std::vector<Rank>> divided_in_blocks(const Topology& topology, std::vector<Rank> nodes,
                                                 const std::vector<int>& sizes, BlockShape shape);

using Ranks = std::vector<Rank>;
using Extents = std::vector<int>;  // dimension 0, the fastest, first

/// Describes a box of nodes.
struct Region {
  Extents origin, extents;
};

Region bounding_box(const Topology& topology, const Ranks& nodes) {
  Region box;
  for (int dimension = 0; dimension < topology.dimensions(); ++dimension) {
    const auto coordinate = [&](Rank rank) { return topology.coordinate(rank, dimension); };
    const auto [least, most] = std::ranges::minmax(nodes, {}, coordinate);
    box.origin.push_back(coordinate(least));
    box.extents.push_back(coordinate(most) - coordinate(least) + 1);
  }
  return box;
}

long volume(const Region& region) {
  long nodes = 1;
  for (const int extent : region.extents) nodes *= extent;
  return nodes;
}

/// Returns how many links between neighbours two sets have in common, where `inside` marks one of them and
/// the other is listed.
int links_between(const Topology& topology, std::span<const Rank> listed, const std::vector<bool>& inside) {
  int links = 0;
  for (const Rank rank : listed)
    for (int port = 0; port < topology.degree(rank); ++port)
      links += at(inside, topology.neighbour(rank, port)) ? 1 : 0;
  return links;
}

/// Returns the nodes sorted so that a beginning of any length is compact: whole layers across `dimension`,
/// then a piece of one.
void sort_across(const Topology& topology, int dimension, Ranks& nodes) {
  std::ranges::sort(nodes, {},
                    [&](Rank rank) { return std::pair(topology.coordinate(rank, dimension), rank); });
}

/// Finds the number of boxes along each dimension, so many in all, that cuts the fewest links; none if there
/// is no such.
class Tiling {
 public:
  Tiling(const Topology& topology, const Extents& extents, int parts) : extents_(extents) {
    const bool rings = topology.family() == Family::ring || topology.family() == Family::torus;
    for (std::size_t i = 0; i < extents.size(); ++i)
      closed_.push_back(rings && extents[i] > 2 && extents[i] == topology.extent(static_cast<int>(i)));
    Extents tiles;
    search(tiles, parts, 0);
  }
  const Extents& best() const { return best_; }

 private:
  /// Tries all divisors of the next extent.
  void search(Extents& tiles, int parts, double cut) {
    const std::size_t dimension = tiles.size();
    if (dimension == extents_.size()) {
      if (parts != 1 || (!best_.empty() && cut >= least_)) return;
      least_ = cut;
      best_ = tiles;
      return;
    }
    const int extent = extents_[dimension];
    for (int tile = 1; tile <= extent; ++tile) {
      if (extent % tile != 0 || parts % tile != 0) continue;
      const int cuts = tile > 1 && closed_[dimension] ? tile : tile - 1;
      tiles.push_back(tile);
      search(tiles, parts / tile, cut + static_cast<double>(cuts) / extent);
      tiles.pop_back();
    }
  }

  Extents extents_;
  std::vector<bool> closed_;  ///< by dimension: the last is linked to the first
  Extents best_;
  double least_ = 0;
};

/// Returns a box's place in the order of a snake, in which each is a neighbour of the one before.
int snake_place(const Extents& tiles, const Extents& at) {
  int place = 0;
  for (std::size_t i = tiles.size(); i-- > 0;)
    place = place * tiles[i] + (place % 2 == 0 ? at[i] : tiles[i] - 1 - at[i]);
  return place;
}

std::optional<std::vector<Ranks>> in_boxes(const Topology& topology, const Ranks& nodes, int parts) {
  const Region region = bounding_box(topology, nodes);
  if (volume(region) != static_cast<long>(nodes.size())) return {};
  const Extents tiles = Tiling(topology, region.extents, parts).best();
  if (tiles.empty()) return {};
  std::vector<Ranks> blocks(static_cast<std::size_t>(parts));
  Extents at(tiles.size());
  for (const Rank rank : nodes) {
    for (std::size_t i = 0; i < tiles.size(); ++i)
      at[i] =
          (topology.coordinate(rank, static_cast<int>(i)) - region.origin[i]) * tiles[i] / region.extents[i];
    blocks[static_cast<std::size_t>(snake_place(tiles, at))].push_back(rank);
  }
  return blocks;
}

/// Returns the first `count` of `nodes` when cut across the dimension with the fewest links, and the others;
/// cuts that leave boxes come before others.
std::pair<Ranks, Ranks> cut(const Topology& topology, Ranks nodes, std::size_t count) {
  std::pair<Ranks, Ranks> best;
  std::pair<int, long> least;  // links, then how much larger than their nodes the boxes around them are
  for (int dimension = 0; dimension < topology.dimensions(); ++dimension) {
    sort_across(topology, dimension, nodes);
    const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(count);
    const Ranks first(nodes.begin(), middle), second(middle, nodes.end());
    std::vector<bool> inside(static_cast<std::size_t>(topology.nodes()));
    for (const Rank rank : first) at(inside, rank) = true;
    const std::pair cost(links_between(topology, second, inside),
                         volume(bounding_box(topology, first)) + volume(bounding_box(topology, second)));
    if (dimension > 0 && cost >= least) continue;
    least = cost;
    best = {first, second};
  }
  return best;
}

/// Returns the first parts, as many as come nearest to one half of the nodes, and the others.
std::vector<Ranks> in_halves(const Topology& topology, Ranks nodes, const std::vector<int>& sizes,
                             BlockShape shape) {
  const auto all = static_cast<int>(nodes.size());
  std::size_t parts = 1;
  int count = sizes.front();
  while (parts + 1 < sizes.size() && std::abs(all - 2 * (count + sizes[parts])) < std::abs(all - 2 * count))
    count += sizes[parts++];
  auto [first, second] = cut(topology, std::move(nodes), static_cast<std::size_t>(count));
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(parts);
  std::vector<Ranks> all_blocks =
      divided_in_blocks(topology, std::move(first), {sizes.begin(), middle}, shape);
  for (Ranks& block : divided_in_blocks(topology, std::move(second), {middle, sizes.end()}, shape))
    all_blocks.push_back(std::move(block));
  return all_blocks;
}

std::vector<Ranks> divided_in_blocks(const Topology& topology, Ranks nodes, const std::vector<int>& sizes,
                                     BlockShape shape) {
  if (sizes.size() == 1) return {std::move(nodes)};
  const bool equal = std::ranges::count(sizes, sizes.front()) == std::ssize(sizes);
  if (equal && (shape == BlockShape::boxes || std::has_single_bit(sizes.size())))
    if (auto boxes = in_boxes(topology, nodes, static_cast<int>(sizes.size()))) return *boxes;
  return in_halves(topology, std::move(nodes), sizes, shape);
}

void assign(const Topology& topology, std::vector<Rank> nodes, const PuPart& part, BlockShape shape,
            std::vector<int>& pus) {
  if (part.parts.empty()) {
    std::ranges::sort(nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) at(pus, nodes[i]) = part.pus[i];
    return;
  }
  std::vector<int> sizes;
  for (const PuPart& inner : part.parts) sizes.push_back(static_cast<int>(inner.pus.size()));
  std::vector<std::vector<Rank>> divided = divided_in_blocks(topology, std::move(nodes), sizes, shape);
  for (std::size_t i = 0; i < divided.size(); ++i)
    assign(topology, std::move(divided[i]), part.parts[i], shape, pus);
}

/// Lists the PUs of one domain among some slots.
struct Share {
  std::vector<int> certain = {}, open = {};
};

std::vector<Share> shares(const Slots& slots, const std::vector<int>& domains) {
  std::vector<Share> all;
  const auto add = [&](int pu, std::vector<int> Share::*to) {
    const auto domain = static_cast<std::size_t>(at(domains, pu));
    if (domain >= all.size()) all.resize(domain + 1);
    (all[domain].*to).push_back(pu);
  };
  for (const int pu : slots.certain) add(pu, &Share::certain);
  for (const int pu : slots.open) add(pu, &Share::open);
  return all;
}

/// Returns as many PUs of each of 2^k domains, of as few domains as possible; nothing if there are none such.
std::vector<int> equal_slots(const Machine& machine, int nodes) {
  const Slots some = slots(machine, nodes);
  const std::vector<Share> all = shares(some, pu_domains(machine, DomainLevel::numa));
  const auto p = static_cast<std::size_t>(nodes);
  for (std::size_t domains = 1; domains <= std::min(p, all.size()); domains *= 2) {
    const std::size_t each = p / domains;
    std::vector<int> pus;
    std::size_t certain = 0;
    for (const Share& share : all) {
      if (pus.size() == p || share.certain.size() > each || share.certain.size() + share.open.size() < each)
        continue;
      certain += share.certain.size();
      std::vector<int> taken = share.certain;
      taken.insert(taken.end(), share.open.begin(),
                   share.open.begin() + static_cast<std::ptrdiff_t>(each - taken.size()));
      std::ranges::sort(taken);
      pus.insert(pus.end(), taken.begin(), taken.end());
    }
    if (pus.size() == p && certain == some.certain.size()) return pus;
  }
  return {};
}

}  // namespace

Mapping mesh_blocks_mapping(const Machine& machine, const Topology& topology,
                            const std::optional<NumaDistances>& distances) {
  if (topology.family() == Family::tree || topology.family() == Family::full)
    throw UsageError(
        fmt::format("mesh_blocks needs nodes with coordinates, as array, ring, mesh, torus and hypercube "
                    "have: {} has none",
                    enums::name(topology.family())));
  std::vector<Rank> all(static_cast<std::size_t>(topology.nodes()));
  std::iota(all.begin(), all.end(), 0);
  const PuPart parts = divided(machine, compact_slots(machine, topology.nodes()));
  const auto mapping = [&](BlockShape shape) {
    std::vector<int> pus(all.size());
    assign(topology, all, parts, shape, pus);
    return mapping_on(machine, std::move(pus));
  };
  Mapping boxes = mapping(BlockShape::boxes), halves = mapping(BlockShape::halves);
  const auto hops = [&](const Mapping& of) { return weighted_hops(machine, topology, of, {}, distances); };
  return hops(halves) < hops(boxes) ? halves : boxes;
}

Mapping subcubes_mapping(const Machine& machine, const Topology& topology) {
  if (topology.family() != Family::hypercube)
    throw UsageError(
        fmt::format("subcubes needs a hypercube: {} has no sub-cubes", enums::name(topology.family())));
  std::vector<int> order = equal_slots(machine, topology.nodes());
  if (order.empty()) order = compact_slots(machine, topology.nodes());
  std::vector<int> pus(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) at(pus, gray_encode(static_cast<int>(i))) = order[i];
  return mapping_on(machine, std::move(pus));
}

}  // namespace vnode
