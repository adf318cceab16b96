#pragma once

#include <ostream>

#include "options/options.hpp"

namespace vnode::bench {

/// Measures operations. This and the functions below that take a stream return the exit status: 0, or 1 if an
/// element was wrong.
int measure_operations(const Options& options, std::ostream& out);
/// Measures the first calls of teams, each of which is started anew.
int measure_first_calls(const Options& options, std::ostream& out);
/// Becomes the program that measures clusters over the MPI whose mpirun has started this process. Throws
/// UsageError if none has, and SystemError if vnode was built without that MPI.
int start_cluster(char** argv);
int measure_limits(const Options& options, std::ostream& out);
int measure_guidelines(const Options& options, std::ostream& out);

}  // namespace vnode::bench
