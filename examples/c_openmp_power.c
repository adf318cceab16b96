// The greatest eigenvalue of a matrix, by OpenMP's threads: they join a team region after region.
//
//   each step:  y = A x for the own rows; all_reduce of |y|^2; x = all_gather_v of y / |y|
#include <math.h>
#include <omp.h>

#include "example.h"

enum { steps = 60 };

/// Symmetric, with positive entries, so that one eigenvalue is the greatest.
static double entry(size_t i, size_t j) { return 1.0 / (double)(1 + (i > j ? i - j : j - i)); }

static double times_row(size_t i, const double* x, size_t size) {
  double sum = 0;
  for (size_t j = 0; j < size; ++j) sum += entry(i, j) * x[j];
  return sum;
}

/// What one thread does as a node. `x` is its own copy of the vector.
static int iterate(vnode_node* me, size_t size, double* x, double* y, size_t* counts, double* eigenvalue) {
  const size_t rank = (size_t)vnode_group_rank(me), nodes = (size_t)vnode_group_size(me);
  for (size_t r = 0; r < nodes; ++r) counts[r] = size * (r + 1) / nodes - size * r / nodes;
  const size_t begin = size * rank / nodes, own = counts[rank];
  for (size_t j = 0; j < size; ++j) x[j] = 1.0 / sqrt((double)size);
  for (int s = 0; s < steps; ++s) {
    double square = 0;
    for (size_t i = 0; i < own; ++i) {
      y[i] = times_row(begin + i, x, size);
      square += y[i] * y[i];
    }
    int code = vnode_all_reduce(me, &square, &square, 1, VNODE_F64, VNODE_SUM, NULL);
    if (code != VNODE_OK) return code;
    *eigenvalue = sqrt(square);
    for (size_t i = 0; i < own; ++i) y[i] /= *eigenvalue;
    code = vnode_all_gather_v(me, y, own, x, counts, NULL, VNODE_F64, NULL);
    if (code != VNODE_OK) return code;
  }
  return VNODE_OK;
}

int main(int argc, char** argv) {
  const arguments given = read_arguments(argc, argv, 4, 200);
  omp_set_dynamic(0);  // as many threads as asked for
  const vnode_team_options options = {.size = sizeof options, .threads = VNODE_THREADS_CALLERS};
  vnode_team* team = NULL;
  int failed = vnode_team_create(&team, given.nodes, NULL, &options);
  if (failed != VNODE_OK) return complain(argv[0], failed);

  double found = 0;
  int same = 1;
#pragma omp parallel num_threads(given.nodes) reduction(min : failed) reduction(&& : same)
  {
    double *x = malloc(given.size * sizeof *x), *y = malloc(given.size * sizeof *y);
    size_t* counts = malloc((size_t)given.nodes * sizeof *counts);
    vnode_membership* membership = NULL;
    vnode_node* me = NULL;
    int code = vnode_team_join(team, omp_get_thread_num(), &membership, &me);
    if (code == VNODE_OK) {
      if (x == NULL || y == NULL || counts == NULL) {
        code = VNODE_ERROR_MEMORY;
        vnode_membership_abort(&membership, "no memory for a vector");
      } else {
        double eigenvalue = 0, first = 0;
        code = iterate(me, given.size, x, y, counts, &eigenvalue);
        first = eigenvalue;
        if (code == VNODE_OK) code = vnode_broadcast(me, &first, 1, VNODE_F64, 0, NULL);
        same = same && first == eigenvalue;
        if (omp_get_thread_num() == 0) found = eigenvalue;
      }
    }
    if (code != VNODE_OK && code != VNODE_ERROR_ABORTED) complain(argv[0], code);
    const int left = vnode_membership_leave(&membership);
    failed = code != VNODE_OK ? code : left;
    free(x);
    free(y);
    free(counts);
  }
  vnode_team_free(&team);
  if (failed != VNODE_OK) return 2;

  double *x = malloc(given.size * sizeof *x), *y = malloc(given.size * sizeof *y), expected = 0;
  if (x == NULL || y == NULL) return 2;
  for (size_t j = 0; j < given.size; ++j) x[j] = 1.0 / sqrt((double)given.size);
  for (int s = 0; s < steps; ++s) {
    double square = 0;
    for (size_t i = 0; i < given.size; ++i) {
      y[i] = times_row(i, x, given.size);
      square += y[i] * y[i];
    }
    expected = sqrt(square);
    for (size_t i = 0; i < given.size; ++i) x[i] = y[i] / expected;
  }
  free(x);
  free(y);
  printf("the greatest eigenvalue of %zu x %zu is %.12g\n", given.size, given.size, found);
  return verdict(argv[0], same && fabs(found - expected) < 1e-9 * expected);
}
