// Trees whose nodes have radix - 1 children per digit of their relative rank: binomial trees for radix 2.
#include <algorithm>

#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace k_nomial {

// Returns k: with more than p it is what it is with p.
int radix(const Parameters& parameters) { return std::min(parameters.radix, std::max(parameters.nodes, 2)); }

// Returns the weight of the first digit of the ranks 0 .. p-1, written with base k: the highest power below
// p; 0 for one node.
int top_weight(int p, int k) {
  if (p == 1) return 0;
  int weight = 1;
  while (weight * k < p) weight *= k;
  return weight;
}

// Returns the largest first digit of these ranks; 0 for one node.
int top_digit(int p, int k) { return p > 1 ? (p - 1) / top_weight(p, k) : 0; }

int further_digits(const Parameters& parameters) {
  const int k = radix(parameters);
  int digits = 0;
  for (int weight = top_weight(parameters.nodes, k); weight > 1; weight /= k) ++digits;
  return digits;
}

// Counts one round for every distance digit * weight below p: the digits 1 .. k - 1 of every weight, of the
// first weight those that there are.
constexpr Count one_per_distance{"(k - 1) i + floor((p - 1) / k^i)", [](const Parameters& parameters) {
                                   const int k = radix(parameters);
                                   return (k - 1) * further_digits(parameters) +
                                          top_digit(parameters.nodes, k);
                                 }};

constexpr Symbol symbols[] = {
    {"i", "the greatest i with k^i < p, 0 for one node",
     [](const Parameters& parameters) -> double { return further_digits(parameters); }}};

// A node hears from the one without its last digit that is not 0. The most distant child comes first:
// backwards, as a reduction, the ranks heard always touch.
Schedule broadcast(const Parameters& parameters) {
  const int p = parameters.nodes, k = radix(parameters);
  const auto rank = [&](int relative) { return (relative + parameters.root) % p; };
  Schedule schedule(p, 1);
  for (int weight = top_weight(p, k); weight >= 1; weight /= k)
    for (int digit = std::min(k - 1, (p - 1) / weight); digit >= 1; --digit) {
      const int distance = digit * weight;
      Round& round = schedule.next_round();
      for (int holder = 0; holder + distance < p; holder += k * weight)
        round.push_back({rank(holder), rank(holder + distance), Blocks::whole});
    }
  return schedule;
}

bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
  const int p = parameters.nodes, k = radix(parameters);
  int weight = top_weight(p, k), digits = top_digit(p, k);
  for (; round >= digits; digits = k - 1) {
    round -= digits;
    weight /= k;
  }
  return cyclic_distance(from, to, p) == (digits - round) * weight;
}

bool through_zero(const Parameters& parameters) {
  const int p = parameters.nodes, k = radix(parameters);
  return breaks_order(parameters, p - top_digit(p, k) * top_weight(p, k));
}

}  // namespace k_nomial

namespace registered {

constexpr Algorithm broadcast_k_nomial = message_row<k_nomial::one_per_distance>({
    .name = "broadcast_k_nomial",
    .build = k_nomial::broadcast,
    .transfers = one_per_other_node,
    .symbols = k_nomial::symbols,
    .peers = k_nomial::peers,
    .radix = true,
    .carriers = every_family_but_torus,
    .best_for = "short messages, where startups overlap",
    .source = "k-nomial trees of MPI libraries; the binomial tree for radix 2",
});
constexpr Algorithm reduce_k_nomial =
    reduction_row<broadcast_k_nomial, k_nomial::through_zero>({.name = "reduce_k_nomial"});
constexpr Algorithm scatter_k_nomial = scatter_row<broadcast_k_nomial>({
    .name = "scatter_k_nomial",
    .source = "k-nomial trees of MPI libraries",
});
constexpr Algorithm gather_k_nomial = reversed_row<scatter_k_nomial>({.name = "gather_k_nomial"});

}  // namespace registered
}  // namespace vnode
