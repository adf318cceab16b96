// broadcast_two_tree_shifted: down two trees, the second with every rank in the place of the next.
//   rounds     (k + D) [p > 1]
//   transfers  (p - 1) k
//   time       (k + D) [p > 1] (t_s + t_w m / k)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, all pairs linked
//   source     Sanders, Speck, Traeff 2009, two-tree algorithms, shifting
//   picture    p = 6, segments 2: 1: 0>4[0]; 2: 4>2[0] 0>3[1]; 3: 2>3[0] 4>5[0] 3>1[1]; 4: 2>1[0] 3>4[1]
//              1>5[1]; 5: 1>2[1]
// k segments, even ones through the first tree. D, which also depends on whether k is even, follows from the
// colours of the edges; D <= 2 ceil(log2 p) - 2.
#include "collective/broadcast.hpp"
#include "collective/two_tree.hpp"

namespace vnode {

namespace {

PipelinedTrees trees(const Parameters& parameters) {
  return shifted_two_trees(parameters).rotated(parameters.root);
}
using Trees = DownTrees<trees>;

constexpr Symbol symbols[] = {
    {"D", "the rounds beyond one for each segment",
     [](const Parameters& parameters) { return double(Trees::rounds(parameters) - parameters.segments); }}};

}  // namespace

Schedule broadcast_two_tree_shifted(const Parameters& parameters) { return Trees::build(parameters); }

namespace registered {

constinit const Algorithm broadcast_two_tree_shifted{
    .name = "broadcast_two_tree_shifted",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_two_tree_shifted,
    .cost =
        [](const Parameters& parameters) {
          return in_parts(whole_messages(Trees::rounds(parameters)), parameters.segments);
        },
    .rounds = {"(k + D) [p > 1]", Trees::rounds},
    .transfers = one_per_segment,
    .time = "(k + D) [p > 1] (t_s + t_w m / k)",
    .symbols = symbols,
    .peers = Trees::peers,
    .segments = true,
    .carriers = fully_connected,
    .sweep_to = 130,
    .best_for = "long messages, any number of nodes, all pairs linked",
    .source = "Sanders, Speck, Traeff 2009, two-tree algorithms, shifting",
};

}  // namespace registered
}  // namespace vnode
