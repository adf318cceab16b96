// What docs/c.md shows.
#include "example.h"

/// A part of a body.
static int meet(vnode_node* me, void* user) {
  (void)user;
  int code = vnode_barrier(me, NULL);
  if (code != VNODE_OK) return code;
  return vnode_barrier(me, NULL);
}

static int with_options(void) {
  vnode_team* team = NULL;
  vnode_team_options options = {.size = sizeof options, .mapping = "scatter", .time_limit = 60};
  int code = vnode_team_create(&team, 4, "mesh:2x2", &options);
  if (code == VNODE_OK) code = vnode_team_run(team, meet, NULL);
  vnode_team_free(&team);
  return code;
}

/// Receives as many numbers as somebody sends.
static int receive_what_comes(vnode_node* me, double* sum) {
  vnode_received there;
  int code = vnode_probe(me, VNODE_ANY_SOURCE, VNODE_ANY_TAG, VNODE_F64, &there);
  if (code != VNODE_OK) return code;
  double* x = malloc(there.count * sizeof *x);
  if (x == NULL) return vnode_abort(me, 1, "no memory");
  code = vnode_recv(me, x, there.count, VNODE_F64, there.from, there.tag, NULL);
  for (size_t i = 0; code == VNODE_OK && i < there.count; ++i) *sum += x[i];
  free(x);
  return code;
}

static int send_some(vnode_node* me, void* user) {
  const double x[3] = {1, 2, 3};
  const int rank = vnode_group_rank(me);
  if (rank > 0) return vnode_send(me, x, (size_t)rank, VNODE_F64, 0, 10 * rank);
  int code = VNODE_OK;
  for (int i = 1; code == VNODE_OK && i < vnode_group_size(me); ++i) code = receive_what_comes(me, user);
  return code;
}

static int by_matching(void) {
  double sum = 0;
  vnode_team* team = NULL;
  int code = vnode_team_create(&team, 4, NULL, NULL);
  if (code == VNODE_OK) code = vnode_team_run(team, send_some, &sum);
  vnode_team_free(&team);
  return code == VNODE_OK && sum != 1 + 3 + 6 ? 1 : code;
}

/// What a thread of the program does as node `rank` of a team.
static int sum_up(vnode_team* team, int rank, double* x, size_t n) {
  vnode_membership* membership = NULL;
  vnode_node* me = NULL;
  int code = vnode_team_join(team, rank, &membership, &me);
  if (code == VNODE_OK) code = vnode_all_reduce(me, x, x, n, VNODE_F64, VNODE_SUM, NULL);
  if (code != VNODE_OK) vnode_membership_abort(&membership, "no sum");
  vnode_membership_leave(&membership);
  return code;
}

static int by_callers(void) {
  double x[3] = {1, 2, 3};
  const vnode_team_options options = {.size = sizeof options, .threads = VNODE_THREADS_CALLERS};
  vnode_team* team = NULL;
  int code = vnode_team_create(&team, 1, NULL, &options);
  if (code == VNODE_OK) code = sum_up(team, 0, x, 3);
  vnode_team_free(&team);
  return code == VNODE_OK && x[2] != 3 ? 1 : code;
}

int main(int argc, char** argv) {
  (void)argc;
  int code = with_options();
  if (code == VNODE_OK) code = by_matching();
  if (code == VNODE_OK) code = by_callers();
  return code == VNODE_OK ? 0 : complain(argv[0], code);
}
