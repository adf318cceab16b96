/* The operations of vnode-bench as calls of MPI: what peer.c times, and what a cluster is measured beside. C,
 * and C++ too. */
#pragma once

#include <mpi.h>
#include <stddef.h>
#include <string.h>

/* One call of a process: the operation's name is vnode-bench's, `count` is of one contribution. */
struct Call {
  const char* operation;
  MPI_Datatype type;
  MPI_Op op;
  int count, root, shift, turns; /* turns: of a ping-pong */
  void *in, *out;
  const int *counts, *displacements; /* of v-variants */
  MPI_Comm all;
  int rank, p;
};

/* Whether that is the operation, or its v-variant. */
static int named(const char* name, const char* operation) {
  const size_t length = strlen(operation);
  return strncmp(name, operation, length) == 0 && (name[length] == 0 || strcmp(name + length, "_v") == 0);
}

static int varying(const struct Call* the) {
  const size_t length = strlen(the->operation);
  return length > 2 && strcmp(the->operation + length - 2, "_v") == 0;
}

static MPI_Datatype type_of(const char* type) {
  static const char* const names[] = {"f32", "f64", "i8",  "u8",          "i16",         "u16",        "i32",
                                      "u32", "i64", "u64", "long_double", "complex_f32", "complex_f64"};
  const MPI_Datatype types[] = {MPI_FLOAT,           MPI_DOUBLE,   MPI_INT8_T,      MPI_UINT8_T,
                                MPI_INT16_T,         MPI_UINT16_T, MPI_INT32_T,     MPI_UINT32_T,
                                MPI_INT64_T,         MPI_UINT64_T, MPI_LONG_DOUBLE, MPI_C_FLOAT_COMPLEX,
                                MPI_C_DOUBLE_COMPLEX};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (strcmp(type, names[i]) == 0) return types[i];
  return MPI_DATATYPE_NULL;  // which MPI refuses
}

static MPI_Op op_of(const char* op) {
  if (strcmp(op, "prod") == 0) return MPI_PROD;
  if (strcmp(op, "min") == 0) return MPI_MIN;
  if (strcmp(op, "max") == 0) return MPI_MAX;
  return MPI_SUM;
}

static void ping_pong(const struct Call* the) {
  const int rank = the->rank, p = the->p;
  const MPI_Datatype type = the->type;
  const int second = (the->root + 1) % p;
  if (rank != the->root && rank != second) return;
  const int partner = rank == the->root ? second : the->root;
  for (int turn = 0; turn < 2 * the->turns; ++turn)
    if ((rank == the->root) == (turn % 2 == 0))
      MPI_Send(the->in, the->count, type, partner, 0, the->all);
    else
      MPI_Recv(the->out, the->count, type, partner, 0, the->all, MPI_STATUS_IGNORE);
}

static void both_ways(const struct Call* the) {
  const int rank = the->rank, p = the->p;
  const MPI_Datatype type = the->type;
  const int second = (the->root + 1) % p;
  if (rank != the->root && rank != second) return;
  const int partner = rank == the->root ? second : the->root;
  MPI_Sendrecv(the->in, the->count, type, partner, 0, the->out, the->count, type, partner, 0, the->all,
               MPI_STATUS_IGNORE);
}

static void shift(const struct Call* the) {
  const int rank = the->rank, p = the->p;
  const MPI_Datatype type = the->type;
  const int q = (the->shift % p + p) % p;
  MPI_Sendrecv(the->in, the->count, type, (rank + q) % p, 0, the->out, the->count, type, (rank - q + p) % p,
               0, the->all, MPI_STATUS_IGNORE);
}

static void call_varying(const struct Call* the) {
  const MPI_Datatype type = the->type;
  const MPI_Op op = the->op;
  const int n = the->count, *const counts = the->counts, *const places = the->displacements;
  if (named(the->operation, "all_gather"))
    MPI_Allgatherv(the->in, n, type, the->out, counts, places, type, the->all);
  else if (named(the->operation, "reduce_scatter"))
    MPI_Reduce_scatter(the->in, the->out, counts, type, op, the->all);
  else if (named(the->operation, "scatter"))
    MPI_Scatterv(the->in, counts, places, type, the->out, n, type, the->root, the->all);
  else if (named(the->operation, "gather"))
    MPI_Gatherv(the->in, n, type, the->out, counts, places, type, the->root, the->all);
  else
    MPI_Alltoallv(the->in, counts, places, type, the->out, counts, places, type, the->all);
}

static void call(const struct Call* the) {
  const MPI_Comm all = the->all;
  const MPI_Datatype type = the->type;
  const MPI_Op op = the->op;
  const int count = the->count, root = the->root, rank = the->rank;
  if (varying(the))
    call_varying(the);
  else if (named(the->operation, "broadcast"))
    MPI_Bcast(the->out, count, type, root, all);
  else if (named(the->operation, "reduce"))
    MPI_Reduce(rank == root ? MPI_IN_PLACE : the->out, rank == root ? the->out : NULL, count, type, op, root,
               all);
  else if (named(the->operation, "all_gather"))
    MPI_Allgather(the->in, count, type, the->out, count, type, all);
  else if (named(the->operation, "reduce_scatter"))
    MPI_Reduce_scatter_block(the->in, the->out, count, type, op, all);
  else if (named(the->operation, "all_reduce"))
    MPI_Allreduce(the->in, the->out, count, type, op, all);
  else if (named(the->operation, "scan"))
    MPI_Scan(the->in, the->out, count, type, op, all);
  else if (named(the->operation, "exclusive_scan"))
    MPI_Exscan(the->in, the->out, count, type, op, all);
  else if (named(the->operation, "scatter"))
    MPI_Scatter(the->in, count, type, the->out, count, type, root, all);
  else if (named(the->operation, "gather"))
    MPI_Gather(the->in, count, type, the->out, count, type, root, all);
  else if (named(the->operation, "all_to_all"))
    MPI_Alltoall(the->in, count, type, the->out, count, type, all);
  else if (named(the->operation, "circular_shift"))
    shift(the);
  else if (named(the->operation, "send"))
    ping_pong(the);
  else if (named(the->operation, "sendrecv"))
    both_ways(the);
  else
    MPI_Barrier(all);
}
