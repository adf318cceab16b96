/* How nodes that are fibers wake each other. Processor 0 is a carrier with two nodes: one waits for N things of  */
/* each of the others, the other one brings N itself and yields after each; processors 1 to R are carriers whose  */
/* nodes bring N each. A node's sleep ends when it is rung only, so that a lost wake-up is a deadlock; -DLIMITS=n:*/
/* n sleeps may also end since their time is over. -DALL: the others leave it to the carrier to ring; -DMIXED: now */
/* and then.                                                                                                      */
/*                                                                                                                */
/* Nobody may wait for ever, and a node is in its carrier's queue, or on the list of what others have put there,  */
/* once. Mutants: M_NO_SLEEP_FENCE and M_NO_RING_FENCE: without the fence of one side; M_NO_RECHECK: the node     */
/* does not look after it has announced that it sleeps; M_NO_EXCHANGE: who rings does not find out who was first; */
/* M_LATE: who lets a node run whose time is over does not, either; M_RENOUNCE: a node that finds what it waits   */
/* for goes on though somebody has rung, and is in the queue while it runs; of ALL M_RELAXED_ALL; of MIXED        */
/* M_ONE_LOOK: after it has rung all, a carrier takes for granted that one of its nodes can run.                  */
/* of lib/fiber/carrier.hpp: Fiber, CarrierThread */
/* of lib/fiber/carrier.cpp: Fiber::ring, Fiber::let_others_run, Fiber::yield, CarrierThread::put, CarrierThread::do_left, CarrierThread::ring_all, CarrierThread::next_runnable, CarrierThread::wait, CarrierThread::look_at_clock */
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
#define V (P + 3)
#define THINGS(n) (n)
#define ASLEEP P
#define PUT (P + 1)  /* whether the waiting node is on the list that other carriers put nodes on */
#define RING_ALL (P + 2)
#define WANTED (P * N)
#include "memory.pml"
bit queued;  /* the waiting node is in its carrier's queue, of which that carrier alone knows */
byte limits = LIMITS;

inline append() { assert(!queued); queued = 1 }
inline claim(who) {
#ifdef M_NO_EXCHANGE
  store(ASLEEP, 0, relaxed)
#else
  exchange(ASLEEP, 0, who, acq_rel)
#endif
}
inline poll() { sum = 0; load(THINGS(0), x); sum = sum + x; load(THINGS(1), x); sum = sum + x;
#if R > 1
  load(THINGS(2), x); sum = sum + x;
#endif
  x = 0 }

/* What the carrier has to do: the waiting node runs, or the other one. */
active proctype carrier() { byte me = 0, sum, seen, x, a, brought; bit runs = 1, over;
  do
  :: over && brought == N -> break
  /* The waiting node, until it sleeps. */
  :: runs && !over ->
     poll();
     if :: sum == WANTED -> over = 1; runs = 0
        :: sum < WANTED && sum > seen -> seen = sum
        :: else ->
           store(ASLEEP, 1, relaxed);
#ifndef M_NO_SLEEP_FENCE
           fence();
#endif
#ifndef M_NO_RECHECK
           poll();
#endif
           if :: sum > seen ->
#ifdef M_RENOUNCE
                 store(ASLEEP, 0, relaxed)
#else
                 exchange(ASLEEP, 0, x, acq_rel);
                 if :: x == 0 -> runs = 0 :: else fi; x = 0
#endif
              :: else -> runs = 0 fi
     fi; sum = 0
  /* The other one, when the waiting one does not run. */
  :: !runs && brought < N ->
     brought++; store(THINGS(0), brought, release_); load(ASLEEP, a);
     if :: a != 0 -> claim(a); if :: a != 0 -> append() :: else fi
        :: else fi; a = 0
  /* Taking what others have put, and the next one of the queue. */
  :: !runs && !over && mem[PUT] != 0 ->
     exchange(PUT, 0, a, acq_rel); assert(a == 1); a = 0; append()
  :: !runs && !over && mem[RING_ALL] != 0 ->
     exchange(RING_ALL, 0, a, acq_rel);
     load(ASLEEP, a); if :: a != 0 -> exchange(ASLEEP, 0, a, acq_rel); if :: a != 0 -> append() :: else fi :: else fi; a = 0;
#ifdef M_ONE_LOOK
     assert(queued)
#endif
  :: !runs && !over && queued -> queued = 0; runs = 1
  :: !runs && !over && !queued && limits > 0 ->
     limits--; load(ASLEEP, a);
     if :: a != 0 ->
#ifdef M_LATE
           store(ASLEEP, 0, relaxed);
#else
           exchange(ASLEEP, 0, a, acq_rel);
#endif
           if :: a != 0 -> append() :: else fi
        :: else fi; a = 0
  od }
inline ring() {
#ifndef M_NO_RING_FENCE
  fence();
#endif
  load(ASLEEP, a);
  if :: a != 0 ->
        claim(a);
        if :: a != 0 -> fetch_add(PUT, 1, a, acq_rel); assert(a == 0) :: else fi
     :: else fi; a = 0
}
inline ring_all() {
#ifdef M_RELAXED_ALL
  store(RING_ALL, 1, relaxed)
#else
  store(RING_ALL, 1, release_)
#endif
}
active [R] proctype other() { byte me = _pid - 1, k, a;
  do :: k < N -> k++;
        store(THINGS(me), k, release_);
#if defined(MIXED)
        if :: ring() :: ring_all() fi
#elif defined(ALL)
        ring_all()
#else
        ring()
#endif
     :: else -> break od }
