// circular_shift_mesh: digit by digit: along the rows, then along the columns with a carry, and so on.
//   rounds     h
//   transfers  b
//   time       (t_s + t_w m) h
//   needs      extents
//   ports      single
//   best for   shifts on meshes and tori
//   source     Grama et al. 4.6.1; any extents, and no column shift that a compensating one takes back
//   picture    p = 3x4, shift 5: 1: 0>1[0] 1>2[1] 2>3[2] 3>0[3] 4>5[4] 5>6[5] 6>7[6] 7>4[7] 8>9[8] 9>10[9]
//              10>11[10] 11>8[11]; 2: 0>4[3] 4>8[7] 8>0[11]; 3: 0>4[11] 1>5[0] 2>6[1] 3>7[2] 4>8[3] 5>9[4]
//              6>10[5] 7>11[6] 8>0[7] 9>1[8] 10>2[9] 11>3[10]
// The digits are those of q = Parameters::shift mod p with the extents as bases; the carry is 1 where lower
// digits are not all 0. It is the book's compensating column shift of the blocks that have wrapped on their
// rows. Where the columns shift back, those blocks rest for a round instead: a round less than the book's. h:
// the rounds of all dimensions, in each the lesser of digit + carry and extent - digit. b: the ways of all
// blocks.
#include <algorithm>

#include "collective/circular_shift.hpp"
#include "collective/formula.hpp"
#include "collective/lines.hpp"
#include "collective/shift.hpp"

namespace vnode {

namespace {

// What happens on the lines of one dimension.
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

}  // namespace

Schedule circular_shift_mesh(const Parameters& parameters) {
  MovingBlocks blocks(parameters.nodes);
  for (const LineShift& shift : line_shifts(parameters))
    for (int round = 0; round < shift.rounds; ++round)
      blocks.move([&](Rank rank) { return shift.next(rank, round); });
  return blocks.schedule();
}

namespace {

constexpr Symbol symbols[] = {
    {"h", "the rounds of all dimensions, in each the lesser of digit + carry and extent - digit",
     [](const Parameters& parameters) -> double { return rounds(parameters); }},
    {"b", "the ways of all blocks",
     [](const Parameters& parameters) -> double { return transfers(parameters); }}};

}  // namespace

namespace registered {

extern constinit const Algorithm circular_shift_mesh{
    .name = "circular_shift_mesh",
    .collective = Collective::circular_shift,
    .build = vnode::circular_shift_mesh,
    .cost = [](const Parameters& parameters) { return whole_messages(rounds(parameters)); },
    .rounds = {"h", rounds},
    .transfers = {"b", transfers},
    .time = "(t_s + t_w m) h",
    .symbols = symbols,
    .peers =
        [](const Parameters& parameters, int round, Rank from, Rank to) {
          for (const LineShift& shift : line_shifts(parameters)) {
            if (round < shift.rounds) return to == shift.next(from, round);
            round -= shift.rounds;
          }
          return false;
        },
    .needs = mesh_extents,
    .carriers = mesh_families,
    .best_for = "shifts on meshes and tori",
    .source = "Grama et al. 4.6.1; any extents, and no column shift that a compensating one takes back",
};

}  // namespace registered
}  // namespace vnode
