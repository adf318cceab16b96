/* The end of a run that has failed: Fabric's abort, enter, leave and quiesce. 3 nodes touch a peer's memory, by  */
/* a load and a store, T times each. Nodes 0 and 1 may fail at any time in between, and node 2 sees that others   */
/* have. Who fails or sees it aborts, quiesces, and frees its memory. Nobody reaches memory that has been freed.  */
/* -DNESTED: a node may abort and quiesce while it is inside, in an operator, and goes on then.                   */
/*                                                                                                                */
/* Mutants: M_NO_MEMBARRIER; M_LOOK_FIRST: a node looks for the abort before it says that it is inside;           */
/* M_LEAVE_EARLY, M_RELAXED_LEAVE: it says that it is outside before it is; M_LOOKS_AT_ONE: it quiesces for one   */
/* peer only; M_NO_GUARD: it touches without entering; M_WAITS_INSIDE: in an operator it waits for operators,     */
/* too; M_FREES_BESIDE: outside it does not wait for those that wait inside.                                      */
/* of lib/transport/fabric.hpp: Fabric::aborted, Fabric::leave, Guard */
/* of lib/transport/fabric.cpp: Fabric::enter, Fabric::abort, Fabric::quiesce, Guard::Guard */
/* of lib/engine/engine.cpp: Engine::fail */
/* of lib/transport/endpoint.cpp: Endpoint::quiesce */
#ifndef T
#define T 1
#endif
#define P 3
#define K 4
#define V 7
#define INSIDE(n) (n)
#define ABORTED 3
#define DATA(n) (4 + (n))
bit freed[3];
#define ON_DRAIN(w, x) assert(!(w >= 4 && freed[w - 4]))
#include "memory.pml"
#ifdef M_RELAXED_LEAVE
#define LEFT relaxed
#else
#define LEFT release_
#endif

#ifdef M_FREES_BESIDE
#define OUT(n) (me == n || mem[INSIDE(n)] != 1)
#else
#define OUT(n) (me == n || mem[INSIDE(n)] == 0)
#endif
#ifdef M_WAITS_INSIDE
#define OUT_INSIDE(n) (me == n || mem[INSIDE(n)] == 0)
#else
#define OUT_INSIDE(n) (me == n || mem[INSIDE(n)] != 1)
#endif

active [3] proctype node() { byte me = _pid - 1, touched, aborted, peer; bit nested;
  do
  :: touched < T -> touched++; if :: peer = (me + 1) % 3 :: peer = (me + 2) % 3 fi;
#ifdef M_NO_GUARD
#elif defined(M_LOOK_FIRST)
     load(ABORTED, aborted); store(INSIDE(me), 1, relaxed);
#else
     store(INSIDE(me), 1, relaxed); load(ABORTED, aborted);
#endif
     if :: aborted -> store(INSIDE(me), 0, release_); goto fail :: else fi;
#ifdef M_LEAVE_EARLY
     store(INSIDE(me), 0, LEFT);
#endif
#ifdef NESTED
     if
     :: me < 2 -> store(ABORTED, 1, release_); membarrier(); store(INSIDE(me), 2, release_);
        OUT_INSIDE(0); OUT_INSIDE(1); OUT_INSIDE(2); store(INSIDE(me), 1, release_); nested = 1
     :: true
     fi;
#endif
     assert(!freed[peer]);
     store(DATA(peer), touched, relaxed);
#ifndef M_LEAVE_EARLY
     store(INSIDE(me), 0, LEFT);
#endif
     if :: nested -> goto fail :: else fi
  :: me < 2 -> goto fail
  :: touched == T -> break
  od;
end: mem[ABORTED] == 1;  /* it waits for what does not come, or the run has ended well */
fail:
  store(ABORTED, 1, release_);
#ifndef M_NO_MEMBARRIER
  membarrier();
#endif
#ifdef M_LOOKS_AT_ONE
  mem[INSIDE((me + 1) % 3)] == 0;
#else
  OUT(0); OUT(1); OUT(2);
#endif
  freed[me] = 1 }
