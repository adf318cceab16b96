#pragma once

#include <string>

#include "campaign/results.hpp"

namespace vnode {

/// RFC 4180, one row for each experiment that was tried, under a line of names; times in microseconds, and
/// what is not known is empty.
std::string results_csv(const Results& results);

}  // namespace vnode
