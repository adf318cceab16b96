// broadcast_k_nomial: a tree whose nodes have radix - 1 children per digit of their relative rank.
//   rounds     (k - 1) i + floor((p - 1) / k^i)
//   transfers  p - 1
//   time       (t_s + t_w m) ((k - 1) i + floor((p - 1) / k^i))
//   needs      nothing
//   ports      single
//   best for   short messages, where startups overlap
//   source     k-nomial trees of MPI libraries; the binomial tree for radix 2
//   picture    p = 9, root 0, radix 3: 1: 0>6; 2: 0>3; 3: 0>2 3>5 6>8; 4: 0>1 3>4 6>7
// k = Parameters::radix; i: the greatest i with k^i < p, 0 for one node. A node hears from the one without
// its last digit that is not 0, written with base k. The most distant child comes first: backwards, as a
// reduction, the ranks heard always touch.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/k_nomial.hpp"

namespace vnode {

Schedule broadcast_k_nomial(const Parameters& parameters) {
  const int p = parameters.nodes, k = radix(parameters);
  const auto rank = [&](int relative) { return (relative + parameters.root) % p; };
  Schedule schedule(p, 1);
  for (int weight = top_weight(p, k); weight >= 1; weight /= k)
    for (int digit = std::min(k - 1, (p - 1) / weight); digit >= 1; --digit) {
      const int distance = digit * weight;
      Round& round = schedule.next_round();
      for (int holder = 0; holder + distance < p; holder += k * weight)
        round.push_back({rank(holder), rank(holder + distance), whole});
    }
  return schedule;
}

namespace registered {

constinit const Algorithm broadcast_k_nomial{
    .name = "broadcast_k_nomial",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_k_nomial,
    .cost = message_in_each<one_per_distance>,
    .rounds = one_per_distance,
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) ((k - 1) i + floor((p - 1) / k^i))",
    .symbols = k_nomial_symbols,
    .peers =
        [](const Parameters& parameters, int round, Rank from, Rank to) {
          return cyclic_distance(from, to, parameters.nodes) == k_nomial_distance(parameters, round);
        },
    .radix = true,
    .carriers = every_family_but_torus,
    .best_for = "short messages, where startups overlap",
    .source = "k-nomial trees of MPI libraries; the binomial tree for radix 2",
};

}  // namespace registered
}  // namespace vnode
