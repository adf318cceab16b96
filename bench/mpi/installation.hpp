#pragma once

#include <string>
#include <vector>

namespace vnode::bench {

/// An MPI as Debian installs it beside others.
struct MpiLibrary {
  std::string name;                ///< openmpi, mpich
  std::string compiler, launcher;  ///< paths
};

/// Those that are installed.
std::vector<MpiLibrary> mpi_libraries();

/// What to install where there is none.
extern const char* const mpi_advice;

/// How a library is run: its launcher's options say what a knowing user would try.
struct MpiConfiguration {
  std::string name;                  ///< library and options, for reports
  std::vector<std::string> command;  ///< the launcher and its options, but for -np
};

/// All configurations that are worth trying, with a core for every process or without.
std::vector<MpiConfiguration> mpi_configurations(const MpiLibrary& library, bool core_each);

}  // namespace vnode::bench
