#pragma once

#include <memory>
#include <string>

#include <vnode/operator.hpp>

#include "data/vectors.hpp"
#include "measure/contestant.hpp"

namespace vnode::bench {

using SharedVectors = std::shared_ptr<const Vectors>;

/// Node::reduce in place; `algorithm` empty: the library chooses.
Contestant reduce_vnode(const SharedVectors& data, Rank root, Arithmetic datatype, StandardOperator op,
                        const std::string& algorithm);
/// std::barrier, everybody combines a part of all vectors into the root's, std::barrier.
Contestant reduce_std(const SharedVectors& data, Rank root, Arithmetic datatype, StandardOperator op);
/// The array reduction of an OpenMP worksharing loop.
Contestant reduce_openmp(const SharedVectors& data, Rank root, Arithmetic datatype, StandardOperator op);
/// Everybody combines its vector into the root's, behind a mutex.
Contestant reduce_naive(const SharedVectors& data, Rank root, Arithmetic datatype, StandardOperator op);

}  // namespace vnode::bench
