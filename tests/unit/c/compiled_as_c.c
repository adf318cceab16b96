// Tests vnode.h compiled as C11, by functions that a test calls.
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include <vnode/vnode.h>

static int sums(vnode_node* me, void* user) {
  double _Complex z = 1.0 + 2.0 * I;
  vnode_located_f64 best = {.value = -vnode_group_rank(me), .index = vnode_group_rank(me)};
  bool any = vnode_group_rank(me) == 1;
  uint16_t half = vnode_f16_from_float(0.5F);
  vnode_call_options options = {.size = sizeof options, .deterministic = 1};
  int code = vnode_all_reduce(me, &z, &z, 1, VNODE_COMPLEX_F64, VNODE_SUM, &options);
  if (code == VNODE_OK)
    code = vnode_all_reduce(me, &best, &best, 1, VNODE_LOCATED_F64, VNODE_MAX_LOCATION, NULL);
  if (code == VNODE_OK) code = vnode_all_reduce(me, &any, &any, 1, VNODE_BOOL, VNODE_LOGICAL_OR, NULL);
  if (code == VNODE_OK) code = vnode_all_reduce(me, &half, &half, 1, VNODE_F16, VNODE_SUM, NULL);
  if (code != VNODE_OK) return code;
  if (vnode_group_rank(me) == 0)
    *(int*)user = (int)creal(z) + (int)cimag(z) + (best.index == 0) + any + (int)vnode_f16_to_float(half);
  return VNODE_OK;
}

/// Returns 4 + 8 + 1 + 1 + 2 if all is well on four nodes.
int run_as_c(void);
int run_as_c(void) {
  int answer = 0;
  vnode_team* team = NULL;
  vnode_team_options options = {.size = sizeof options, .time_limit = 60};
  int code = vnode_team_create(&team, 4, "hypercube", &options);
  if (code == VNODE_OK) code = vnode_team_run(team, sums, &answer);
  vnode_team_free(&team);
  return code == VNODE_OK ? answer : code;
}
