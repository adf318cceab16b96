#include "limits/kernels.hpp"
#include "limits/limits.hpp"

namespace vnode::bench {

Limit copying_own(const Vectors& from, const Vectors& to) {
  Limit limit{"memcpy", 1, {}};
  for (const CopyKernel& kernel : copy_kernels()) {
    const auto call = [copy = kernel.copy, &from, &to](const Seat& seat) {
      copy(to[seat.rank], from[seat.rank], from.bytes());
    };
    limit.variants.push_back({.by = std::string{kernel.name}, .call = call, .delivers = false});
  }
  return limit;
}

}  // namespace vnode::bench
