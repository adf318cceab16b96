// Circular shifts round a ring, directly, and round a ring in a hypercube by its Gray code. q is the shift
// mod p.
#include <algorithm>
#include <bit>

#include <vnode/model/gray_code.hpp>

#include "building_blocks/moving_blocks.hpp"
#include "building_blocks/row.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace shift {

// Describes the shorter way round: s and its direction.
struct Way {
  int length, step;
};
Way way(const Parameters& parameters) {
  const int p = parameters.nodes, q = shift_forward(parameters);
  return q <= p - q ? Way{q, 1} : Way{p - q, -1};
}

constexpr Count ring_rounds{"min(q, p - q)",
                            [](const Parameters& parameters) { return way(parameters).length; }};

// All blocks go the shorter way round, one node a round.
Schedule ring(const Parameters& parameters) {
  const int p = parameters.nodes;
  const auto [length, step] = way(parameters);
  MovingBlocks blocks(p);
  for (int i = 0; i < length; ++i) blocks.move([&, step = step](Rank rank) { return (rank + step + p) % p; });
  return blocks.schedule();
}

constexpr Count direct_rounds{
    "min(q, 1)", [](const Parameters& parameters) { return int(shift_forward(parameters) > 0); }};

Schedule direct(const Parameters& parameters) {
  const int p = parameters.nodes, q = shift_forward(parameters);
  MovingBlocks blocks(p);
  if (q > 0) blocks.move([&](Rank rank) { return (rank + q) % p; });
  return blocks.schedule();
}

constexpr Count gray_rounds{"2 b - mod(s, 2), where s = min(q, p - q)", [](const Parameters& parameters) {
                              const auto length = static_cast<unsigned>(way(parameters).length);
                              return 2 * std::popcount(length) - static_cast<int>(length % 2);
                            }};

// Blocks leap by powers of two. Rank r is ring position r, on the node whose label is its Gray code: on these
// labels every message is one hop. Where ranks are the labels themselves, circular_shift_hypercube is faster.
// A leap by 2^j > 1 is two hops: it flips bit j - 1 of the code, and then the one bit that leads from the
// code of r / 2^j to that of its successor. The longest leap comes first: no block is where it has been. The
// time is at most (t_s + t_w m) (2 log2 p - 1).
Schedule gray(const Parameters& parameters) {
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

constexpr Symbol gray_symbols[] = {
    {"b", "the ones in s, in binary", [](const Parameters& parameters) -> double {
       return std::popcount(static_cast<unsigned>(way(parameters).length));
     }}};

}  // namespace shift

namespace registered {

constexpr Algorithm circular_shift_ring = message_row<shift::ring_rounds>({
    .name = "circular_shift_ring",
    .build = shift::ring,
    .transfers = everybody_in_each<shift::ring_rounds>,
    .peers =
        [](const Parameters& parameters, int, Rank from, Rank to) {
          const int p = parameters.nodes;
          return to == (from + shift::way(parameters).step + p) % p;
        },
    .carriers = every_family,
    .best_for = "shifts by 1 or -1, every topology",
    .source = "Grama et al. 4.6.1",
});

constexpr Algorithm circular_shift_direct = message_row<shift::direct_rounds>({
    .name = "circular_shift_direct",
    .build = shift::direct,
    .transfers = everybody_in_each<shift::direct_rounds>,
    .peers = [](const Parameters& parameters, int, Rank from,
                Rank to) { return cyclic_distance(from, to, parameters.nodes) == shift_forward(parameters); },
    .carriers = hypercube_family,
    .best_for = "hypercubes by E-cube, and wherever messages pass nodes by",
    .source = "Grama et al. 4.6.2",
});

constexpr Algorithm circular_shift_gray = message_row<shift::gray_rounds>({
    .name = "circular_shift_gray",
    .build = shift::gray,
    .transfers = everybody_in_each<shift::gray_rounds>,
    .symbols = shift::gray_symbols,
    .peers =
        [](const Parameters&, int, Rank from, Rank to) {
          return std::has_single_bit(static_cast<unsigned>(gray_encode(from) ^ gray_encode(to)));
        },
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "rings whose rank r is placed on the hypercube's node r XOR (r >> 1)",
    .source = "Grama et al. 4.6.2",
});

}  // namespace registered
}  // namespace vnode
