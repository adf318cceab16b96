// Circular shifts on meshes and hypercubes, digit by digit: along the rows, then along the columns with a
// carry, and so on. The digits are those of q = the shift mod p with the extents as bases; the carry is 1
// where lower digits are not all 0. It is the book's compensating column shift of the blocks that have
// wrapped on their rows. Where the columns shift back, those blocks rest for a round instead: a round less
// than the book's.
#include <algorithm>
#include <bit>

#include "building_blocks/lines.hpp"
#include "building_blocks/moving_blocks.hpp"
#include "building_blocks/row.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace mesh_shift {

// Says what happens on the lines of one dimension.
struct LineShift {
  Line line;
  int carry;   // nodes with rank mod stride below it hold blocks that have wrapped; 0: none have
  int step;    // of a block in a round
  int rounds;  // the first one moves only the blocks that have wrapped; where lines shift back, all others

  Rank next(Rank rank, int round) const {
    const bool wrapped = rank % line.stride < carry;
    const bool rests = round == 0 && carry > 0 && wrapped == (step < 0);
    return rests ? rank : along_line(rank, line, step);
  }
};

std::vector<LineShift> line_shifts(const Parameters& parameters) {
  const int q = shift_forward(parameters);
  std::vector<LineShift> shifts;
  for (const Line& line : fastest_first(parameters.extents)) {
    if (line.extent == 1) continue;
    const int carry = q % line.stride, digit = q / line.stride % line.extent;
    const int forward = digit + (carry > 0), back = line.extent - digit;
    shifts.push_back({line, carry, forward <= back ? 1 : -1, std::min(forward, back)});
  }
  return shifts;
}

int rounds(const Parameters& parameters) {
  int sum = 0;
  for (const LineShift& shift : line_shifts(parameters)) sum += shift.rounds;
  return sum;
}

int transfers(const Parameters& parameters) {
  const int p = parameters.nodes;
  int sum = 0;
  for (const auto& [line, carry, step, rounds] : line_shifts(parameters)) {
    const int wrapped = p / line.stride * carry;
    sum += rounds * p - (carry == 0 ? 0 : step > 0 ? p - wrapped : wrapped);
  }
  return sum;
}

Schedule shift(const Parameters& parameters) {
  MovingBlocks blocks(parameters.nodes);
  for (const LineShift& shift : line_shifts(parameters))
    for (int round = 0; round < shift.rounds; ++round)
      blocks.move([&](Rank rank) { return shift.next(rank, round); });
  return blocks.schedule();
}

bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
  for (const LineShift& shift : line_shifts(parameters)) {
    if (round < shift.rounds) return to == shift.next(from, round);
    round -= shift.rounds;
  }
  return false;
}

constexpr Count mesh_rounds{"h", rounds};
constexpr Symbol mesh_symbols[] = {
    {"h", "the rounds of all dimensions, in each the lesser of digit + carry and extent - digit",
     [](const Parameters& parameters) -> double { return rounds(parameters); }},
    {"b", "the ways of all blocks",
     [](const Parameters& parameters) -> double { return transfers(parameters); }}};

// One dimension of a hypercube a round, the lowest first; a block crosses it if its rank changes: the shift
// on a mesh with two nodes on every line. Ranks are labels of nodes, in natural order; no Gray code is needed
// for single hops. The ways of all blocks use every link once at most, and after every round there is one
// block on every node.
Schedule hypercube(const Parameters& parameters) {
  Parameters mesh = parameters;
  mesh.extents.assign(static_cast<std::size_t>(ceil_log2(parameters.nodes)), 2);
  return shift(mesh);
}

int first_dimension(const Parameters& parameters) {
  return std::countr_zero(static_cast<unsigned>(shift_forward(parameters)));
}

constexpr Count hypercube_rounds{
    "log2 p - j", [](const Parameters& parameters) {
      return shift_forward(parameters) == 0 ? 0 : ceil_log2(parameters.nodes) - first_dimension(parameters);
    }};

int changed_bits(const Parameters& parameters) {
  const int p = parameters.nodes, q = shift_forward(parameters);
  int changes = 0;
  for (Rank rank = 0; rank < p; ++rank)
    changes += std::popcount(static_cast<unsigned>(rank ^ (rank + q) % p));
  return changes;
}

constexpr Symbol hypercube_symbols[] = {
    {"j", "2^j is the greatest power of 2 that divides p and q",
     [](const Parameters& parameters) -> double {
       return ceil_log2(parameters.nodes) - hypercube_rounds.value(parameters);
     }},
    {"b", "the bits that change from a rank r to r + q, for all r",
     [](const Parameters& parameters) -> double { return changed_bits(parameters); }}};

}  // namespace mesh_shift

namespace registered {

constexpr Algorithm circular_shift_mesh = message_row<mesh_shift::mesh_rounds>({
    .name = "circular_shift_mesh",
    .build = mesh_shift::shift,
    .transfers = {"b", mesh_shift::transfers},
    .symbols = mesh_shift::mesh_symbols,
    .peers = mesh_shift::peers,
    .needs = mesh_extents,
    .carriers = mesh_families,
    .best_for = "shifts on meshes and tori",
    .source = "Grama et al. 4.6.1; any extents, and no column shift that a compensating one takes back",
});

constexpr Algorithm circular_shift_hypercube = message_row<mesh_shift::hypercube_rounds>({
    .name = "circular_shift_hypercube",
    .build = mesh_shift::hypercube,
    .transfers = {"b", mesh_shift::changed_bits},
    .symbols = mesh_shift::hypercube_symbols,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return (from ^ to) == 1 << (mesh_shift::first_dimension(parameters) + round); },
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "shifts on hypercubes, where a message is one hop",
    .source = "Grama et al. 4.6.2: the E-cube ways of the direct shift, one hop a round",
});

}  // namespace registered
}  // namespace vnode
