#include "runtime/slab.hpp"

#include <algorithm>
#include <optional>

#include <vnode/error.hpp>

#include "machine/binding.hpp"

namespace vnode {
namespace {

/// First touch on a PU, or, if the thread may not go there, here.
void touch_on(int pu, Pages& pages) {
  std::optional<PinnedThread> there;
  try {
    there.emplace(pu);
  } catch (const SystemError&) {
  }
  pages.touch();
}

}

PagePlacement placement_on(int bank, bool strict) {
  if (bank == any_bank) return {.strict = strict};
  if (bank == every_bank) return {.policy = PagePolicy::interleave, .strict = strict};
  return {.policy = strict ? PagePolicy::bind : PagePolicy::preferred, .banks = {bank}, .strict = strict};
}

std::byte* Slab::allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + cache_line - 1) / cache_line * cache_line;
  if (rounded > left_) {
    constexpr std::size_t least = 64 << 10;
    const std::size_t size = std::max(rounded, least);
    Pages& made = pages_.emplace_back(size, placement_on(place_.bank, place_.strict));
    if (!made.degraded().empty() && place_.owner_pu >= 0) touch_on(place_.owner_pu, made);
    next_ = made.data();
    left_ = size;
  }
  std::byte* const given = next_;
  next_ += rounded;
  left_ -= rounded;
  used_ += rounded;
  return given;
}

bool Slab::degraded() const {
  return std::ranges::any_of(pages_, [](const Pages& pages) { return !pages.degraded().empty(); });
}

}
