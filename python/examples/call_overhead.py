"""What a call costs from Python: beside the same call by ctypes alone, and, if there is a C compiler, from C.

A team of one node sends nothing, so that these are the costs of the call itself; nodes of larger teams hand the
interpreter's lock to each other, too.

    call_overhead.py [CALLS] [NODES...]
"""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Callable, Dict, Optional

import numpy as np

import vnode
from vnode._library import library

TRIAL = 100
C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <vnode/vnode.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static int body(vnode_node* me, void* user) {
  const long calls = *(long*)user;
  double x = 1, best = 1e9;
  for (long trial = 0; trial < calls; trial += 100) {
    const double begin = now();
    for (long i = 0; i < 100; ++i)
      if (vnode_all_reduce(me, &x, &x, 1, VNODE_F64, VNODE_SUM, NULL)) return 1;
    const double took = (now() - begin) / 100;
    if (took < best) best = took;
  }
  printf("%.9g\n", best);
  return 0;
}
int main(int argc, char** argv) {
  long calls = argc > 1 ? atol(argv[1]) : 1000;
  vnode_team* team;
  return vnode_team_create(&team, 1, NULL, NULL) || vnode_team_run(team, body, &calls) || vnode_team_free(&team);
}
"""


def best(f: Callable[[], object], calls: int) -> float:
    """Returns the least mean of many short trials, in seconds: other work on the machine disturbs some of them only."""
    trials = []
    for _ in range(max(1, calls // TRIAL)):
        begin = time.perf_counter()
        for _ in range(TRIAL):
            f()
        trials.append((time.perf_counter() - begin) / TRIAL)
    return min(trials)


def from_c(calls: int) -> Optional[float]:
    """Returns the time of the call from C, or None if it cannot be compiled here."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    loaded = pathlib.Path(str(library._name)).resolve()
    include = next((folder / "include" for folder in loaded.parents if (folder / "include/vnode/vnode.h").is_file()), None)
    if compiler is None or include is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "call.c", pathlib.Path(folder) / "call"
        source.write_text(C)
        subprocess.run([compiler, "-O2", "-std=gnu11", "-I", include, source, loaded, f"-Wl,-rpath,{loaded.parent}", "-o",
                        program], check=True)
        return float(subprocess.run([program, str(calls)], check=True, capture_output=True, text=True).stdout)


def measure(me: vnode.Node, calls: int) -> Dict[str, float]:
    x, out = np.ones(1), np.zeros(1)
    raw, node, at = library.vnode_all_reduce, me._handle, x.__array_interface__["data"][0]
    ways: Dict[str, Callable[[], object]] = {
        "the loop itself": lambda: None,
        "all_reduce of a number": lambda: me.all_reduce(1.0, "sum"),
        "all_reduce of an array": lambda: me.all_reduce(x, "sum"),
        "all_reduce of an array, out": lambda: me.all_reduce(x, "sum", out=out),
        "broadcast of an array": lambda: me.broadcast(x),
        "barrier": lambda: me.barrier(),
        "nonblocking all_reduce, wait": lambda: me.nonblocking().all_reduce(x, "sum").wait(),
        "all_reduce by ctypes alone": lambda: raw(node, at, at, 1, 10, 101, None),
    }
    planned = me.persistent().all_reduce(x, "sum")

    def start_and_wait() -> None:
        planned.start()
        planned.wait()

    ways["persistent all_reduce"] = start_and_wait
    return {name: best(f, calls) for name, f in ways.items()}


def main(calls: int = 20000, *nodes: int) -> None:
    teams = nodes or (1,)
    times = [vnode.Team(p).run(measure, calls if p == 1 else calls // 10)[0] for p in teams]
    print(f"{'us':32}" + "".join(f"{p:5} node{'s' if p > 1 else ' '}" for p in teams))
    for name in times[0]:
        print(f"{name:32}" + "".join(f"{1e6 * of[name]:11.3f}" for of in times))
    c = from_c(calls)
    if c is not None:
        print(f"{'all_reduce from C, one node':32}{1e6 * c:11.3f}")
    assert all(seconds > 0 for of in times for seconds in of.values())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
