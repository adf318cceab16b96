// 8 nodes add up what each brings.
#include <stdio.h>

#include <vnode/vnode.h>

static int hello(vnode_node* me, void* user) {
  (void)user;
  int each = vnode_group_rank(me) == 0 ? 3 : 0, sum = 0;
  int code = vnode_broadcast(me, &each, 1, VNODE_I32, 0, NULL);
  if (code == VNODE_OK) code = vnode_reduce(me, &each, &sum, 1, VNODE_I32, VNODE_SUM, 0, NULL);
  if (code == VNODE_OK && vnode_group_rank(me) == 0)
    printf("hello from %d nodes: %d from each makes %d\n", vnode_group_size(me), each, sum);
  return code;
}

int main(void) {
  vnode_team* team = NULL;
  int code = vnode_team_create(&team, 8, "hypercube", NULL);
  if (code == VNODE_OK) code = vnode_team_run(team, hello, NULL);
  if (code != VNODE_OK) fprintf(stderr, "c_hello: %s\n", vnode_message());
  vnode_team_free(&team);
  return code == VNODE_OK ? 0 : 1;
}
