#pragma once

#include <numeric>
#include <vector>

#include <vnode/model/algorithms.hpp>

namespace vnode {

/// Returns q mod p, for any sign of q.
constexpr int shift_forward(const Parameters& parameters) {
  return (parameters.shift % parameters.nodes + parameters.nodes) % parameters.nodes;
}

/// Holds one block on every node, that of rank r numbered r; rounds move them.
class MovingBlocks {
 public:
  explicit MovingBlocks(int nodes) : schedule_(nodes, nodes), held_(static_cast<std::size_t>(nodes)) {
    std::iota(held_.begin(), held_.end(), 0);
  }

  /// Adds a round: what is on node r goes to node next(r), a permutation, or stays if that is r.
  template <class Next>
  void move(const Next& next) {
    Round& round = schedule_.next_round();
    std::vector<int> moved = held_;
    for (Rank rank = 0; rank < schedule_.nodes(); ++rank) {
      const int block = held_[static_cast<std::size_t>(rank)];
      moved[static_cast<std::size_t>(next(rank))] = block;
      if (next(rank) != rank) round.push_back({rank, next(rank), schedule_.block(block)});
    }
    held_ = std::move(moved);
  }

  /// Returns the rounds so far.
  const Schedule& schedule() const { return schedule_; }

 private:
  Schedule schedule_;
  std::vector<int> held_;
};

}  // namespace vnode
