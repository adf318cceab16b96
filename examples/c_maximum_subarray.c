// The greatest sum of neighbouring numbers, by an operator of the program's own.
//
//   a node:     sum, greatest prefix, greatest suffix and greatest stretch of its block
//   all:        reduce them in rank order; the operator is associative, and not commutative
#include <stdint.h>

#include "example.h"

typedef struct stretch {
  int64_t sum, prefix, suffix, best;
} stretch;

static int64_t greater(int64_t a, int64_t b) { return a < b ? b : a; }

static stretch joined(stretch a, stretch b) {
  const stretch both = {a.sum + b.sum, greater(a.prefix, a.sum + b.prefix),
                        greater(b.suffix, a.suffix + b.sum),
                        greater(greater(a.best, b.best), a.suffix + b.prefix)};
  return both;
}

static int join_stretches(void* user, void* out, const void* left, const void* right, size_t count) {
  (void)user;
  for (size_t i = 0; i < count; ++i)
    ((stretch*)out)[i] = joined(((const stretch*)left)[i], ((const stretch*)right)[i]);
  return 0;
}

static int64_t number(size_t i) { return (int64_t)((uint32_t)i * 2654435761u >> 20) - 2048; }

static stretch stretch_of(size_t first, size_t end) {
  stretch all = {0, 0, 0, 0};  // of nothing
  for (size_t i = first; i < end; ++i) {
    const int64_t x = number(i), positive = greater(x, 0);
    const stretch one = {x, positive, positive, positive};
    all = joined(all, one);
  }
  return all;
}

typedef struct task {
  size_t size;
  vnode_type type;
  vnode_operator op;
  stretch found;
} task;

static int search(vnode_node* me, void* user) {
  task* work = user;
  const size_t rank = (size_t)vnode_group_rank(me), nodes = (size_t)vnode_group_size(me);
  stretch own = stretch_of(work->size * rank / nodes, work->size * (rank + 1) / nodes);
  return vnode_reduce(me, &own, rank == 0 ? &work->found : NULL, 1, work->type, work->op, 0, NULL);
}

int main(int argc, char** argv) {
  const arguments given = read_arguments(argc, argv, 4, 100000);
  task work = {.size = given.size};
  const vnode_operator_definition definition = {
      .size = sizeof definition, .name = "join_stretches", .combine = join_stretches};
  vnode_team* team = NULL;
  int code = vnode_type_register("stretch", sizeof(stretch), _Alignof(stretch), &work.type);
  if (code == VNODE_OK) code = vnode_operator_create(&work.op, &definition);
  if (code == VNODE_OK) code = vnode_team_create(&team, given.nodes, NULL, NULL);
  if (code == VNODE_OK) code = vnode_team_run(team, search, &work);
  if (code != VNODE_OK) return complain(argv[0], code);
  vnode_team_free(&team);
  vnode_operator_free(&work.op);

  int64_t best = 0, here = 0;  // Kadane's
  for (size_t i = 0; i < given.size; ++i) {
    here = greater(here + number(i), 0);
    best = greater(best, here);
  }
  printf("the greatest sum of neighbours among %zu numbers is %lld\n", given.size,
         (long long)work.found.best);
  return verdict(argv[0], work.found.best == best);
}
