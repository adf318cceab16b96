#pragma once

#include <cstdint>
#include <vector>

#include "building_blocks/formula.hpp"

namespace vnode {

// These make broadcasts in a circulant graph (Traeff): in every round each node hears from the one a distance
// below it, and q = ceil(log2 p) distances follow each other again and again. Labels are relative to the
// root, mod p.

/// Returns distance s_k of 0 <= k <= q: p / 2^(q - k), rounded up; s_0 = 1, s_q = p.
constexpr int circulant_distance(int p, int k) {
  const int halvings = ceil_log2(p) - k;
  return static_cast<int>(((1LL << halvings) - 1 + p) >> halvings);
}

/// Returns what every node gets from distance s_k, k = 0 .. q - 1, in a phase of q rounds: places[k][label]
/// is the number of a block, counted from the phase's own first; a negative one is of phases before. Over q
/// rounds the numbers differ mod q. The root's say nothing. Cost: O(p log p) for all nodes.
std::vector<std::vector<std::int8_t>> circulant_schedules(int p);

/// Tells who receives what, round by round, in a broadcast of n blocks with these schedules.
class CirculantBroadcast {
 public:
  CirculantBroadcast(int p, int blocks) : p_(p), q_(ceil_log2(p)), blocks_(blocks) {}

  /// Returns n - 1 + q, the least possible; 0 for one node.
  int rounds() const { return p_ > 1 ? blocks_ - 1 + q_ : 0; }
  /// Returns the distance from sender to receiver in a round.
  int distance(int round) const { return circulant_distance(p_, (round + skipped()) % q_); }

  /// Says which block a node gets in a round.
  struct Receipt {
    int label;  ///< of the node
    int block;
  };
  /// Returns the receipts of every round, ascending by label. Everybody but the root gets every block once.
  std::vector<std::vector<Receipt>> receipts() const;

 private:
  /// Returns how many rounds the first phase is short of: there is nothing to send in them yet.
  int skipped() const { return (q_ - (blocks_ - 1) % q_) % q_; }

  int p_, q_, blocks_;
};

}  // namespace vnode
