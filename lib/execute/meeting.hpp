#pragma once

#include <cstddef>
#include <cstdint>

#include <vnode/operator.hpp>
#include <vnode/rank.hpp>

#include "channel/context.hpp"
#include "transport/endpoint.hpp"

namespace vnode::meeting {

// Members of a context that meet at a central barrier read what the others have opened: each its own part of
// all, or, before all are released, those who come last for all (compile/meetings.hpp).

/// Shows where the memory is that others may read in the call of this name. Nobody may still read what the
/// member has opened before.
inline void open(MemberState& own, const std::byte* memory, std::uint64_t name) {
  own.opened.store(memory, std::memory_order_relaxed);
  own.opened_in.store(name, std::memory_order_release);  // pairs with opened()
}
/// Returns what the member has opened in the call of this name; null if it has not.
inline const std::byte* opened(const MemberState& member, std::uint64_t name) {
  // Acquire: pairs with open().
  return member.opened_in.load(std::memory_order_acquire) == name
             ? member.opened.load(std::memory_order_relaxed)
             : nullptr;
}

/// Describes what each member brings in a call.
struct BroughtValue {
  std::uint64_t name = 0;  ///< the call's
  bool gathers = false;    ///< values are gathered, by rank; else combined
  std::size_t bytes = 0, element_bytes = 1;
};
/// Counts member `me`, which has opened its value. The last of a carrier takes in what its members have
/// brought, by rank, and the last of all what carriers have (see Brought), and releases all by `token`.
/// `reduction` combines, unless values are gathered. Throws what the operator throws, Mismatch, Aborted and
/// std::bad_alloc.
void bring(Endpoint& endpoint, const Context& context, Rank me, const Context::Arrival& arrival,
           std::uint64_t token, const BroughtValue& value, const Reduction* reduction);
/// Copies to member `me`, which has been released, what is to go `into` its memory of all that was brought:
/// `taken` bytes from `at` on, or, of values of so many bytes that were gathered, everything.
void take(const Context& context, Rank me, const BroughtValue& value, std::byte* into, std::size_t at,
          std::size_t taken);

}  // namespace vnode::meeting
