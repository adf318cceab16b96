/* The peer of vnode-bench: does what it is told by MPI, in the same loops, on the same data, and answers with
   the time stamps of every call.

   peer FOLDER: every process reads commands, a line each, from FOLDER/command.RANK, and so sleeps between
   them; process 0 answers in FOLDER/answer. vnode-bench compiles this text with each MPI that is installed. */

#include <fcntl.h>
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"

#if defined(__x86_64__)
#include <x86intrin.h>
static uint64_t now(void) { return __rdtsc(); }
static uint64_t now_after(void) {
  unsigned core;
  const uint64_t ticks = __rdtscp(&core);
  _mm_lfence();
  return ticks;
}
#else
#include <time.h>
static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
static uint64_t now_after(void) { return now(); }
#endif

enum { period = 4093, page = 4096, cache_line = 64, folder_length = 512 };

/* What a command says. */
struct Lap {
  char operation[32], type[16], op[8];
  size_t bytes, element, cold;
  int root, shift, turns;
  uint64_t seed, first, lead;
  int settling, iterations, batch, osu, core_each, fetch;
};

struct Stamp {
  uint64_t deadline, entry, exit;
};

static int rank, p;
static char folder[folder_length];

/* The data. */
static char *in, *out, *table;
static size_t in_bytes, out_bytes, table_bytes;
static int *counts, *displacements;

/* What is walked between two calls. */
static char *walked;
static size_t walked_bytes;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static FILE *file(const char *name, int of_rank, const char *mode) {
  char path[folder_length + 32];
  snprintf(path, sizeof path, of_rank < 0 ? "%s/%s" : "%s/%s.%d", folder, name, of_rank);
  FILE *opened = fopen(path, mode);
  if (!opened) fail(path);
  return opened;
}

static char *memory(char *old, size_t old_bytes, size_t bytes) {
  if (old && old_bytes == bytes) return old;
  free(old);
  char *made = aligned_alloc(page, (bytes + page) / page * page);
  if (!made) fail("no memory");
  return made;
}

static int is(const struct Lap *lap, const char *operation) { return named(lap->operation, operation); }

/* How many vectors of m bytes this process brings, and takes away. */
static size_t brought(const struct Lap *lap) {
  const size_t all = (size_t)p;
  if (is(lap, "scatter")) return rank == lap->root ? all : 0;
  return is(lap, "reduce_scatter") || is(lap, "all_to_all") ? all : !is(lap, "barrier");
}
static size_t taken(const struct Lap *lap) {
  const size_t all = (size_t)p;
  if (is(lap, "gather")) return rank == lap->root ? all : 0;
  return is(lap, "all_gather") || is(lap, "all_to_all") ? all : !is(lap, "barrier");
}
/* Broadcast and reduce are in place, as ours are. */
static int in_place(const struct Lap *lap) { return is(lap, "broadcast") || is(lap, "reduce"); }

static void prepare(const struct Lap *lap) {
  const size_t in_now = brought(lap) * lap->bytes, out_now = taken(lap) * lap->bytes;
  in = memory(in, in_bytes, in_now);
  out = memory(out, out_bytes, out_now);
  walked = memory(walked, walked_bytes, lap->cold);
  in_bytes = in_now;
  out_bytes = out_now;
  walked_bytes = lap->cold;
  if (is(lap, "barrier")) return;
  table_bytes = period * lap->element;
  table = memory(table, 0, 2 * table_bytes);
  FILE *from = file("table", -1, "rb");
  if (fread(table, 1, 2 * table_bytes, from) != 2 * table_bytes) fail("the table is too short");
  fclose(from);
  counts = realloc(counts, (size_t)p * sizeof *counts);
  displacements = realloc(displacements, (size_t)p * sizeof *displacements);
  for (int i = 0; i < p; ++i) {
    counts[i] = (int)(lap->bytes / lap->element);
    displacements[i] = i * counts[i];
  }
}

static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* As Pattern::write of vnode-bench. */
static void write_data(const struct Lap *lap, char *vector, size_t bytes, uint64_t iteration) {
  const char *source = table + mix(mix(lap->seed ^ iteration) + (uint64_t)rank) % period * lap->element;
  for (size_t at = 0; at < bytes; at += table_bytes)
    memcpy(vector + at, source, bytes - at < table_bytes ? bytes - at : table_bytes);
}

