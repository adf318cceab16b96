/* A board: its owner, processor 0, and two readers. It has 2 slots; publication k is in slot k % 2 and is for one */
/* reader or both. Some carry their payload; the others announce SOURCE, memory of the owner's, which is written  */
/* anew only after taken(). Counts of takers are modulo 4, so that they wrap. Readers lag by 3 at most.           */
/*                                                                                                                */
/* Who reads a publication reads that one and no other, and its payload is whole. Nobody waits for ever. Mutants: */
/* M_NO_VACANT: the owner does not wait for a slot's readers; M_STAMP_EARLY, M_RELAXED_STAMP: the stamp is not    */
/* the last to be seen; M_TAKE_EARLY: a reader says that it is done before it is; M_LONE_STAYS: the owner goes on */
/* expecting a single reader; M_COUNTS_LONE: it counts that one too; M_COUNT_MODULO_2: a count that is too        */
/* narrow.                                                                                                        */
/* of lib/channel/board.hpp: Board */
/* of lib/execute/execution.cpp: Execution::publish, Execution::take, Execution::gather */
#ifndef N
#define N 4
#endif
#define P 3
#define K 4
#define V 11
#define STAMP(k) ((k) & 1)
#define ABOUT(k) (2 + ((k) & 1))
#define PAYLOAD(k) (4 + ((k) & 1))
#define LONE(k) (6 + ((k) & 1))
#define COUNT(k) (8 + ((k) & 1))
#define SOURCE 10
#include "memory.pml"
byte for_whom[4];         /* by k % 4: 1 the first reader, 2 the second, 3 both */
bit announced[4];         /* by k % 4: it names SOURCE */
byte chosen, at[3];       /* the newest of the two above; where the readers are */
byte lone[2], count[2];   /* the owner's own: Expected */
#define is_for(k) for_whom[(k) & 3]
#define is_announced(k) announced[(k) & 3]
#define about_(k) ((is_for(k) != 3) + 2 * is_announced(k))
#ifdef M_COUNT_MODULO_2
#define COUNT_MASK 1
#else
#define COUNT_MASK 3
#endif
#ifdef M_RELAXED_STAMP
#define STAMPED relaxed
#else
#define STAMPED release_
#endif
/* What the owner itself has stored last, be it still in its buffer. */
#define stamps_(i, k) (buffer[0].n > i && buffer[0].word[i] == STAMP(k) && buffer[0].value[i] == k)
#define shows(k) (mem[STAMP(k)] == k || stamps_(0, k) || stamps_(1, k) || stamps_(2, k) || stamps_(3, k))
#define vacant(k) ((lone[(k) & 1] != 0 && mem[LONE(k)] == lone[(k) & 1]) || \
                   (lone[(k) & 1] == 0 && mem[COUNT(k)] == count[(k) & 1]))
#define taken(k) (!shows(k) || vacant(k))

active proctype owner() { byte me = 0, k, last;
  do
  :: k < N -> (at[1] + 3 >= k && at[2] + 3 >= k);
     atomic { k++; if :: is_for(k) = 1 :: is_for(k) = 2 :: is_for(k) = 3 fi;
              if :: is_announced(k) = 0 :: is_announced(k) = 1 fi; chosen = k };
     if :: is_announced(k) -> if :: last != 0 -> taken(last) :: else fi; store(SOURCE, k, relaxed); last = k
        :: else fi;
#ifndef M_NO_VACANT
     vacant(k);
#endif
     d_step {
       if :: is_for(k) != 3 -> lone[k & 1] = k
#ifdef M_COUNTS_LONE
             ; count[k & 1] = (count[k & 1] + 1) & COUNT_MASK
#endif
          :: else ->
#ifndef M_LONE_STAYS
             lone[k & 1] = 0;
#endif
             count[k & 1] = (count[k & 1] + 2) & COUNT_MASK fi }
#ifdef M_STAMP_EARLY
     store(STAMP(k), k, release_);
#endif
     store(ABOUT(k), about_(k), relaxed);
     if :: !is_announced(k) -> store(PAYLOAD(k), k, relaxed) :: else fi;
#ifndef M_STAMP_EARLY
     store(STAMP(k), k, STAMPED)
#endif
  :: else -> break od }

inline take() {
  if :: about & 1 -> store(LONE(k), k, release_)
     :: else -> atomic { may_modify(COUNT(k), acq_rel) -> mem[COUNT(k)] = (mem[COUNT(k)] + 1) & COUNT_MASK } fi }
active [2] proctype reader() { byte me = _pid - 1, k, about, payload;
  do
  :: k < N -> chosen > k; atomic { k++; at[me] = k };
     if :: is_for(k) & me ->
           mem[STAMP(k)] == k;
           load(ABOUT(k), about); assert(about == about_(k));
#ifdef M_TAKE_EARLY
           take();
#endif
           if :: about & 2 -> load(SOURCE, payload) :: else -> load(PAYLOAD(k), payload) fi;
           assert(payload == k);
#ifndef M_TAKE_EARLY
           take();
#endif
           about = 0; payload = 0
        :: else fi
  :: else -> break od }
