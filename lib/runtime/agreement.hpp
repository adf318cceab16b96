#pragma once

#include <cstdint>

#include <vnode/rank.hpp>

#include "runtime/fabric.hpp"
#include "runtime/waiter.hpp"

namespace vnode {

/// The comparison that `checked` mode makes before a call: every node shows its signature and reads all
/// others'.
///
/// Two words per member take turns: who shows call c + 2 has seen all members at c + 1, so nobody still reads
/// c.
class Agreement {
 public:
  /// `me`: the rank in the context.
  Agreement(Fabric& fabric, const Context& context, Rank me, std::uint32_t call, std::uint32_t signature)
      : fabric_(fabric), context_(context), me_(me), call_(call), signature_(signature) {}
  /// True when all agree. Throws Mismatch, naming the first node that does not.
  bool advance();
  const std::atomic<std::uint64_t>* watch() const {
    return shown_ ? &context_.station(next_).shown[call_ % 2] : nullptr;
  }
  Awaited awaited() const { return {&context_, context_.id(), call_, 0, context_.node(next_), signature_}; }

 private:
  Fabric& fabric_;
  const Context& context_;
  Rank me_;
  std::uint32_t call_, signature_;
  bool shown_ = false;
  Rank next_ = 0;
};

}
