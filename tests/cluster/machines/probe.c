/* What the test of tools/machines runs on its machines, compiled by each MPI.
 *
 *   probe where          each rank writes its rank, its machine and how many ranks share that machine's memory
 *   probe ring BYTES     rank 0 marks `before`; each rank r sends BYTES to r + 1, all around; rank 0 marks `after`
 *   probe exit CODE      rank 1 leaves with CODE
 *   probe wait           rank 1 waits for a message that nobody sends
 *   probe finalize N     nothing but the start and the end
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Marks a point, and writes what crossed the links until then. */
static void mark(const char* name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char* path = getenv("MACHINES_LINKS");
  if (path == NULL || strlen(path) >= sizeof address.sun_path) {
    fprintf(stderr, "probe: MACHINES_LINKS names no socket\n");
    MPI_Abort(MPI_COMM_WORLD, 3);
    return;
  }
  strcpy(address.sun_path, path);
  const int links = socket(AF_UNIX, SOCK_STREAM, 0);
  if (links < 0 || connect(links, (struct sockaddr*)&address, sizeof address) != 0) {
    perror("probe: MACHINES_LINKS");
    MPI_Abort(MPI_COMM_WORLD, 3);
    return;
  }
  FILE* stream = fdopen(links, "r+");
  fprintf(stream, "mark %s\n", name);
  fflush(stream);
  char line[256];
  while (fgets(line, sizeof line, stream) != NULL && line[0] != '\n')
    printf("%s %s", name, line);
  fflush(stdout);
  fclose(stream);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* task = argc > 1 ? argv[1] : "where";
  const int number = argc > 2 ? atoi(argv[2]) : 0;
  int status = 0;
  if (strcmp(task, "where") == 0) {
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    MPI_Comm near = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &near);
    int sharing = 0;
    MPI_Comm_size(near, &sharing);
    MPI_Comm_free(&near);
    printf("%d %s %d\n", rank, host, sharing);
    fflush(stdout);
  } else if (strcmp(task, "ring") == 0) {
    char* out = calloc(1, (size_t)number + 1);
    char* in = calloc(1, (size_t)number + 1);
    MPI_Request request = MPI_REQUEST_NULL;
    for (int turn = 0; turn < 2; ++turn) { /* the first opens the connections */
      if (turn == 1) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
          mark("before");
        MPI_Barrier(MPI_COMM_WORLD);
      }
      memset(out, rank + 1, (size_t)number);
      MPI_Irecv(in, number, MPI_CHAR, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
      MPI_Send(out, number, MPI_CHAR, (rank + 1) % size, 0, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      for (int i = 0; i < number; ++i)
        if (in[i] != (char)((rank + size - 1) % size + 1))
          status = 4;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
      mark("after");
    free(out);
    free(in);
  } else if (strcmp(task, "exit") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
      exit(number);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(task, "wait") == 0) {
    if (rank == 1)
      MPI_Recv(&status, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(task, "finalize") != 0) {
    fprintf(stderr, "probe: unknown task '%s'\n", task);
    status = 2;
  }
  MPI_Finalize();
  return status;
}
