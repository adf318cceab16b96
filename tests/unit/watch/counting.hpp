#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

namespace vnode_test {

using vnode::CallStatistics;
using vnode::Statistics;

inline vnode::TeamOptions counting(vnode::TeamOptions options = patient()) {
  options.statistics = true;
  return options;
}

/// Returns the only row of an operation, of messages up to a size if that is given, on these nodes if they
/// are.
inline CallStatistics row_of(const Statistics& statistics, const std::string& operation,
                             std::optional<std::size_t> up_to = {}, const std::vector<int>& nodes = {}) {
  std::vector<CallStatistics> found;
  for (const CallStatistics& row : statistics.rows)
    if (row.operation == operation && (!up_to || row.up_to_bytes == *up_to) &&
        (nodes.empty() || statistics.groups.at(static_cast<std::size_t>(row.group)).nodes == nodes))
      found.push_back(row);
  CAPTURE(statistics.text());
  CAPTURE(operation);
  REQUIRE(found.size() == 1);
  return found.front();
}

/// Checks what must be true of any statistics, whenever they are taken: the sums are those of the nodes.
inline void check_sums(const Statistics& statistics) {
  for (const CallStatistics& row : statistics.rows) {
    CAPTURE(row.operation);
    double seconds = 0, waiting = 0;
    std::uint64_t most = 0;
    for (const vnode::NodeStatistics& node : row.nodes) {
      seconds += node.seconds;
      waiting += node.waiting;
      most = std::max(most, node.calls);
      CHECK(node.calls > 0);
      CHECK(node.waiting <= node.seconds);
      CHECK(node.seconds <= row.longest * static_cast<double>(node.calls) * (1 + 1e-9));
      CHECK(node.seconds >= row.least * static_cast<double>(node.calls) * (1 - 1e-9));
    }
    CHECK(row.calls >= most);
    CHECK(row.seconds == doctest::Approx(seconds));
    CHECK(row.waiting == doctest::Approx(waiting));
    CHECK(row.awaited < statistics.nodes);
    CHECK((row.awaited < 0) == (row.awaited_seconds == 0));
  }
}

inline std::vector<std::uint64_t> calls_by_node(const CallStatistics& row) {
  std::vector<std::uint64_t> calls;
  for (const vnode::NodeStatistics& node : row.nodes) calls.push_back(node.calls);
  return calls;
}

}  // namespace vnode_test
