#pragma once

#include <vnode/model/profile.hpp>

#include "machine/pu_places.hpp"

namespace vnode {

/// Returns the class of the innermost part of the machine that both PUs belong to.
PairClass pair_class(const PuPlace& a, const PuPlace& b);

}  // namespace vnode
