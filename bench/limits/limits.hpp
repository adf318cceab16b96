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

/// A payload of this size travels in the cache line that carries the flag.
inline constexpr std::size_t line_payload = 48;

/// A cache line from one core to another, one way: half a ping-pong, mean of many. With more than two
/// callers, caller 0 plays with each of the others in turn.
Limit line_transfer(int callers, double times);

/// Two cores write a line each and wait for the other's: the least barrier.
Limit exchange(int callers, double times);

/// Copies of what the giver has just written: by the takers (pull), by the givers (push), or by all of them,
/// each the same part of every copy. Nobody waits for anybody.
Limit copying(const Work& work);
/// The same, by the takers alone: what a single copier could do.
Limit copying_alone(const Work& work);

/// Folds: by all callers, each a part of every vector, pushed into the results of all who want it; by each
/// taker alone what it wants; or, if only one wants anything, by another. Nobody waits for anybody.
Limit combining(const Work& work, int callers, Arithmetic datatype, StandardOperator op);
/// The same, by the takers alone.
Limit combining_alone(const Work& work, int callers, Arithmetic datatype, StandardOperator op);

/// The same by the library's kernel (vnode::standard_kernel), whatever else this processor can do.
Limit combining_by_vnode(const Work& work, int callers, Arithmetic datatype, StandardOperator op);

/// Every caller copies a vector of its own to another of its own, all at once.
Limit copying_own(const Vectors& from, const Vectors& to);

/// ceil(log2 p): the rounds in which what one node knows reaches p.
int rounds_at_least(int p);

/// The same contestant, after whose call those who got a result read it once.
Contestant with_first_read(Contestant contestant, const Vectors& result, const std::vector<Rank>& readers);

}  // namespace vnode::bench
