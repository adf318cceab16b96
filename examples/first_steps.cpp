// A vector is shared out among four nodes; they find its mean, and how far each part is from it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#include <vnode/vnode.hpp>

int main() {
  constexpr std::size_t nodes = 4, part = 1000;
  vnode::Team team{nodes};
  team.run([](vnode::Node& me) {
    std::vector<double> all;  // node 0 has it
    if (me.rank() == 0) {
      all.resize(nodes * part);
      std::iota(all.begin(), all.end(), 1.0);
    }
    std::vector<double> mine(part);
    me.scatter(all, mine);  // from node 0, the root unless another is named

    std::array<double, 1> sum{std::accumulate(mine.begin(), mine.end(), 0.0)};
    me.all_reduce(sum, std::plus<>{});  // every node has the sum over all nodes
    const double mean = sum[0] / (nodes * part);

    std::array<double, 1> farthest{};
    for (const double x : mine) farthest[0] = std::max(farthest[0], std::abs(x - mean));
    std::array<double, nodes> by_node{};
    me.gather(farthest, by_node);  // to node 0
    if (me.rank() == 0)
      std::printf("mean %.1f, farthest by node: %.1f %.1f %.1f %.1f\n", mean, by_node[0], by_node[1],
                  by_node[2], by_node[3]);
  });
}
