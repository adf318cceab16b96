#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <vnode/operator.hpp>
#include <vnode/rank.hpp>

namespace vnode::bench {

/// What one question is about.
struct Setting {
  int nodes = 2;
  std::size_t bytes = 8;  ///< m: the whole vector
  Rank root = 0;
  Arithmetic datatype = Arithmetic::f64;
  StandardOperator op = StandardOperator::plus;
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms{""};  ///< ours to measure, by full name; "": the library chooses
  std::vector<std::string> against{};       ///< contestants that are not ours
  bool limits = true;  ///< every node has a core, so the machine's limits can be measured
};

}  // namespace vnode::bench
