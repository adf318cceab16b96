/* What the test of tools/machines runs on its machines, compiled by each MPI.
 *
 *   probe where          each rank writes its rank, its machine and how many ranks share that machine's memory
 *   probe ring BYTES     rank 0 marks `before`; each rank r sends BYTES to r + 1, all around; rank 0 marks `after`
 *   probe resend BYTES   rank 0 sends BYTES to rank 1 by TCP, whose socket loses what comes at first; both are marked likewise
 *   probe exit CODE      rank 1 leaves with CODE
 *   probe wait           rank 1 waits for a message that nobody sends
 *   probe finalize N     nothing but the start and the end
 */
#include <linux/filter.h>
#include <mpi.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
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

/* Of two ranks on machines that are each other's only neighbours. */
static int resend(int rank, size_t size) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a4d0002)}; /* m2: 10.77.0.2 */
  socklen_t length = sizeof address;
  char* bytes = calloc(1, size);
  int end = socket(AF_INET, SOCK_STREAM, 0);
  int status = 0;
  if (rank == 1) {
    const int door = end;
    if (bind(door, (struct sockaddr*)&address, length) != 0 || listen(door, 1) != 0 ||
        getsockname(door, (struct sockaddr*)&address, &length) != 0)
      status = 5;
    MPI_Send(&address.sin_port, 1, MPI_UINT16_T, 0, 0, MPI_COMM_WORLD);
    end = accept(door, NULL, NULL);
    struct sock_filter nothing = {BPF_RET | BPF_K, 0, 0, 0};
    struct sock_fprog filter = {1, &nothing};
    if (setsockopt(end, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0)
      status = 5;
    close(door);
  } else {
    MPI_Recv(&address.sin_port, 1, MPI_UINT16_T, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (connect(end, (struct sockaddr*)&address, length) != 0)
      status = 5;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    mark("before");
    if (write(end, bytes, size) != (ssize_t)size)
      status = 5;
    struct tcp_info so_far = {0};
    length = sizeof so_far;
    while (getsockopt(end, IPPROTO_TCP, TCP_INFO, &so_far, &length) == 0 && so_far.tcpi_total_retrans == 0)
      usleep(1000);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    setsockopt(end, SOL_SOCKET, SO_DETACH_FILTER, &status, sizeof status);
    if (recv(end, bytes, size, MSG_WAITALL) != (ssize_t)size)
      status = 5;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    mark("after");
  close(end);
  free(bytes);
  return status;
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
  } else if (strcmp(task, "resend") == 0) {
    status = resend(rank, (size_t)number);
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
