#pragma once

#include <vector>

#include <vnode/rank.hpp>

namespace vnode {

/// The messages of a schedule, counted without it: from those of the algorithms that it is made of.
struct Tally {
  /// Says how many pieces go from one node to another, and how many of them are combined there.
  struct Message {
    Rank from, to;
    long pieces, combined;
  };

  int nodes = 1;
  int pieces = 0;  ///< that the data are cut into; 0: messages are signals
  std::vector<std::vector<Message>> rounds = {};

  /// Returns the same rounds backwards. If `combining`, all that is received is combined.
  Tally backwards(bool combining) const;
};

}  // namespace vnode
