#include "runtime/agreement.hpp"

#include <vnode/error.hpp>

#include "runtime/mismatch.hpp"

namespace vnode {

bool Agreement::advance() {
  Station& own = context_.station(me_);
  if (!shown_) {
    if (own.agreed != call_ - 1) return false;
    own.shown[call_ % 2].store(std::uint64_t{call_} << 32 | signature_, std::memory_order_release);  // (a)
    if (fabric_.may_park()) fabric_.ring_all(context_);
    shown_ = true;
  }
  for (; next_ < context_.size(); ++next_) {
    const std::uint64_t shown =
        context_.station(next_).shown[call_ % 2].load(std::memory_order_acquire);  // pairs with (a)
    if (static_cast<std::uint32_t>(shown >> 32) != call_) return false;
    if (static_cast<std::uint32_t>(shown) != signature_)
      throw Mismatch(mismatch_text(fabric_, context_.node(me_), context_.node(next_), context_.id(), call_));
  }
  own.agreed = call_;
  return true;
}

}
