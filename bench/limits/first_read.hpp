#pragma once

#include <memory>
#include <vector>

#include "data/vectors.hpp"
#include "measure/contestant.hpp"

namespace vnode::bench {

/// The same contestant, after whose call those who got a result read it once.
Contestant with_first_read(Contestant contestant, const Vectors& result, const std::vector<Rank>& readers);

}  // namespace vnode::bench
