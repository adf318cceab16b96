#pragma once

#include <cstdint>

#include <vnode/rank.hpp>

#include "runtime/fabric.hpp"
#include "runtime/waiter.hpp"

namespace vnode {

/// The comparison that `checked` mode makes before a call: every node shows its signature and reads all
/// others'.
///
/// Two words per node take turns: who shows call c + 2 has seen all nodes at c + 1, so nobody still reads c.
class Agreement {
 public:
  Agreement(Fabric& fabric, Rank me, std::uint16_t context, std::uint32_t call, std::uint32_t signature);
  /// True when all agree. Throws Mismatch, naming the first node that does not.
  bool advance();
  const std::atomic<std::uint64_t>* watch() const { return &fabric_.presence(next_).shown[call_ % 2]; }
  Awaited awaited() const { return {context_, call_, 0, next_}; }

 private:
  Fabric& fabric_;
  Rank me_;
  std::uint16_t context_;
  std::uint32_t call_, signature_;
  Rank next_ = 0;
};

}
