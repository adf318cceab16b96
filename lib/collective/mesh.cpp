// Meshes of any extents, one dimension after the other: binomial trees, or rings, on all lines of a dimension
// at the same time.
#include <algorithm>

#include "building_blocks/alike.hpp"
#include "building_blocks/composition.hpp"
#include "building_blocks/dimensions.hpp"
#include "building_blocks/lines.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace mesh {

constexpr Count tree_rounds{"sum(ceil(log2 extent))", [](const Parameters& parameters) {
                              int rounds = 0;
                              for (const int extent : parameters.extents) rounds += ceil_log2(extent);
                              return rounds;
                            }};
constexpr Count ring_rounds{"sum(extent - 1)", [](const Parameters& parameters) {
                              int rounds = 0;
                              for (const int extent : parameters.extents) rounds += extent - 1;
                              return rounds;
                            }};

using Lines = std::vector<Line> (*)(const Parameters&);

std::vector<Line> slowest_first(const Parameters& parameters) {
  std::vector<Line> lines = fastest_first(parameters.extents);
  std::ranges::reverse(lines);
  return lines;
}

// With keep_order the slowest dimension comes first: then the dual combines rows first, and in rank order.
std::vector<Line> by_rows(const Parameters& parameters) {
  return parameters.keep_order ? slowest_first(parameters) : fastest_first(parameters.extents);
}

// Along the root's line in the first dimension, then along all lines of the next that begin to know, and so
// on; the messages of a binomial broadcast on a line never share a link.
template <Lines lines>
Schedule tree(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 1);
  std::vector<Rank> holders{parameters.root};
  for (const Line& line : lines(parameters)) {
    const int source = on_line(parameters.root, line);
    const Schedule on_one = registered::broadcast_binomial.build({.nodes = line.extent, .root = source});
    Schedule phase(p, 1);
    std::vector<Rank> reached;
    for (const Rank holder : holders) {
      std::vector<Rank> ranks;
      for (int i = 0; i < line.extent; ++i) ranks.push_back(along_line(holder, line, i - source));
      phase = compose::beside(phase, compose::on_group(on_one, p, ranks));
      reached.insert(reached.end(), ranks.begin(), ranks.end());
    }
    schedule = compose::then(schedule, phase);
    holders = std::move(reached);
    std::ranges::sort(holders);
  }
  return schedule;
}

template <Lines lines>
bool tree_peers(const Parameters& parameters, int round, Rank from, Rank to) {
  for (const Line& line : lines(parameters)) {
    if (round < ceil_log2(line.extent)) {
      const int distance = top_distance(line.extent) >> round;
      return to == along_line(from, line, distance);
    }
    round -= ceil_log2(line.extent);
  }
  return false;
}

bool through_zero(const Parameters& parameters) {
  return parameters.keep_order && std::ranges::any_of(slowest_first(parameters), [&](const Line& line) {
           const int place = on_line(parameters.root, line);
           return place != 0 && place != line.extent - top_distance(line.extent);
         });
}

// Rings in all rows, then rings of whole rows in all columns, and so on. The fastest dimension first: then
// what a node has gathered is always one interval, as long as the stride of the next dimension.
Schedule all_gather(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  for (const Line& line : fastest_first(parameters.extents))
    for (int t = 0; t < line.extent - 1; ++t) {
      Round& round = schedule.next_round();
      for (Rank rank = 0; rank < p; ++rank) {
        const Rank origin = along_line(rank, line, -t);
        const int first = origin - origin % line.stride;
        round.push_back({rank, along_line(rank, line, 1), schedule.interval(first, first + line.stride)});
      }
    }
  return schedule;
}

bool ring_peers(const Parameters& parameters, int round, Rank from, Rank to) {
  for (const Line& line : fastest_first(parameters.extents)) {
    if (round < line.extent - 1) return to == along_line(from, line, 1);
    round -= line.extent - 1;
  }
  return false;
}

// In all rows, to the column of the destination; then in all columns, and so on: on a line all that is not
// yet in its column goes right. By destination, and then by source: so blocks come, and so they lie in the
// output.
Schedule all_to_all(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  for (const Line& line : fastest_first(parameters.extents))
    for (int t = 1; t < line.extent; ++t) {
      Round& round = schedule.next_round();
      each_node(parameters, along_line(parameters.only.value_or(0), line, -1), [&](Rank rank) {
        // Returns the blocks that were t - 1 steps back when the line began, and have to go t steps or more.
        const Rank began = along_line(rank, line, 1 - t);
        const int first = began - began % line.stride;
        std::vector<Interval> blocks;
        for (Rank destination = began % line.stride; destination < p; destination += line.stride)
          if (cyclic_distance(on_line(began, line), on_line(destination, line), line.extent) >= t)
            for (Rank source = first; source < first + line.stride; ++source)
              blocks.push_back({source * p + destination, source * p + destination + 1});
        round.push_back({rank, along_line(rank, line, 1), schedule.blocks_of(blocks)});
      });
    }
  return schedule;
}

