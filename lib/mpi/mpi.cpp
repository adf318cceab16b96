#include "mpi/mpi.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

#include <vnode/error.hpp>

namespace vnode {

void check_mpi(int code, std::string_view call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw SystemError(
      fmt::format("{} has failed: {}", call, std::string_view(text, static_cast<std::size_t>(length))));
}

void check_launcher() {
  int processes = 1;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &processes), "MPI_Comm_size");
#ifdef OPEN_MPI
  constexpr std::string_view own = "Open MPI", other = "MPICH";
  constexpr const char *variable = "PMI_SIZE", *command = "mpirun.openmpi";
#else
  constexpr std::string_view own = "MPICH", other = "Open MPI";
  constexpr const char *variable = "OMPI_COMM_WORLD_SIZE", *command = "mpirun.mpich";
#endif
  const char* const value = std::getenv(variable);
  const int started = value != nullptr ? std::atoi(value) : 1;
  if (processes > 1 || started <= 1) return;
  throw UsageError(fmt::format(
      "each of the {} processes that the launcher of {} has started is alone, as the program is linked "
      "with {}: start it by the launcher of that one, on Debian {}",
      started, other, own, command));
}

bool mpi_yields() {
  int provided = 0, index = 0, values = 0;
  if (MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS) return false;
  long long value = 0;  // of whatever type, it is 0 or not
  MPI_T_cvar_handle handle;
  if (MPI_T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
      MPI_T_cvar_handle_alloc(index, nullptr, &handle, &values) == MPI_SUCCESS) {
    MPI_T_cvar_read(handle, &value);
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_T_finalize();
  return value != 0;
}

}  // namespace vnode
