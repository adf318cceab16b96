// scan_direct: in two levels: every rank reads those below it in its group, then the totals of groups below.
//   rounds     min(p - 1, 2)
//   transfers  (f g (g - 1) + g f (f - 1) + e (e - 1)) / 2 + e f, where g = ceil(sqrt(p)), f = floor(p / g),
//              e = p - f g
//   time       (t_s + t_w m) min(p - 1, 2) + t_op m (g - 1 + floor((p - 1) / g)), where g = ceil(sqrt(p))
//   needs      nothing
//   ports      all
//   best for   shared memory
//   source     the scan of shared-memory libraries, in blocks of ranks
//   picture    p = 6: 1: 0+>1 0+>2 1+>2 3+>4 3+>5 4+>5; 2: 2+>3 2+>4 2+>5
// g = ceil(sqrt p) consecutive ranks are a group; the result of its last rank is its total.
// The time holds as long as a node reads some sqrt(p) others at the speed of one.
#include <algorithm>

#include "collective/formula.hpp"
#include "collective/scan.hpp"

namespace vnode {

int group_size(int p) {
  int size = 1;
  while (size * size < p) ++size;
  return size;
}

Schedule scan_direct(const Parameters& parameters) {
  const int p = parameters.nodes, g = group_size(p);
  Schedule schedule(p, 1);
  if (p > 1) schedule.next_round();
  for (Rank to = 0; to < p; ++to)
    for (Rank from = to - to % g; from < to; ++from)
      schedule.round(0).push_back({from, to, whole, Effect::combine_before});
  if (p > g) schedule.next_round();
  for (Rank to = g; to < p; ++to)
    for (Rank last = g - 1; last < to - to % g; last += g)
      schedule.round(1).push_back({last, to, whole, Effect::combine_before});
  return schedule;
}

namespace registered {

constinit const Algorithm scan_direct{
    .name = "scan_direct",
    .collective = Collective::scan,
    .build = vnode::scan_direct,
    .cost =
        [](const Parameters& parameters) {
          const int p = parameters.nodes, g = group_size(p), rounds = std::min(2, p - 1);
          const double received = (g - 1) + (p - 1) / g;
          return Cost{double(rounds), double(rounds), received, received};
        },
    .rounds = {"min(p - 1, 2)",
               [](const Parameters& parameters) { return std::min(2, parameters.nodes - 1); }},
    .transfers = {"(f g (g - 1) + g f (f - 1) + e (e - 1)) / 2 + e f, where g = ceil(sqrt(p)), f = floor(p / "
                  "g), e = p - f g",
                  [](const Parameters& parameters) {
                    const int g = group_size(parameters.nodes);
                    int sum = 0;
                    for (Rank rank = 0; rank < parameters.nodes; ++rank) sum += rank % g + rank / g;
                    return sum;
                  }},
    .time = "(t_s + t_w m) min(p - 1, 2) + t_op m (g - 1 + floor((p - 1) / g)), where g = ceil(sqrt(p))",
    .peers =
        [](const Parameters& parameters, int round, Rank from, Rank to) {
          const int g = group_size(parameters.nodes);
          return round == 0 ? from / g == to / g && from < to : from / g < to / g && from % g == g - 1;
        },
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory",
    .source = "the scan of shared-memory libraries, in blocks of ranks",
};

}  // namespace registered
}  // namespace vnode
