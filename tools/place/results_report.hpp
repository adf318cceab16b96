#pragma once

#include <string>

#include <vnode/lab/draw.hpp>

#include "campaign/results.hpp"

namespace vnode {

/// The bandwidths as bars, in clusters of what differs in banks only. UsageError if there are none, or more
/// than can be read.
std::string results_svg(const Results& results, Theme theme);
/// A page with the bars, as far as they can be read, and all that results_table() has.
std::string results_html(const Results& results, Theme theme);

}  // namespace vnode
