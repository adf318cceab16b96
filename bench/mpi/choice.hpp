#pragma once

#include <memory>
#include <string>

#include "data/pattern.hpp"
#include "data/vectors.hpp"
#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// What the processes of an MPI do and on what data. Of their results, `taken` gets copies that can be
/// checked.
struct MpiTask {
  std::string operation;  ///< as vnode-bench calls it
  Setting setting;
  std::shared_ptr<const Vectors> brought{}, taken{};
  std::shared_ptr<const Pattern> pattern{};
  int turns = 1;  ///< of a ping-pong
};

/// "mpi": every configuration of every MPI in Setting::mpi, of which the best counts.
Choice mpi(const MpiTask& task);

}  // namespace vnode::bench
