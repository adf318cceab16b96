// The temperature of a rod after many steps: ghost points travel while the inside is computed.
//
//   each step:  irecv both ghost points; isend both edges
//               compute the inside; wait; compute the edges
//   at the end: all_reduce of the greatest change, gather_v of the rod
#include <math.h>
#include <string.h>

#include "example.h"

enum { steps = 100 };

typedef struct rod {
  size_t size;
  double* at;     // all of it, on node 0
  double change;  // the greatest of the last step
} rod;

static double initial(size_t i, size_t size) { return i == 0 || i + 1 == size ? 100.0 : (double)(i % 7); }

static double next_value(const double* x) { return 0.25 * x[-1] + 0.5 * x[0] + 0.25 * x[1]; }

/// One step for x[first] .. x[end - 1]; the ends of the rod stay as they are.
static void step(const double* x, double* y, size_t first, size_t end) {
  for (size_t i = first; i < end; ++i) y[i] = next_value(x + i);
}

static int cool(vnode_node* me, void* user) {
  rod* all = user;
  const int rank = vnode_group_rank(me), nodes = vnode_group_size(me);
  const size_t begin = all->size * (size_t)rank / (size_t)nodes,
               end = all->size * (size_t)(rank + 1) / (size_t)nodes;
  const size_t own = end - begin;  // x[1] .. x[own]; x[0] and x[own + 1] are ghost points
  double *x = calloc(own + 2, sizeof *x), *y = calloc(own + 2, sizeof *y);
  size_t* counts = calloc((size_t)nodes, sizeof *counts);
  int code = VNODE_OK;
  if (x == NULL || y == NULL || counts == NULL) {
    vnode_set_message("no memory for the rod");
    code = 1;
  }
  if (code == VNODE_OK)
    for (size_t i = 0; i < own; ++i) x[i + 1] = initial(begin + i, all->size);
  double change = 0;
  for (int s = 0; s < steps && code == VNODE_OK; ++s) {
    vnode_request* requests[4] = {NULL, NULL, NULL, NULL};
    if (rank > 0) {
      code = vnode_irecv(me, &x[0], 1, VNODE_F64, rank - 1, 0, &requests[0]);
      if (code == VNODE_OK) code = vnode_isend(me, &x[1], 1, VNODE_F64, rank - 1, 0, &requests[1]);
    }
    if (rank + 1 < nodes) {
      if (code == VNODE_OK) code = vnode_irecv(me, &x[own + 1], 1, VNODE_F64, rank + 1, 0, &requests[2]);
      if (code == VNODE_OK) code = vnode_isend(me, &x[own], 1, VNODE_F64, rank + 1, 0, &requests[3]);
    }
    if (code == VNODE_OK) {
      step(x, y, 2, own);
      code = vnode_request_wait_all(requests, 4);
    }
    if (code != VNODE_OK) {  // the run has ended, and nobody waits
      for (int i = 0; i < 4; ++i) vnode_request_free(&requests[i]);
      break;
    }
    y[1] = rank == 0 ? x[1] : next_value(x + 1);
    y[own] = rank + 1 == nodes ? x[own] : next_value(x + own);
    change = 0;
    for (size_t i = 1; i <= own; ++i) change = fmax(change, fabs(y[i] - x[i]));
    memcpy(x, y, (own + 2) * sizeof *x);
  }
  if (code == VNODE_OK) code = vnode_all_reduce(me, &change, &change, 1, VNODE_F64, VNODE_MAX, NULL);
  if (code == VNODE_OK) {
    if (rank == 0) all->change = change;
    for (size_t r = 0; r < (size_t)nodes; ++r)
      counts[r] = all->size * (r + 1) / (size_t)nodes - all->size * r / (size_t)nodes;
    code = vnode_gather_v(me, x + 1, own, rank == 0 ? all->at : NULL, counts, NULL, VNODE_F64, 0, NULL);
  }
  free(x);
  free(y);
  free(counts);
  return code;
}

int main(int argc, char** argv) {
  const arguments given = read_arguments(argc, argv, 4, 10000);
  if (given.size < 2 * (size_t)given.nodes) {
    fprintf(stderr, "%s: SIZE must be at least %d: every node has two points\n", argv[0], 2 * given.nodes);
    return 2;
  }
  rod all = {.size = given.size, .at = calloc(given.size, sizeof(double))};
  double *x = calloc(given.size, sizeof *x), *y = calloc(given.size, sizeof *y);
  if (all.at == NULL || x == NULL || y == NULL) return 2;
  vnode_team* team = NULL;
  int code = vnode_team_create(&team, given.nodes, "array", NULL);
  if (code == VNODE_OK) code = vnode_team_run(team, cool, &all);
  if (code != VNODE_OK) return complain(argv[0], code);
  vnode_team_free(&team);

  for (size_t i = 0; i < given.size; ++i) x[i] = y[i] = initial(i, given.size);
  for (int s = 0; s < steps; ++s) {
    step(x, y, 1, given.size - 1);
    memcpy(x, y, given.size * sizeof *x);
  }
  const int right = memcmp(x, all.at, given.size * sizeof *x) == 0;
  printf("after %d steps the rod changes by %g at most\n", steps, all.change);
  free(x);
  free(y);
  free(all.at);
  return verdict(argv[0], right);
}