Parameters one_row(const Parameters& parameters) {
  return {.nodes = parameters.nodes, .extents = {parameters.nodes}, .only = parameters.only};
}
Parameters two_on_each_line(const Parameters& parameters) {
  const auto dimensions = static_cast<std::size_t>(ceil_log2(parameters.nodes));
  return {.nodes = parameters.nodes, .extents = std::vector(dimensions, 2), .only = parameters.only};
}

// On average half of all blocks are on their way.
template <const Count& rounds>
constexpr Text all_to_all_time = product("(t_s + t_w m p / 2) ", rounds.text, "");
template <const Count& rounds>
constexpr Algorithm all_to_all_row(const RowOverrides& own) {
  const RowOverrides burden{.cost =
                                [](const Parameters& parameters) {
                                  const double words = rounds.value(parameters) * parameters.nodes / 2.0;
                                  return Cost{double(rounds.value(parameters)), words, words, 0};
                                },
                            .rounds = rounds.text,
                            .transfers = everybody_in_each<rounds>,
                            .time = all_to_all_time<rounds>};
  return derived(row(burden), own);
}

}  // namespace mesh

namespace registered {

constexpr Algorithm broadcast_mesh = message_row<mesh::tree_rounds>({
    .name = "broadcast_mesh",
    .build = mesh::tree<mesh::by_rows>,
    .transfers = one_per_other_node,
    .peers = mesh::tree_peers<mesh::by_rows>,
    .needs = mesh_extents,
    .carriers = mesh_families,
    .best_for = "short messages on meshes and tori",
    .source = "Grama et al. 4.1.2; any extents and roots by binomial trees on the lines",
});
constexpr Algorithm reduce_mesh = reduction_row<broadcast_mesh, mesh::through_zero>({
    .name = "reduce_mesh",
    .source = "Grama et al. 4.1.2, dual of broadcast_mesh",
});
// The slowest dimension first: then every message is one interval of blocks.
constexpr Algorithm scatter_mesh = block_row<mesh::tree_rounds>({
    .name = "scatter_mesh",
    .build =
        [](const Parameters& parameters) {
          return personalized(mesh::tree<mesh::slowest_first>(parameters));
        },
    .transfers = one_per_other_node,
    .peers = mesh::tree_peers<mesh::slowest_first>,
    .needs = mesh_extents,
    .carriers = every_family,
    .best_for = "short messages on meshes and tori",
    .source = "Grama et al. 4.4 on the lines of a mesh; Barnett et al., two-dimensional scatter",
});
constexpr Algorithm gather_mesh = reversed_row<scatter_mesh>({.name = "gather_mesh"});

constexpr Algorithm all_gather_mesh = block_row<mesh::ring_rounds>({
    .name = "all_gather_mesh",
    .build = mesh::all_gather,
    .peers = mesh::ring_peers,
    .needs = mesh_extents,
    .carriers = mesh_families,
    .best_for = "long messages on meshes and tori",
    .source = "Grama et al., algorithm 4.6; any extents",
});
constexpr Algorithm reduce_scatter_mesh = dual_row<all_gather_mesh>({
    .name = "reduce_scatter_mesh",
    .keeps_order = KeepsOrder::never,
});
constexpr Algorithm all_reduce_mesh = splitting_row<reduce_scatter_mesh, all_gather_mesh>({
    .name = "all_reduce_mesh",
    .rounds = "2 sum(extent - 1)",
    .transfers = "2 p sum(extent - 1)",
    .time = "2 t_s sum(extent - 1) + (2 t_w + t_op) m (p - 1) / p",
    .needs = mesh_extents,
    .keeps_order = KeepsOrder::never,
    .carriers = mesh_families,
    .best_for = "long messages on meshes and tori",
    .source = "reduce_scatter_mesh, then all_gather_mesh",
});

constexpr Algorithm all_to_all_mesh = mesh::all_to_all_row<mesh::ring_rounds>({
    .name = "all_to_all_mesh",
    .build = mesh::all_to_all,
    .peers = mesh::ring_peers,
    .alike = always,
    .needs = mesh_extents,
    .carriers = mesh_families,
    .best_for = "short messages on meshes and tori",
    .source = "Grama et al. 4.5.2; any extents",
});
// First p - 1 blocks go out, then p - 2, at last 1.
constexpr Algorithm all_to_all_ring = mesh::all_to_all_row<one_per_other_node>({
    .name = "all_to_all_ring",
    .build = [](const Parameters& parameters) { return mesh::all_to_all(mesh::one_row(parameters)); },
    .peers = [](const Parameters& parameters, int, Rank from,
                Rank to) { return cyclic_distance(from, to, parameters.nodes) == 1; },
    .alike = always,
    .carriers = every_family,
    .best_for = "rings and arrays, where longer ways would meet",
    .source = "Grama et al. 4.5.1",
});
// All blocks cross a dimension whose destination is on the other side.
constexpr Algorithm all_to_all_hypercube = mesh::all_to_all_row<one_per_dimension>({
    .name = "all_to_all_hypercube",
    .build =
        [](const Parameters& parameters) { return mesh::all_to_all(mesh::two_on_each_line(parameters)); },
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_dimension(lowest_first(parameters.nodes), round, from, to); },
    .alike = always,
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "short messages on hypercubes",
    .source = "Grama et al. 4.5.3",
});

}  // namespace registered
}  // namespace vnode
