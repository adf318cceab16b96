/* How nodes that are fibers wake each other. Processor 0 is a carrier with two nodes: one waits for N things of  */
/* each of the others, the other one brings N itself and yields after each; processors 1 to R are carriers whose  */
/* nodes bring N each. A node's sleep ends when it is rung only, so that a lost wake-up is a deadlock; -DLIMITS=n:*/
/* n sleeps may also end since their time is over. -DALL: the others have the carrier ring all; -DMIXED: now and  */
/* then.                                                                                                          */
/*                                                                                                                */
/* Nobody may wait for ever, and a node is in its carrier's queue once, and not while it runs. Mutants:           */
/* M_LET_RUN: the other one runs between the waiting node's look and its sleep; M_WAKE_ANY: a node is put into    */
/* the queue whether it sleeps or not; M_NOTE_FIRST: who rings says that there is a note before it writes the     */
/* note; M_NOTE_LAST: the carrier forgets that there are notes after it has taken them; M_RELAXED: what is        */
/* brought may come later than the ring; of MIXED M_ALL_ONLY: a carrier that rings all leaves the notes.          */
/* of lib/fiber/carrier.hpp: Fiber, CarrierThread */
/* of lib/fiber/carrier.cpp: Fiber::ring, Fiber::sleep, Fiber::yield, CarrierThread::leave, CarrierThread::do_left, CarrierThread::ring_all, CarrierThread::next_runnable, CarrierThread::wait, CarrierThread::look_at_clock */
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
#define RUNG P        /* whether others have noted that they ring the waiting node */
#define SOME (P + 1)  /* how often others have noted something there, and how often they have rung all: left_ */
#define ALL_ (P + 2)
#define WANTED (P * N)
#ifdef M_RELAXED
#define passing_on relaxed
#else
#define passing_on acq_rel
#endif
#include "memory.pml"
/* Of these the carrier alone knows. */
bit asleep, queued, runs = 1;
byte limits = LIMITS;

inline wake() {
  if
#ifndef M_WAKE_ANY
  :: !asleep
#endif
  :: asleep -> asleep = 0; assert(!queued && !runs); queued = 1
#ifdef M_WAKE_ANY
  :: !asleep -> assert(!queued && !runs); queued = 1
#endif
  fi }
inline bring() { brought++; store(THINGS(0), brought, release_); wake() }
inline poll() { sum = 0; load(THINGS(0), x); sum = sum + x; load(THINGS(1), x); sum = sum + x;
#if R > 1
  load(THINGS(2), x); sum = sum + x;
#endif
  x = 0 }
inline take_notes() { exchange(RUNG, 0, a, acq_rel); if :: a != 0 -> wake() :: else fi }

/* What the carrier has to do: the waiting node runs, or the other one. */
active proctype carrier() { byte me = 0, sum, seen, x, a, b, some, all, brought; bit over;
  do
  :: over && brought == N -> break
  /* The waiting node, until it sleeps. */
  :: runs && !over ->
     poll();
     if :: sum == WANTED -> over = 1; runs = 0
        :: sum < WANTED && sum > seen -> seen = sum
        :: else ->
#ifdef M_LET_RUN
           if :: brought < N -> bring() :: true fi;
#endif
           asleep = 1; runs = 0
     fi; sum = 0
  /* The other one, when the waiting one does not run. */
  :: !runs && brought < N -> bring()
  /* Taking what others have left, and the next one of the queue. */
  :: !runs && !over && (mem[SOME] != some || mem[ALL_] != all) ->
#ifdef M_NOTE_LAST
     take_notes();
#endif
     d_step { a = (mem[ALL_] != all); b = (mem[SOME] != some); all = mem[ALL_]; some = mem[SOME] }
     if :: a != 0 -> wake() :: else fi;
#ifndef M_NOTE_LAST
#ifdef M_ALL_ONLY
     if :: a != 0 -> b = 0 :: else fi;
#endif
     if :: b != 0 -> take_notes() :: else fi;
#endif
     a = 0; b = 0
  :: !runs && !over && queued -> queued = 0; runs = 1
  :: !runs && !over && !queued && limits > 0 -> limits--; wake()
  od }
inline ring() {
#ifdef M_NOTE_FIRST
  fetch_add(SOME, 1, a, acq_rel);
#endif
  exchange(RUNG, 1, a, passing_on);
  if :: a != 0  /* another one has left it */
     :: else ->
#ifndef M_NOTE_FIRST
        fetch_add(SOME, 1, a, acq_rel)
#endif
  fi; a = 0
}
inline ring_all() { fetch_add(ALL_, 1, a, passing_on); a = 0 }
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
