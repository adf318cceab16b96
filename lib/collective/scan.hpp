#pragma once

#include <vnode/collective.hpp>

namespace vnode {

// Scans of one block per message: block 0 is the result; where there are running totals, they are block 1.

/// Whether a rank's result contains its own contribution.
enum class Prefix { inclusive, exclusive };

/// Prefix sums over p = 2^d nodes, one dimension a round, the lowest first: partners exchange the totals of
/// their subcubes. The higher one adds to its result what comes from below. Totals of the topmost subcube are
/// not made: nobody is above it.
Schedule totals_along_dimensions(int p, Prefix prefix);

/// The size of the groups of consecutive ranks of a scan in two levels: ceil(sqrt p).
int group_size(int p);

// Their rows of the register.
namespace registered {
extern const Algorithm scan_hypercube, scan_hillis_steele, scan_linear, scan_direct, scan_one_shot_direct;
}

}  // namespace vnode
