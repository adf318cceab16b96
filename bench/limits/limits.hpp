#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <vnode/operator.hpp>
#include <vnode/rank.hpp>

#include "data/vectors.hpp"
#include "data/work.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// The largest payload that travels in the cache line that carries the flag.
inline constexpr std::size_t line_payload = 48;

/// Returns the time of a cache line from one core to another, one way: it is half a ping-pong, as the mean of
/// many. With more than two callers, caller 0 plays with each of the others in turn.
Limit line_transfer(int callers);

/// Returns the time in which two cores write a line each and wait for the other's: no barrier is shorter.
Limit exchange(int callers);

/// Returns the time of copying what the givers have just written: the takers copy (pull), or the givers
/// (push), or all callers, each its own part of every copy. Nobody waits for anybody.
Limit copying(const Work& work);
/// Returns the time of the same copies by the takers alone, which is what a single copier could do.
Limit copying_alone(const Work& work);

/// Returns the time of the folds: all callers combine, each a part of every vector, and push it into the
/// results of all that want it; or each taker combines alone what it wants; or, if only one wants anything,
/// another caller does it all. Nobody waits for anybody.
Limit combining(const Work& work, int callers, Arithmetic datatype, StandardOperator op);
/// Returns the time of the same folds by the takers alone.
Limit combining_alone(const Work& work, int callers, Arithmetic datatype, StandardOperator op);

/// Returns the time of the same folds by the takers alone with the library's kernel
/// (vnode::standard_kernels), whatever else this processor can do.
Limit combining_by_vnode(const Work& work, int callers, Arithmetic datatype, StandardOperator op);

/// Returns the time in which every caller copies a vector of its own to another of its own, all at once.
Limit copying_own(const Vectors& from, const Vectors& to);

/// Returns the same contestant, except that the readers read the result once after its call.
Contestant with_first_read(Contestant contestant, const Vectors& result, const std::vector<Rank>& readers);

}  // namespace vnode::bench
