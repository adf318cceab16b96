#include "topology/range.hpp"

#include <fmt/format.h>

#include <vnode/error.hpp>

namespace vnode {

void check_range(std::string_view what, int index, int count) {
  if (index >= 0 && index < count) return;
  if (count == 0) throw UsageError(fmt::format("there is no {} {}: there are none", what, index));
  throw UsageError(fmt::format("there is no {} {}: the numbers are 0 to {}", what, index, count - 1));
}

}  // namespace vnode
