/* The doorbell, as a release build has it, with the loop of a wait around it: processor 0 sleeps, R others ring. */
/* Each brings N things. Sleeps end when they are rung only, or so that a lost wake-up is a deadlock; -DLIMITS=n: */
/* n of them may also end for no reason. -DABORTER: the last ringer aborts the run instead, and the sleeper ends  */
/* for that reason only. -DREFUSED: at some moment the kernel begins to refuse membarrier, so heavy_barrier()     */
/* has to tell the ringers to fence, and waits until stores that were made without have left the processors.      */
/* -DBOTH: sleeper and ringers fence, each for itself. A ringer looks first whether anybody sleeps at all.        */
/*                                                                                                                */
/* Nobody may wait for ever. Mutants: M_NO_MEMBARRIER; M_NO_RECHECK: the sleeper does not look after it has       */
/* announced that it sleeps; M_BARRIER_FIRST: it announces after the barrier; M_LOAD_FIRST: the compiler moves    */
/* the ringer's look before its store; M_NO_EXCHANGE: the ringer wakes and does not say that it has;              */
/* M_NO_TIME, M_NO_OWN_FENCE, M_TOLD_LATE: of REFUSED, without the pause, without the ringers' fence, and with    */
/* the pause before the ringers are told; of BOTH M_NO_OWN_FENCE and M_NO_MEMBARRIER: without the sleeper's;      */
/* M_COUNT_LATE: the sleeper is counted after its barrier.                                                        */
/* of lib/base/doorbell.hpp: light_barrier, Doorbell */
/* of lib/base/doorbell_linux.cpp: heavy_barrier, futex_wait, futex_wake */
/* of lib/watch/waiter.hpp: Waiter::wait_long */
/* of lib/transport/fabric.hpp: Fabric::ring, Fabric::ring_all, Fabric::sleep, Fabric::some_sleep */
/* of lib/transport/fabric.cpp: Fabric::abort, Fabric::ring_each */
#ifndef R
#define R 2
#endif
#ifndef N
#define N 2
#endif
#ifndef LIMITS
#define LIMITS 0
#endif
#define P (R + 1)
#define K 4
#define V (R + 4)
#define ASLEEP 0
#define THINGS(r) (r)
#define ABORTED (R + 1)
#define FENCES (R + 2)  /* frequent_fence: 0 kernel, 1 changing, 2 own */
#define SLEEPERS (R + 3)
#include "memory.pml"
bit queued;  /* the sleeper is in the futex's queue */
byte limits = LIMITS;
#ifdef ABORTER
#define BRINGERS (R - 1)
#define WANTED 200
#else
#define BRINGERS R
#define WANTED (R * N)
#endif
#ifdef REFUSED
#define SLEEPER 2
bit refused;
active proctype filter() { refused = 1 }
#else
#define SLEEPER 1
#endif

inline heavy_barrier() {
#ifdef REFUSED
  load(FENCES, x);
  if :: x == 0 && !refused -> membarrier()
     :: x == 0 && refused ->
#ifdef M_TOLD_LATE
        membarrier(); exchange(FENCES, 1, x, acq_rel);
#else
        exchange(FENCES, 1, x, acq_rel);
#ifndef M_NO_TIME
        membarrier();  /* as good as one: a millisecond */
#endif
#endif
        store(FENCES, 2, release_); fence()
     :: x != 0 -> fence() fi;
  x = 0
#elif defined(BOTH) && !defined(M_NO_MEMBARRIER)
  fence()
#elif !defined(M_NO_MEMBARRIER)
  membarrier()
#else
  skip
#endif
}
inline light_barrier() {
#if defined(REFUSED) && !defined(M_NO_OWN_FENCE)
  load(FENCES, a); if :: a != 0 -> fence() :: else fi
#elif defined(BOTH) && !defined(M_NO_OWN_FENCE)
  fence()
#else
  skip
#endif
}
inline futex_wait() {
  fence();  /* the kernel's own, before it reads the word under the queue's lock */
  atomic { if :: mem[ASLEEP] == 1 -> queued = 1 :: else fi }
  if :: !queued
     :: atomic { queued && limits > 0 -> queued = 0; limits-- } fi }
inline futex_wake() { fence(); queued = 0 }
inline poll() { sum = 0; load(THINGS(1), x); sum = sum + x;
#if BRINGERS > 1
  load(THINGS(2), x); sum = sum + x;
#endif
#if BRINGERS > 2
  load(THINGS(3), x); sum = sum + x;
#endif
  load(ABORTED, stop); x = 0 }
inline ring() {
#ifndef M_LOAD_FIRST
  light_barrier(); load(SLEEPERS, a);
  if :: a != 0 -> light_barrier(); load(ASLEEP, a) :: else fi;
#endif
  if :: a == 0
     :: else ->
#ifdef M_NO_EXCHANGE
        futex_wake()
#else
        exchange(ASLEEP, 0, a, relaxed); if :: a != 0 -> futex_wake() :: else fi
#endif
  fi; a = 0 }

active proctype sleeper() { byte me = 0, seen, sum, x, stop;
  do
  :: poll(); if :: stop || sum == WANTED -> break :: else fi;
     if :: sum > seen -> seen = sum
        :: else ->
#ifdef M_BARRIER_FIRST
           fetch_add(SLEEPERS, 1, x, acq_rel); x = 0; heavy_barrier(); store(ASLEEP, 1, relaxed);
#else
#ifndef M_COUNT_LATE
           fetch_add(SLEEPERS, 1, x, acq_rel); x = 0;
#endif
           store(ASLEEP, 1, relaxed); heavy_barrier();
#ifdef M_COUNT_LATE
           fetch_add(SLEEPERS, 1, x, acq_rel); x = 0;
#endif
#endif
#ifndef M_NO_RECHECK
           poll();
#endif
           if :: !stop && sum <= seen -> futex_wait() :: else fi;
           exchange(ASLEEP, 0, x, acq_rel); fetch_add(SLEEPERS, 255, x, acq_rel)
     fi; x = 0; sum = 0
  od }
active [R] proctype ringer() { byte me = _pid - SLEEPER, k, a;
#ifdef ABORTER
  if :: me == R -> store(ABORTED, 1, release_); ring(); goto over :: else fi;
#endif
  do :: k < N -> k++;
#ifdef M_LOAD_FIRST
        load(ASLEEP, a);
#endif
        store(THINGS(me), k, release_); ring()
     :: else -> break od;
over: skip }
