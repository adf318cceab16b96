#pragma once

#include <ostream>

#include "options/options.hpp"

namespace vnode::bench {

/// Each returns the exit status: 0, or 1 if an element was wrong.
int measure_operations(const Options& options, std::ostream& out);
/// The first calls of teams, each started anew.
int measure_first_calls(const Options& options, std::ostream& out);
/// Becomes the program that measures clusters over the MPI whose mpirun has started this process. Throws
/// UsageError if none has, SystemError if vnode was built without that one.
int start_cluster(char** argv);
int measure_limits(const Options& options, std::ostream& out);
int measure_guidelines(const Options& options, std::ostream& out);

}  // namespace vnode::bench
