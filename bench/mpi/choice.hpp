#pragma once

#include <memory>
#include <string>

#include "data/pattern.hpp"
#include "data/vectors.hpp"
#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// Says what the processes of an MPI do and on what data. `taken` gets copies of their results, which can be
/// checked.
struct MpiTask {
  std::string operation;  ///< as vnode-bench calls it
  Setting setting;
  std::shared_ptr<const Vectors> brought{}, taken{};
  std::shared_ptr<const Pattern> pattern{};
  int turns = 1;  ///< of a ping-pong
};

/// Adds to what is measured beside a contestant for each MPI in Setting::mpi, "mpi:openmpi" and "mpi:mpich":
/// every configuration is measured, and the best counts.
void add_mpi(Question& question, const MpiTask& task);

}  // namespace vnode::bench
