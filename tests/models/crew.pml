/* The crew of a team: the caller of run() and W workers, each with a doorbell; RUNS runs, and the end. Sleeps    */
/* end when they are rung only, so that a lost wake-up is a deadlock. A worker sees the job of this run, the      */
/* caller sees what the workers have done, and nobody rings a bell that is gone. Nobody waits for ever.           */
/*                                                                                                                */
/* Mutants: M_NO_MEMBARRIER; M_BUSY_LATE: workers are counted after the run is announced; M_RELAXED_RUN;          */
/* M_RELAXED_FINISH; M_NO_LAST_RING: the last to finish does not wake the caller; M_NO_JOIN: the bells go before  */
/* the workers have ended; M_NOT_PREPARED: the first run does not wait until all have started.                    */
/* of lib/team/launch.cpp: Crew::Crew, Crew::dismiss, Crew::run, Crew::work, Crew::wait */
/* of lib/team/launch.hpp: look_out */
/* of lib/base/doorbell.hpp: Doorbell */
#ifndef W
#define W 2
#endif
#ifndef RUNS
#define RUNS 2
#endif
#define P (W + 1)
#define K 4
#define V (3 * W + 6)
#define ASLEEP(seat) (seat)  /* 0: the caller's */
#define RUN (W + 1)
#define BUSY (W + 2)
#define OVER (W + 3)
#define JOB (W + 4)
#define DONE(worker) (W + 4 + (worker))
#include "memory.pml"
bit queued[P], begun, gone, ended[P];
#ifdef M_NO_MEMBARRIER
#define BARRIER
#else
#define BARRIER membarrier();
#endif
#ifdef M_RELAXED_RUN
#define ANNOUNCED relaxed
#else
#define ANNOUNCED release_
#endif
#ifdef M_RELAXED_FINISH
#define FINISHED relaxed
#else
#define FINISHED acq_rel
#endif
/* Doorbell::sleep(ready) */
#define sleep(ready) store(ASLEEP(me), 1, relaxed); BARRIER \
  if :: ready \
     :: else -> fence(); atomic { if :: mem[ASLEEP(me)] == 1 -> queued[me] = 1 :: else fi }; !queued[me] fi; \
  exchange(ASLEEP(me), 0, old, acq_rel); old = 0
#define wait(ready) do :: ready -> break :: else -> sleep(ready) od
inline ring(seat) { assert(!gone); load(ASLEEP(seat), asleep);
  if :: asleep == 0
     :: else -> assert(!gone); exchange(ASLEEP(seat), 0, asleep, relaxed);
                if :: asleep != 0 -> fence(); queued[seat] = 0 :: else fi fi; asleep = 0 }
inline ring_workers() { worker = 1; do :: worker <= W -> ring(worker); worker++ :: else -> break od; worker = 0 }
inline finish() { fetch_add(BUSY, 255, old, FINISHED);
#ifndef M_NO_LAST_RING
  if :: old == 1 -> ring(0) :: else fi;
#endif
  old = 0 }
#define all_done (mem[BUSY] == 0)

active proctype caller() { byte me = 0, asleep, old, current, worker;
  atomic { mem[BUSY] = W; begun = 1 }
#ifndef M_NOT_PREPARED
  wait(all_done);
#endif
  do
  :: current < RUNS -> current++;
     store(JOB, current, relaxed);
#ifdef M_BUSY_LATE
     fetch_add(RUN, 1, old, ANNOUNCED); store(BUSY, W, relaxed);
#else
     store(BUSY, W, relaxed); fetch_add(RUN, 1, old, ANNOUNCED);
#endif
     old = 0; ring_workers();
     wait(all_done);
     worker = 1;
     do :: worker <= W -> load(DONE(worker), old); assert(old == current); worker++ :: else -> break od;
     worker = 0; old = 0
  :: else -> break od;
  store(OVER, 1, relaxed); fetch_add(RUN, 1, old, release_); old = 0;
  worker = 0; do :: worker <= W -> ring(worker); worker++ :: else -> break od; worker = 0;
#ifndef M_NO_JOIN
  worker = 1; do :: worker <= W -> ended[worker]; worker++ :: else -> break od; worker = 0;
#endif
  gone = 1 }
active [W] proctype worker_() { byte me = _pid - 1, asleep, old, seen;
  begun; finish();
  do
  :: wait(mem[RUN] != seen); seen++;
     load(OVER, old); if :: old -> break :: else fi;
     load(JOB, old); assert(old == seen); old = 0;
     store(DONE(me), seen, relaxed);
     finish()
  od;
  ended[me] = 1 }
