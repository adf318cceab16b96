// circular_shift_hypercube: one dimension a round, the lowest first; a block crosses it if its rank changes.
//   rounds     log2 p - j
//   transfers  b
//   time       (t_s + t_w m) (log2 p - j)
//   needs      power_of_two
//   ports      single
//   best for   shifts on hypercubes, where a message is one hop
//   source     Grama et al. 4.6.2: the E-cube ways of the direct shift, one hop a round
//   picture    p = 8, shift 3: 1: 0>1[0] 1>0[1] 2>3[2] 3>2[3] 4>5[4] 5>4[5] 6>7[6] 7>6[7]; 2: 1>3[0] 3>1[2]
//              5>7[4] 7>5[6]; 3: 0>4[1] 1>5[2] 2>6[3] 4>0[5] 5>1[6] 6>2[7]
// q is Parameters::shift mod p. Ranks are labels of nodes, in natural order; no Gray code is needed for
// single hops. The ways of all blocks use every link once at most, and after every round there is one block
// on every node: it is the shift on a mesh with two nodes on every line. j: 2^j is the greatest power of 2
// that divides p and q. b: the bits that change from a rank r to r + q, for all r.
#include <bit>

#include "collective/circular_shift.hpp"
#include "collective/formula.hpp"
#include "collective/shift.hpp"

namespace vnode {

Schedule circular_shift_hypercube(const Parameters& parameters) {
  Parameters mesh = parameters;
  mesh.extents.assign(static_cast<std::size_t>(ceil_log2(parameters.nodes)), 2);
  return circular_shift_mesh(mesh);
}

namespace {

int first_dimension(const Parameters& parameters) {
  return std::countr_zero(static_cast<unsigned>(shift_forward(parameters)));
}

int rounds(const Parameters& parameters) {
  return shift_forward(parameters) == 0 ? 0 : ceil_log2(parameters.nodes) - first_dimension(parameters);
}

int transfers(const Parameters& parameters) {
  const int p = parameters.nodes, q = shift_forward(parameters);
  int changes = 0;
  for (Rank rank = 0; rank < p; ++rank)
    changes += std::popcount(static_cast<unsigned>(rank ^ (rank + q) % p));
  return changes;
}

constexpr Symbol symbols[] = {
    {"j", "2^j is the greatest power of 2 that divides p and q",
     [](const Parameters& parameters) -> double { return ceil_log2(parameters.nodes) - rounds(parameters); }},
    {"b", "the bits that change from a rank r to r + q, for all r",
     [](const Parameters& parameters) -> double { return transfers(parameters); }}};

}  // namespace

namespace registered {

extern constinit const Algorithm circular_shift_hypercube{
    .name = "circular_shift_hypercube",
    .collective = Collective::circular_shift,
    .build = vnode::circular_shift_hypercube,
    .cost = [](const Parameters& parameters) { return whole_messages(rounds(parameters)); },
    .rounds = {"log2 p - j", rounds},
    .transfers = {"b", transfers},
    .time = "(t_s + t_w m) (log2 p - j)",
    .symbols = symbols,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return (from ^ to) == 1 << (first_dimension(parameters) + round); },
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "shifts on hypercubes, where a message is one hop",
    .source = "Grama et al. 4.6.2: the E-cube ways of the direct shift, one hop a round",
};

}  // namespace registered
}  // namespace vnode
