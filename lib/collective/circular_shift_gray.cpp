// circular_shift_gray: a ring in a hypercube by its Gray code; blocks leap by powers of two.
//   rounds     2 b - mod(s, 2), where s = min(q, p - q)
//   transfers  p (2 b - mod(s, 2)), where s = min(q, p - q)
//   time       (t_s + t_w m) (2 b - mod(s, 2)), where s = min(q, p - q)
//   needs      power_of_two
//   ports      single
//   best for   rings whose rank r is placed on the hypercube's node r XOR (r >> 1)
//   source     Grama et al. 4.6.2
//   picture    p = 8, shift 3: 1: 0>1[0] 1>0[1] 2>3[2] 3>2[3] 4>5[4] 5>4[5] 6>7[6] 7>6[7]; 2: 0>3[1] 1>2[0]
//              2>5[3] 3>4[2] 4>7[5] 5>6[4] 6>1[7] 7>0[6]; 3: 0>1[6] 1>2[7] 2>3[0] 3>4[1] 4>5[2] 5>6[3] 6>7[4]
//              7>0[5]
// q is Parameters::shift mod p. Rank r is ring position r, on the node whose label is its Gray code: on these
// labels every message is one hop. Where ranks are the labels themselves, circular_shift_hypercube is faster.
// A leap by 2^j > 1 is two hops: it flips bit j - 1 of the code, and then the one bit that leads from the
// code of r / 2^j to that of its successor. The longest leap comes first: no block is where it has been. The
// time is at most (t_s + t_w m) (2 log2 p - 1). b: the ones in s, in binary.
#include <bit>

#include <vnode/gray_code.hpp>

#include "collective/formula.hpp"
#include "collective/shift.hpp"

namespace vnode {

namespace {

// The shorter way round: s and its direction.
struct Way {
  int length, step;
};
Way way(const Parameters& parameters) {
  const int p = parameters.nodes, q = shift_forward(parameters);
  return q <= p - q ? Way{q, 1} : Way{p - q, -1};
}

int rounds(const Parameters& parameters) {
  const unsigned length = static_cast<unsigned>(way(parameters).length);
  return 2 * std::popcount(length) - static_cast<int>(length % 2);
}

}  // namespace

Schedule circular_shift_gray(const Parameters& parameters) {
  const int p = parameters.nodes;
  const auto [length, step] = way(parameters);
  MovingBlocks blocks(p);
  for (int leap = p / 2; leap >= 1; leap /= 2) {
    if ((length & leap) == 0) continue;
    if (leap > 1) blocks.move([&](Rank rank) { return gray_decode(gray_encode(rank) ^ leap / 2); });
    blocks.move([&, leaps = step * leap](Rank rank) {
      const int coarse = gray_encode((rank + leaps + p) % p / leap), fine = gray_encode(rank) % leap;
      return gray_decode(coarse * leap + fine);
    });
  }
  return blocks.schedule();
}

namespace {

constexpr Symbol symbols[] = {{"b", "the ones in s, in binary", [](const Parameters& parameters) -> double {
                                 return std::popcount(static_cast<unsigned>(way(parameters).length));
                               }}};

}  // namespace

namespace registered {

extern constinit const Algorithm circular_shift_gray{
    .name = "circular_shift_gray",
    .collective = Collective::circular_shift,
    .build = vnode::circular_shift_gray,
    .cost = [](const Parameters& parameters) { return whole_messages(rounds(parameters)); },
    .rounds = {"2 b - mod(s, 2), where s = min(q, p - q)", rounds},
    .transfers = {"p (2 b - mod(s, 2)), where s = min(q, p - q)",
                  [](const Parameters& parameters) { return parameters.nodes * rounds(parameters); }},
    .time = "(t_s + t_w m) (2 b - mod(s, 2)), where s = min(q, p - q)",
    .symbols = symbols,
    .peers =
        [](const Parameters&, int, Rank from, Rank to) {
          return std::has_single_bit(static_cast<unsigned>(gray_encode(from) ^ gray_encode(to)));
        },
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "rings whose rank r is placed on the hypercube's node r XOR (r >> 1)",
    .source = "Grama et al. 4.6.2",
};

}  // namespace registered
}  // namespace vnode
