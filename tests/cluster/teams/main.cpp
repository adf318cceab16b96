// Runs the tests of a cluster's team: the same program in every process, under tools/machines.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <mpi.h>

/// All processes fail if one has.
int main(int argc, char** argv) {
  int provided = 0, process = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  doctest::Context context(argc, argv);
  context.setOption("minimal", process != 0);
  const int own = context.run();
  int worst = 0;
  MPI_Allreduce(&own, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return worst;
}
