#include "collective/esbt.hpp"

#include <vector>

namespace vnode {

Schedule Esbt::broadcast() const {
  Schedule schedule(1 << d, segments);
  std::vector<Blocks> blocks;
  for (int segment = 0; segment < segments; ++segment) blocks.push_back(schedule.block(segment));
  for (int i = 0; i < rounds(); ++i) schedule.next_round();
  for (int label = 1; label < 1 << d; ++label)
    for (int dimension = 0; dimension < d; ++dimension) {
      const int from = label ^ 1 << dimension, steps = level(label, dimension);
      for (int segment = tree(steps, dimension); segment < segments; segment += d)
        schedule.round(segment / at_once + steps)
            .push_back({from ^ root, label ^ root, blocks[static_cast<std::size_t>(segment)]});
    }
  return schedule;
}

bool Esbt::peers(int round, Rank from, Rank to) const {
  const int label = to ^ root;
  if (label == 0 || !std::has_single_bit(static_cast<unsigned>(from ^ to))) return false;
  const int dimension = std::countr_zero(static_cast<unsigned>(from ^ to));
  const int steps = level(label, dimension), place = tree(steps, dimension);
  const int segment = (round - steps) * at_once + place % at_once;
  return segment >= 0 && segment < segments && segment % d == place;
}

}  // namespace vnode
