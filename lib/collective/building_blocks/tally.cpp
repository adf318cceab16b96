#include "collective/building_blocks/tally.hpp"

#include <algorithm>
#include <utility>

namespace vnode {

Tally Tally::backwards(bool combining) const {
  Tally result = *this;
  std::ranges::reverse(result.rounds);
  for (std::vector<Message>& round : result.rounds)
    for (Message& message : round) {
      std::swap(message.from, message.to);
      if (combining) message.combined = message.pieces;
    }
  return result;
}

}  // namespace vnode
