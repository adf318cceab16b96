#include <vnode/vnode.hpp>
#include <cstdio>
#include <omp.h>
#include <sched.h>
int main() {
  cpu_set_t before, after; sched_getaffinity(0, sizeof before, &before);
  vnode::Team team{2};
  bool ok = true;
  for (int i = 0; i < 20; ++i) {
    team.run([&](vnode::Node& me) { me.barrier(); });
    sched_getaffinity(0, sizeof after, &after); ok = ok && CPU_EQUAL(&before, &after);
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int k = 0; k < 100000; ++k) s += 1;
    ok = ok && s == 100000;
    cpu_set_t any; CPU_ZERO(&any);
#pragma omp parallel
    { cpu_set_t own; sched_getaffinity(0, sizeof own, &own);
#pragma omp critical
      CPU_OR(&any, &any, &own); }
    ok = ok && CPU_COUNT(&any) == CPU_COUNT(&before);
  }
  std::puts(ok ? "openmp right" : "wrong"); return !ok;
}
