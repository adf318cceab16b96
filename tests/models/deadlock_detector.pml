/* A deadlock: N nodes, each of which takes S steps: it sends to another, it waits for another, or it does that  */
/* and passes something on before it goes on waiting, and at any time it may come to the end of its part. Who     */
/* waits may be counted at any time, and confirms when it is asked. Nobody finds or sends anything once the       */
/* deadlock was certain, and where all wait for ever it becomes so: no state is a dead end.                       */
/*                                                                                                                */
/* Mutants: M_NO_LOOK: a node confirms without looking again; M_LOOK_FIRST: it looks before it knows the epoch;   */
/* M_CONFIRM_FIRST: it looks after it has confirmed; M_NO_EPOCH: it confirms whatever the epoch is by then;       */
/* M_NO_PROGRESS: it does not ask itself what it has done since it was counted; M_KEEPS_CONFIRMED: a new epoch    */
/* begins with the confirmations of the one before; M_NO_END: a node that goes on stays counted; M_LEFT_LATE: how */
/* many have left is read after the confirmation; M_NO_LEAVE: who has left is not counted; M_RELAXED_COUNT.       */
/* of lib/record/deadlock_detector.hpp: DeadlockDetector */
/* of lib/record/deadlock_detector.cpp: DeadlockDetector::count, DeadlockDetector::confirm */
/* of lib/watch/deadlock_vote.hpp: DeadlockVote */
/* of lib/watch/deadlock_vote.cpp: DeadlockVote::begin, DeadlockVote::end, DeadlockVote::confirm */
/* of lib/watch/waiter.hpp: Waiter::wait_long */
#ifndef N
#define N 3
#endif
#ifndef S
#define S 2
#endif
#define P N
#define K 4
#define V (N * N + 1)
#define SENT(from, to) ((from) * N + (to))
#define LEFT (N * N)
#include "memory.pml"
#ifdef M_RELAXED_COUNT
#define COUNTS relaxed
#else
#define COUNTS acq_rel
#endif

/* The word, which nobody changes but by read-modify-writes: its three parts. */
byte epoch = 1, counted, confirmed;
bit certain;

inline count(change) { atomic { may_modify(LEFT, COUNTS) -> d_step { counted = counted + change; epoch++;
#ifndef M_KEEPS_CONFIRMED
  confirmed = 0
#endif
} } }
inline send() {
  if :: peer = (me + 1) % N
#if N > 2
     :: peer = (me + 2) % N
#endif
  fi;
  assert(!certain);
  sent[peer]++; store(SENT(me, peer), sent[peer], release_); peer = 0 }
/* True, in `found`: there is what it waits for. What is to be passed on before that is passed on. */
inline poll() { load(SENT(from, me), x); found = 0;
  if :: x > taken[from] && passes -> assert(!certain); taken[from]++; passes = 0; done++; send()
     :: x > taken[from] && !passes -> assert(!certain); taken[from]++; found = 1
     :: x == taken[from] fi; x = 0 }

inline choose_peer(it) {
  if :: it = (me + 1) % N
#if N > 2
     :: it = (me + 2) % N
#endif
  fi }

active [N] proctype node() { byte me = _pid - 1, step, from, peer, x, seen, left, confirmed_in, done, done_before;
  byte sent[N], taken[N];
  bit is_counted, passes, found;
  do
  :: atomic { step < S -> step++; send() }
  :: atomic { step < S -> step++; choose_peer(from); if :: passes = 0 :: passes = 1 fi };
     do
     :: atomic { certain -> goto over }
     :: atomic { mem[SENT(from, me)] > taken[from] -> poll(); if :: found -> break :: else fi }
     :: atomic { !is_counted -> done_before = done; is_counted = 1 }; count(1)
     :: atomic { is_counted && counted == N && confirmed_in != epoch ->
#ifdef M_LOOK_FIRST
          poll() }; atomic { if :: counted != N -> goto again :: else fi;
#endif
          seen = epoch };
#if !defined(M_NO_LOOK) && !defined(M_LOOK_FIRST) && !defined(M_CONFIRM_FIRST)
        atomic { poll(); if :: found -> break :: else fi };
#endif
#ifdef M_LOOK_FIRST
        if :: found -> break :: else fi;
#endif
#ifndef M_NO_PROGRESS
        if :: atomic { done != done_before -> is_counted = 0; confirmed_in = 0 }; count(-1); goto again :: else fi;
#endif
#ifndef M_LEFT_LATE
        load(LEFT, left);
#endif
        atomic { may_modify(LEFT, acq_rel); confirmed_in = seen;
#ifndef M_NO_EPOCH
          if :: epoch != seen -> goto again :: else fi;
#endif
          confirmed++; x = confirmed };
#ifdef M_LEFT_LATE
        load(LEFT, left);
#endif
        atomic { if :: x == N - left -> certain = 1 :: else fi; x = 0 };
#ifdef M_CONFIRM_FIRST
        atomic { poll(); if :: found -> break :: else fi };
#endif
again:  atomic { seen = 0; left = 0 }
     od;
     atomic { from = 0; found = 0; seen = 0; left = 0; confirmed_in = 0; done_before = 0; done = 0 };
#ifndef M_NO_END
     if :: is_counted -> count(-1) :: else fi;
#endif
     is_counted = 0
  :: break
  od;
#ifndef M_NO_LEAVE
  fetch_add(LEFT, 1, x, release_); x = 0; count(1);
#endif
over: skip }
