#include "building_blocks/pipelined_trees.hpp"

#include <algorithm>
#include <utility>

namespace vnode {

PipelinedTrees::PipelinedTrees(std::vector<TimedTree> trees, int segments, int period)
    : trees_(std::move(trees)), segments_(segments), period_(period) {}

Schedule PipelinedTrees::broadcast() const {
  Schedule schedule(nodes(), segments_);
  const int last = rounds();
  for (int i = 0; i < last; ++i) schedule.next_round();
  for (int tree = 0; tree < trees(); ++tree)
    for (Rank child = 0; child < nodes(); ++child)
      for (int i = 0; i < carried(tree) && parent(tree, child) != nobody; ++i)
        schedule.round(delay(tree, child) + period_ * i)
            .push_back({parent(tree, child), child, schedule.block(segment(tree, i))});
  return schedule;
}

int PipelinedTrees::rounds() const {
  int last = 0;
  for (int tree = 0; tree < trees(); ++tree)
    if (const int greatest = std::ranges::max(at(trees_, tree).delays); greatest >= 0 && carried(tree) > 0)
      last = std::max(last, greatest + period_ * (carried(tree) - 1) + 1);
  return last;
}

bool PipelinedTrees::carries(int tree, int round, Rank from, Rank to) const {
  const int later = round - delay(tree, to);
  return parent(tree, to) == from && later >= 0 && later % period_ == 0 && later / period_ < carried(tree);
}

bool PipelinedTrees::peers(int round, Rank from, Rank to) const {
  for (int tree = 0; tree < trees(); ++tree)
    if (carries(tree, round, from, to)) return true;
  return false;
}

PipelinedTrees PipelinedTrees::rotated(Rank root) const {
  std::vector<TimedTree> list = trees_;
  for (int tree = 0; tree < trees(); ++tree)
    for (Rank rank = 0; rank < nodes(); ++rank) {
      TimedTree& turned = list[static_cast<std::size_t>(tree)];
      const auto place = static_cast<std::size_t>((rank + root) % nodes());
      const Rank above = parent(tree, rank);
      turned.parents[place] = above == nobody ? nobody : (above + root) % nodes();
      turned.delays[place] = delay(tree, rank);
    }
  return {std::move(list), segments_, period_};
}

}  // namespace vnode
