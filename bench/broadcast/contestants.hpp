#pragma once

#include <memory>
#include <string>

#include <vnode/operator.hpp>

#include "data/vectors.hpp"
#include "measure/contestant.hpp"

namespace vnode::bench {

using SharedVectors = std::shared_ptr<const Vectors>;

/// Node::broadcast; `algorithm` empty: the library chooses.
Contestant broadcast_vnode(const SharedVectors& data, Rank root, Arithmetic datatype,
                           const std::string& algorithm);
/// std::barrier, memcpy from the root's vector, std::barrier.
Contestant broadcast_std(const SharedVectors& data, Rank root);
/// In an OpenMP region: the root's address by copyprivate, memcpy, a barrier.
Contestant broadcast_openmp(const SharedVectors& data, Rank root);
/// A mutex, a condition variable, memcpy.
Contestant broadcast_naive(const SharedVectors& data, Rank root);

}  // namespace vnode::bench
