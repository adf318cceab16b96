#pragma once

#include <vector>

#include <vnode/model/schedule.hpp>

namespace vnode {

/// Returns 0 .. d-1 for p = 2^d nodes.
std::vector<int> lowest_first(int p);
/// Returns d-1 .. 0 for p = 2^d nodes.
std::vector<int> highest_first(int p);

/// Returns a broadcast over p = 2^d nodes: in round i all that hold the block send it along dimension
/// order[i]. Labels are relative to the root by XOR, so that aligned groups stay aligned for every root
/// (Grama, algorithm 4.2).
Schedule along_dimensions(int p, Rank root, const std::vector<int>& order);

/// Returns whether the two labels differ in dimension order[round] alone.
bool across_dimension(const std::vector<int>& order, int round, Rank from, Rank to);

/// Returns a label of d bits rotated left by `by`, 0 <= by <= d.
constexpr int rotated_label(int label, int by, int d) {
  return (label << by | label >> (d - by)) & ((1 << d) - 1);
}

}  // namespace vnode
