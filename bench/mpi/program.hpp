#pragma once

namespace vnode::bench {

/// The text of peer.c: it is compiled where an MPI is installed, when it is needed.
extern const char* const mpi_program;

}  // namespace vnode::bench
