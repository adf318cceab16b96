#pragma once

#include <vector>

#include <vnode/rank.hpp>

namespace vnode {

/// The messages of a schedule, counted without it: from those of the algorithms that it is made of.
struct Tally {
  /// Its size in pieces, and how many of them the receiver combines.
  struct Message {
    Rank from, to;
    long pieces, combined;
  };

  int nodes = 1;
  int pieces = 0;  ///< that the data are cut into; 0: messages are signals
  std::vector<std::vector<Message>> rounds = {};

  /// The same rounds backwards; `combining`: and all that is received is combined.
  Tally backwards(bool combining) const;
};

}  // namespace vnode
