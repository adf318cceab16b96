#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

#include <vnode/error.hpp>

#include "commands/commands.hpp"

namespace vnode::bench {
namespace {

/// Returns the MPI whose mpirun, or a batch system's launcher for it, has started this process, by the
/// variables that it sets.
std::string mpi_that_started() {
  for (const auto& [variable, mpi] : {std::pair{"OMPI_COMM_WORLD_SIZE", "openmpi"},
                                      std::pair{"PMIX_RANK", "openmpi"}, std::pair{"PMI_RANK", "mpich"}})
    if (std::getenv(variable) != nullptr) return mpi;
  throw UsageError{
      "--cluster: no mpirun has started this; mpirun -n PROCESSES vnode-bench --cluster starts it on the "
      "machines of mpirun's hosts, a process for each node"};
}

}  // namespace

int start_cluster(char** argv) {
  const std::string mpi = mpi_that_started();
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path() / ("vnode-bench-" + mpi);
  execv(beside.c_str(), argv);
  throw SystemError{
      fmt::format("--cluster: {} has started this, and there is no {}: vnode was built without this MPI", mpi,
                  beside.string())};
}

}  // namespace vnode::bench
