#pragma once

#include <cstddef>
#include <cstdint>

#include <vnode/operator.hpp>
#include <vnode/rank.hpp>

#include "channel/context.hpp"
#include "compile/plan.hpp"
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

/// Counts member `me`, which has opened its value in the call of this name. The last of a carrier takes in
/// what its members have brought, by rank, and the last of all what carriers have: `reduction`, of elements
/// of so many bytes, combines it unless it is gathered. Returns true for the last, which must release all.
/// Throws what the operator throws, Mismatch and Aborted.
bool bring(Endpoint& endpoint, const Context& context, Rank me, const Context::Arrival& arrival,
           std::uint64_t name, Brought& brought, const Reduction* reduction, std::size_t element_bytes);

}  // namespace vnode::meeting
