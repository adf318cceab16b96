// scan_hillis_steele: every rank adds what the rank 1, 2, 4, ... below has so far.
//   rounds     ceil(log2 p)
//   transfers  p ceil(log2 p) - 2^ceil(log2 p) + 1
//   time       (t_s + (t_w + t_op) m) ceil(log2 p)
//   needs      nothing
//   ports      single
//   best for   short messages, any number of nodes
//   source     Hillis, Steele, Data parallel algorithms, 1986
//   picture    p = 6: 1: 0+>1 1+>2 2+>3 3+>4 4+>5; 2: 0+>2 1+>3 2+>4 3+>5; 3: 0+>4 1+>5
#include "collective/formula.hpp"
#include "collective/scan.hpp"

namespace vnode {

Schedule scan_hillis_steele(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 1);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    for (Rank from = 0; from + distance < p; ++from)
      round.push_back({from, from + distance, whole, Effect::combine_before});
  }
  return schedule;
}

namespace registered {

constinit const Algorithm scan_hillis_steele{
    .name = "scan_hillis_steele",
    .collective = Collective::scan,
    .build = vnode::scan_hillis_steele,
    .cost =
        [](const Parameters& parameters) { return combining(whole_messages(ceil_log2(parameters.nodes))); },
    .rounds = one_per_doubling,
    .transfers = {"p ceil(log2 p) - 2^ceil(log2 p) + 1",
                  [](const Parameters& parameters) {
                    const int rounds = ceil_log2(parameters.nodes);
                    return parameters.nodes * rounds - ((1 << rounds) - 1);
                  }},
    .time = "(t_s + (t_w + t_op) m) ceil(log2 p)",
    .peers = [](const Parameters&, int round, Rank from, Rank to) { return to - from == 1 << round; },
    .carriers = hypercube_family,
    .best_for = "short messages, any number of nodes",
    .source = "Hillis, Steele, Data parallel algorithms, 1986",
};

}  // namespace registered
}  // namespace vnode
