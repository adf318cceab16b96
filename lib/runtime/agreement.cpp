#include "runtime/agreement.hpp"

#include <vnode/error.hpp>

#include "runtime/mismatch.hpp"

namespace vnode {

Agreement::Agreement(Fabric& fabric, Rank me, std::uint16_t context, std::uint32_t call,
                     std::uint32_t signature)
    : fabric_(fabric), me_(me), context_(context), call_(call), signature_(signature) {
  fabric.presence(me).shown[call % 2].store(std::uint64_t{call} << 32 | signature,
                                            std::memory_order_release);  // (a)
  if (fabric.may_park()) fabric.ring_all();
}

bool Agreement::advance() {
  for (; next_ < fabric_.nodes(); ++next_) {
    const std::uint64_t shown =
        fabric_.presence(next_).shown[call_ % 2].load(std::memory_order_acquire);  // pairs with (a)
    if (static_cast<std::uint32_t>(shown >> 32) != call_) return false;
    if (static_cast<std::uint32_t>(shown) != signature_)
      throw Mismatch(mismatch_text(fabric_, me_, next_, context_, call_));
  }
  return true;
}

}
