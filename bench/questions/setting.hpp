#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <vnode/operator.hpp>
#include <vnode/rank.hpp>

namespace vnode::bench {

class MpiPeers;

/// How ours are called.
enum class Form {
  blocking,
  nonblocking,  ///< started, and waited for at once
  persistent    ///< planned once in a lap, started and waited for every time
};

/// What one question is about.
struct Setting {
  int nodes = 2;
  std::size_t bytes = 8;  ///< m, the operation's message size
  Rank root = 0;
  int shift = 1;  ///< of circular shifts
  Arithmetic datatype = Arithmetic::f64;
  StandardOperator op = StandardOperator::plus;
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms{""};  ///< ours to measure, by full name; "": the library chooses
  Form form = Form::blocking;
  std::vector<std::string> against{};  ///< contestants that are not ours
  bool limits = true;                  ///< every node has a core, so the machine's limits can be measured
  std::shared_ptr<MpiPeers> mpi{};     ///< there, if `against` has "mpi"
};

}  // namespace vnode::bench
