#include "topology/range.hpp"

#include <fmt/format.h>

#include <vnode/error.hpp>

namespace vnode {

void check_range(std::string_view what, int index, int count) {
  if (index >= 0 && index < count) return;
  if (count == 0) throw UsageError(fmt::format("there is no {} {}: there are none", what, index));
  throw UsageError(fmt::format("there is no {0} {1}: there are {0}s 0 to {2}", what, index, count - 1));
}

}  // namespace vnode
