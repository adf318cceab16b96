#pragma once

#include <algorithm>
#include <vector>

namespace vnode {

/// Which task made what a node's blocks hold. Neighbouring blocks of one version are one piece, so that
/// memory goes with the pieces and not with the blocks.
class Versions {
 public:
  static constexpr int initial = -1;  ///< made by nobody: there from the beginning

  /// Calls visit(version) for every piece of the blocks first .. last-1. O(log pieces) and the visits.
  template <class Visit>
  void visit(int first, int last, const Visit& visit) const {
    auto piece = starting_after(first);
    if (piece == pieces_.begin())
      visit(initial);
    else
      --piece;
    for (; piece != pieces_.end() && piece->first < last; ++piece) visit(piece->version);
  }

  /// The blocks first .. last-1 hold `version` from now on.
  void assign(int first, int last, int version) {
    const auto from = std::ranges::lower_bound(pieces_, first, {}, &Piece::first);
    const auto to = std::ranges::lower_bound(from, pieces_.end(), last, {}, &Piece::first);
    const int after = to == pieces_.begin() ? initial : std::prev(to)->version;
    const bool begins_there = to != pieces_.end() && to->first == last;
    const auto at = pieces_.erase(from, to);
    const Piece pieces[] = {{first, version}, {last, after}};
    pieces_.insert(at, pieces, pieces + (begins_there ? 1 : 2));
  }

 private:
  struct Piece {
    int first;  // it ends where the next one begins
    int version;
  };

  std::vector<Piece>::const_iterator starting_after(int block) const {
    return std::ranges::upper_bound(pieces_, block, {}, &Piece::first);
  }

  std::vector<Piece> pieces_;  // ascending; before the first one all is initial
};

}  // namespace vnode
