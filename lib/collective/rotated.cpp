#include "collective/rotated.hpp"

#include <vnode/compose.hpp>

namespace vnode {

Schedule rotated(const Schedule& a, Rank root) {
  const int p = a.nodes(), d = ceil_log2(p), parts = rotated_parts(p);
  Schedule all(p, parts * a.blocks());
  for (int part = 0; part < parts; ++part) {
    std::vector<Rank> ranks;
    for (Rank rank = 0; rank < p; ++rank) ranks.push_back(rotated_label(rank, part, d) ^ root);
    BlockMap map{all.blocks(), {}};
    for (int block = 0; block < a.blocks(); ++block) {
      int place = 0;  // of the block in `a` to which the ranks in its number become
      for (int digit = 1; digit < a.blocks(); digit *= p)
        place += digit * ranks[static_cast<std::size_t>(block / digit % p)];
      map.places.push_back({place * parts + part, place * parts + part + 1});
    }
    all = beside(all, relabelled(a, ranks, map));
  }
  return all;
}

bool rotated_tree_peers(const Parameters& parameters, int round, Rank from, Rank to) {
  const int d = ceil_log2(parameters.nodes), distance = 1 << (d - 1 - round);
  for (int part = 0; part < d; ++part) {
    const auto label = [&](Rank rank) { return rotated_label(rank ^ parameters.root, d - part, d); };
    if (label(from) % (2 * distance) == 0 && label(to) == label(from) + distance) return true;
  }
  return false;
}

}  // namespace vnode
