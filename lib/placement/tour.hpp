#pragma once

#include <functional>
#include <vector>

namespace vnode {

/// Says how far two places are from each other, symmetrically.
using PlaceDistance = std::function<double(int, int)>;

/// Returns the places 0 .. count-1 in an order in which the steps from one to the next are short in sum, and
/// among such the longest step is short. If it is `closed`, the step from the last to the first counts, too,
/// and it begins with 0. It is 0, 1, 2, … where no other is better, a shortest one up to 10 places, beyond
/// them a local optimum or, of thousands of places, what some ten million distances show.
std::vector<int> short_tour(int count, bool closed, const PlaceDistance& distance);

}  // namespace vnode
