#pragma once

#include <string_view>

#include <vnode/statistics.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Reads what Statistics::json() has written, one line. Throws UsageError, which begins with `what` the text
/// is and names the place that is wrong.
Statistics statistics_from_json(std::string_view text, std::string_view what = "statistics JSON");

}  // namespace vnode
#pragma GCC visibility pop
