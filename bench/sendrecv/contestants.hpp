#pragma once

#include <memory>
#include <string>

#include <vnode/operator.hpp>

#include "data/vectors.hpp"
#include "measure/contestant.hpp"

namespace vnode::bench {

/// Two callers that send each other a vector at the same time. The others look on.
struct Swap {
  Rank first, second;
  std::shared_ptr<const Vectors> out, in;

  Rank partner(Rank rank) const { return rank == first ? second : first; }
  bool plays(Rank rank) const { return rank == first || rank == second; }
};

/// Node::sendrecv.
Contestant sendrecv_vnode(const Swap& swap, Arithmetic datatype);
/// std::barrier, memcpy of the partner's vector, std::barrier.
Contestant sendrecv_std(const Swap& swap);
/// A mutex, a condition variable and a shelf for each: put, wait, take.
Contestant sendrecv_naive(const Swap& swap);

}  // namespace vnode::bench
