// A vector is shared out among four nodes; they find its mean, and how far each part is from it.
#include <algorithm>
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

    const double sum = me.all_reduce(std::accumulate(mine.begin(), mine.end(), 0.0), std::plus<>{});
    const double mean = sum / (nodes * part);  // every node has the sum over all nodes

    double farthest = 0;
    for (const double x : mine) farthest = std::max(farthest, std::abs(x - mean));
    const std::vector<double> by_node = me.gather(farthest);  // to node 0
    if (me.rank() == 0)
      std::printf("mean %.1f, farthest by node: %.1f %.1f %.1f %.1f\n", mean, by_node[0], by_node[1],
                  by_node[2], by_node[3]);
  });
}
