#include "cluster/mpi.hpp"

#include <fmt/format.h>

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

}  // namespace vnode