static void rewrite(const struct Lap *lap, uint64_t iteration) {
  if (in_place(lap)) {
    write_data(lap, out, lap->bytes, iteration);
    return;
  }
  write_data(lap, in, in_bytes, iteration);
  write_data(lap, out, out_bytes, ~iteration);
}

/* As Eviction::walk of vnode-bench. */
static void walk(void) {
  volatile char *const buffer = walked;
  for (size_t at = 0; at < walked_bytes; at += cache_line) buffer[at] ^= 1;
}

/* All are let go at one moment: at a deadline that process 0 sets, where every process has a core. */
static struct Stamp release(const struct Lap *lap) {
  struct Stamp stamp = {0, 0, 0};
  MPI_Barrier(MPI_COMM_WORLD);
  if (lap->core_each) {
    if (rank == 0) stamp.deadline = now() + lap->lead;
    MPI_Bcast(&stamp.deadline, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    do stamp.entry = now();
    while (stamp.entry < stamp.deadline);
  } else {
    stamp.deadline = stamp.entry = now_after();
  }
  return stamp;
}

static void run(const struct Lap *lap, struct Stamp *stamps) {
  const struct Call one = {lap->operation, type_of(lap->type), op_of(lap->op), (int)(lap->bytes / lap->element),
                           lap->root, lap->shift, lap->turns, in, out, counts, displacements,
                           MPI_COMM_WORLD, rank, p};
  uint64_t iteration = lap->first;
  for (int i = -lap->settling; i < lap->iterations; ++i, ++iteration) {
    struct Stamp stamp;
    if (!lap->osu || i == -lap->settling) rewrite(lap, iteration);
    walk();
    if (lap->osu) {
      MPI_Barrier(MPI_COMM_WORLD);
      stamp.deadline = stamp.entry = now_after();
    } else {
      stamp = release(lap);
    }
    for (int j = 0; j < lap->batch; ++j) call(&one);
    stamp.exit = now_after();
    if (i >= 0) stamps[i] = stamp;
  }
  if (!lap->fetch) return;
  /* What several calls have made of the data cannot be checked; what one makes of new data can. */
  rewrite(lap, iteration - 1);
  MPI_Barrier(MPI_COMM_WORLD);
  call(&one);
  FILE *to = file("result", rank, "wb");
  fwrite(out, 1, out_bytes, to);
  fclose(to);
}

static void answer(const struct Lap *lap, const struct Stamp *stamps, FILE *to) {
  const int words = lap->iterations * (int)(sizeof *stamps / sizeof(uint64_t));
  uint64_t *all = rank == 0 ? malloc((size_t)p * (size_t)words * sizeof *all) : NULL;
  MPI_Gather(stamps, words, MPI_UINT64_T, all, words, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  fwrite(all, sizeof *all, (size_t)p * (size_t)words, to);
  fflush(to);
  free(all);
}

static int parse(const char *line, struct Lap *lap) {
  return sscanf(line,
                "%31s %15s %7s %zu %zu %d %d %d %" SCNu64 " %" SCNu64 " %" SCNu64 " %d %d %d %d %d %d %zu",
                lap->operation, lap->type, lap->op, &lap->bytes, &lap->element, &lap->root, &lap->shift,
                &lap->turns, &lap->seed, &lap->first, &lap->lead, &lap->settling, &lap->iterations,
                &lap->batch, &lap->osu, &lap->core_each, &lap->fetch, &lap->cold) == 18;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  if (argc != 2) fail("usage: peer FOLDER");
  snprintf(folder, sizeof folder, "%s", argv[1]);
  FILE *commands = file("command", rank, "r");
  FILE *answers = rank == 0 ? file("answer", -1, "wb") : NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    fputc('!', answers);
    fflush(answers);
  }
  char line[512];
  while (fgets(line, sizeof line, commands)) {
    struct Lap lap;
    if (!parse(line, &lap)) fail(line);
    prepare(&lap);
    struct Stamp *stamps = calloc((size_t)lap.iterations + 1, sizeof *stamps);
    run(&lap, stamps);
    answer(&lap, stamps, answers);
    free(stamps);
  }
  MPI_Finalize();
  return 0;
}
