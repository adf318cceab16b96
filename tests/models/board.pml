/* Boards: O owners, processors 0 to O - 1, and the other processors of three as readers. A board has 2 slots;    */
/* what an owner publishes at point k, if anything, is in slot k % 2 and for one reader or several. Some carry    */
/* their payload; the others announce SOURCE, memory of the owner's, which is written anew only when it has been  */
/* read. Every reader has one word for all owners, READ: up to which point it has read all that it had to read.   */
/* Readers lag by 3 at most.                                                                                      */
/*                                                                                                                */
/* Who reads a publication reads that one and no other, and its payload is whole. Nobody waits for ever. Mutants: */
/* M_NO_VACANT: the owner does not wait for a slot's readers; M_ONE_READER: it waits for one of them; M_OF_NOW:   */
/* it waits for those of the new publication; M_STAMP_EARLY, M_RELAXED_STAMP: the stamp is not the last to be     */
/* seen; M_READ_EARLY: a reader says that it has read before it has; M_FIRST_OF_POINT: it says so after the first */
/* of two owners; M_ANY_ORDER: it may read at a later point first, of calls in flight.                            */
/* of lib/channel/board.hpp: Board */
/* of lib/execute/execution.cpp: Execution::publish, Execution::take, Execution::gather */
/* of lib/execute/execution.cpp: Execution::may_tell, Execution::tell_read */
/* of lib/execute/short_program.cpp: ShortProgram::show, ShortProgram::tell_read */
#ifndef N
#define N 4
#endif
#ifndef O
#define O 1
#endif
#define P 3
#define K 4
#define OWN 7
#define STAMP(o, k) (OWN * (o) + ((k) & 1))
#define ABOUT(o, k) (OWN * (o) + 2 + ((k) & 1))
#define PAYLOAD(o, k) (OWN * (o) + 4 + ((k) & 1))
#define SOURCE(o) (OWN * (o) + 6)
#define READ(r) (OWN * O + (r) - O)
#define V (OWN * O + 3 - O)
#include "memory.pml"
byte readers[4 * O];      /* by owner and k % 4: a bit for each reader */
bit announced[4 * O];     /* by owner and k % 4: it names SOURCE */
byte chosen[O], at[3];    /* the newest of the two above; where the readers are */
#define readers_(o, k) readers[4 * (o) + ((k) & 3)]
#define is_announced(o, k) announced[4 * (o) + ((k) & 3)]
#define FIRST 1           /* the bits of the readers */
#define SECOND 2
#define bit_(r) (1 << ((r) - O))
#define about_(o, k) (readers_(o, k) + 4 * is_announced(o, k))
#ifdef M_RELAXED_STAMP
#define STAMPED relaxed
#else
#define STAMPED release_
#endif
/* All these readers have read up to point k. */
#if O == 2
#define have_read(who, k) (!((who) & FIRST) || mem[READ(O)] >= k)
#define lags(k) (at[2] + 3 < k)
#define all_chosen(k) (chosen[0] >= k && chosen[1] >= k)
#else
#define have_read(who, k) ((!((who) & FIRST) || mem[READ(O)] >= k) && (!((who) & SECOND) || mem[READ(O + 1)] >= k))
#define lags(k) (at[1] + 3 < k || at[2] + 3 < k)
#define all_chosen(k) (chosen[0] >= k)
#endif

active [O] proctype owner() { byte me = _pid - 1, k, last, of_last, in_slot[2], of_slot[2];
  do
  :: k < N -> !lags(k);
     atomic { k++;
#if O == 2
              if :: readers_(me, k) = FIRST :: readers_(me, k) = 0 fi;
#else
              if :: readers_(me, k) = FIRST :: readers_(me, k) = SECOND :: readers_(me, k) = FIRST | SECOND fi;
#endif
              if :: is_announced(me, k) = 0 :: is_announced(me, k) = 1 fi; chosen[me] = k };
     if
     :: readers_(me, k) ->
        if :: is_announced(me, k) -> have_read(of_last, last); store(SOURCE(me), k, relaxed);
              last = k; of_last = readers_(me, k)
           :: else fi;
#ifdef M_OF_NOW
        have_read(readers_(me, k), in_slot[k & 1]);
#elif defined(M_ONE_READER)
        have_read(of_slot[k & 1] & FIRST, in_slot[k & 1]);
#elif !defined(M_NO_VACANT)
        have_read(of_slot[k & 1], in_slot[k & 1]);
#endif
        d_step { in_slot[k & 1] = k; of_slot[k & 1] = readers_(me, k) }
#ifdef M_STAMP_EARLY
        store(STAMP(me, k), k, release_);
#endif
        store(ABOUT(me, k), about_(me, k), relaxed);
        if :: !is_announced(me, k) -> store(PAYLOAD(me, k), k, relaxed) :: else fi;
#ifndef M_STAMP_EARLY
        store(STAMP(me, k), k, STAMPED)
#endif
     :: else fi
  :: else -> break od }

inline read_of(o_, k_) {
  if :: readers_(o_, k_) & bit_(me) ->
        mem[STAMP(o_, k_)] == k_;
        load(ABOUT(o_, k_), about); assert(about == about_(o_, k_));
#ifdef M_READ_EARLY
        store(READ(me), k_, release_);
#endif
        if :: about & 4 -> load(SOURCE(o_), payload) :: else -> load(PAYLOAD(o_, k_), payload) fi;
        assert(payload == k_);
        has_read = 1; about = 0; payload = 0
#ifdef M_FIRST_OF_POINT
        ; store(READ(me), k_, release_)
#endif
     :: else fi }
inline read_at(k_) {
  read_of(0, k_);
#if O == 2
  read_of(1, k_);
#endif
  if :: has_read -> store(READ(me), k_, release_); has_read = 0 :: else fi }
active [3 - O] proctype reader() { byte me = _pid - 1, k, about, payload; bit has_read;
  do
  :: k < N -> all_chosen(k + 1); atomic { k++; at[me] = k }; read_at(k)
#ifdef M_ANY_ORDER
  :: k + 1 < N -> all_chosen(k + 2); atomic { k = k + 2; at[me] = k - 2 }; read_at(k); read_at(k - 1); at[me] = k
#endif
  :: else -> break od }
