#include <stdio.h>
#include <vnode/vnode.h>

static int add(vnode_node *me, void *user) {
  int sum = vnode_group_rank(me);
  const int code = vnode_all_reduce(me, &sum, &sum, 1, VNODE_I32, VNODE_SUM, NULL);
  if (vnode_group_rank(me) == 0) *(int *)user = sum;
  return code;
}

int main(void) {
  vnode_team *team = NULL;
  int sum = 0;
  int code = vnode_team_create(&team, 4, "ring", NULL);
  if (code == VNODE_OK) code = vnode_team_run(team, add, &sum);
  if (code != VNODE_OK) printf("%s\n", vnode_message());
  vnode_team_free(&team);
  return code == VNODE_OK && sum == 6 && vnode_abi_version() >= VNODE_ABI ? 0 : 1;
}
