/* A central barrier, as Execution uses it: 3 nodes meet in C calls that follow each other. -DGROUPS: nodes 0 and */
/* 1 in a group, 1 and 2 in another, each with a barrier of its own. -DIN_FLIGHT: 2 nodes start two calls, whose  */
/* meetings are at the same barrier, and advance both in turns; the first has a round of messages before its      */
/* meeting. -DCARRIED: nodes 0 and 1 run on one processor, and one of them arrives for both. -DOPENED: between     */
/* two meetings all read each other's memory, as in a complete exchange; after the second they write it again.    */
/* -DBROUGHT: on two processors, 0 and 1 on one, who comes last takes in what nodes bring, on its processor and   */
/* of all, and all read what has come of it when they are released. -DGATHERED: what each processor has brought   */
/* is read by all, at two places in turn.                                                                         */
/* Who is released has to see what all did before they came, and that all have come.                              */
/*                                                                                                                */
/* Mutants: M_RELEASE_FIRST: the last releases before it has cleared the count; M_SAME_TOKEN: calls share one;    */
/* M_RELAXED_ARRIVE; M_RELAXED_RELEASE; M_ANY_ORDER: a node comes to a meeting before it has seen the end of      */
/* those of earlier calls; M_FIRST_ARRIVES: of CARRIED, the first of a carrier arrives for all, not the last.     */
/* Of OPENED: M_LEAVES: a node goes on when it has read; M_READS_AT_ONCE: it reads what is opened, met or not.     */
/* Of BROUGHT: M_PART_LATE, M_RESULT_LATE: it is written when the processor has arrived, or all are released;     */
/* M_TAKES_LATE: a node reads what has come of a call when it has come to the next one; M_ONE_PLACE: of GATHERED. */
/* of lib/channel/context.hpp: CentralBarrier, Arrival, Brought, Context::arrival */
/* of lib/execute/short_program.hpp: ShortProgram::arrive */
/* of lib/execute/execution.hpp: Execution::meeting */
/* of lib/execute/execution.cpp: Execution::arrive, Execution::attempt */
/* of lib/compile/meetings.cpp: make_program */
/* of lib/execute/meeting.hpp: open, opened */
/* of lib/execute/meeting.cpp: bring, take, Execution::open, Execution::bring, Execution::read_all */
/* of lib/execute/short_program.cpp: ShortProgram::bring */
/* of lib/call/member.hpp: Member::begin */
#ifndef C
#define C 4
#endif
#define P 3
#define K 4
#define V 14
#define ARRIVALS(g) (g)
#define RELEASED(g) (2 + (g))
#define DATA(n) (4 + (n))  /* the newest call that node n has come to */
#define MESSAGE(n) (7 + (n))
#define PART(p, turn) (9 + (p) + 2 * PLACE(turn))  /* what the nodes of a processor have brought */
#define RESULT 13
#include "memory.pml"
#ifdef M_RELAXED_ARRIVE
#define ARRIVE relaxed
#else
#define ARRIVE acq_rel
#endif
#ifdef M_RELAXED_RELEASE
#define RELEASE relaxed
#else
#define RELEASE release_
#endif
#ifdef M_SAME_TOKEN
#define token(call) 1
#else
#define token(call) (call)
#endif
inline arrive(g, nodes, call) {
  fetch_add(ARRIVALS(g), 1, count, ARRIVE);
  if :: count + 1 == nodes ->
#ifdef M_RELEASE_FIRST
        store(RELEASED(g), token(call), RELEASE); store(ARRIVALS(g), 0, relaxed)
#else
        store(ARRIVALS(g), 0, relaxed); store(RELEASED(g), token(call), RELEASE)
#endif
     :: else fi; count = 0 }
#define released(g, call) (mem[RELEASED(g)] == token(call))
inline meet(g, nodes, call) { store(DATA(me), call, relaxed); arrive(g, nodes, call); released(g, call) }
inline has_come(node, call) { load(DATA(node), seen); assert(seen >= call); seen = 0 }

#if defined(IN_FLIGHT)
/* Of each call: 0 its messages are on their way, 1 it comes to its meeting, 2 it is to be released, 3 done. */
inline both_came(call) { load(DATA(other), seen); assert((seen >> call) & 1); seen = 0 }
#define FIRST 0
#define SECOND 1
#ifdef M_ANY_ORDER
#define MEETING 0
#else
#define MEETING 1  /* the second call's, counted over all */
#endif
active [2] proctype node() { byte me = _pid - 1, other, met, count, seen, call, bits; byte stage[2]; bit sent;
  other = 1 - me;
  stage[SECOND] = 1;
  do
  :: stage[FIRST] == 3 && stage[SECOND] == 3 -> break
  :: !sent -> store(MESSAGE(me), 1, release_); sent = 1
  :: sent && stage[FIRST] == 0 && mem[MESSAGE(other)] == 1 -> stage[FIRST] = 1
  :: stage[FIRST] == 1 -> call = FIRST; goto come
  :: stage[SECOND] == 1 && met >= MEETING -> call = SECOND;
come: bits = bits | (1 << call); store(DATA(me), bits, relaxed); arrive(0, 2, call + 1);
     stage[call] = 2
  :: stage[FIRST] == 2 && released(0, 1) -> met++; stage[FIRST] = 3; both_came(FIRST)
  :: stage[SECOND] == 2 && released(0, 2) -> met++; stage[SECOND] = 3; both_came(SECOND)
  od }
#elif defined(CARRIED)
byte carried;  /* known to the thread of nodes 0 and 1 only */
#ifdef M_FIRST_ARRIVES
#define ARRIVES 1
#else
#define ARRIVES 2
#endif
active [3] proctype node() { byte own = _pid - 1, me = (_pid - 1) / 2, call, count, seen; bit arrives;
  do
  :: call < C -> call++; store(DATA(own), call, relaxed);
     if :: own == 2 -> arrives = 1
        :: else -> d_step { carried++; arrives = (carried == ARRIVES); carried = (carried == 2 -> 0 : carried) } fi;
     if :: arrives -> arrive(0, 2, call); arrives = 0 :: else fi;
     released(0, call); has_come(0, call); has_come(1, call); has_come(2, call)
  :: else -> break od }
#elif defined(BROUGHT) || defined(GATHERED)
#if defined(GATHERED) && !defined(M_ONE_PLACE)
#define PLACE(turn) ((turn) & 1)
#else
#define PLACE(turn) 0
#endif
#ifdef GATHERED
#define TURNS 3
#define take(turn) see(PART(0, turn), turn); see(PART(1, turn), turn)
#else
#define TURNS 2
#define take(turn) see(RESULT, turn)
#endif
byte carried;  /* known to the thread of nodes 0 and 1 only */
/* What a node brings, and what comes of it, is the number of the turn. */
inline see(word, what) { load(word, seen); assert(seen == what); seen = 0 }
active [3] proctype node() { byte own = _pid - 1, me = (_pid - 1) / 2, turn, count, seen; bit last;
  do
  :: turn < TURNS -> turn++; store(DATA(own), turn, relaxed);
     if :: own == 2 -> last = 1
        :: else -> d_step { carried++; last = (carried == 2); carried = (carried == 2 -> 0 : carried) } fi;
#ifdef M_TAKES_LATE
     if :: turn > 1 && !last -> take(turn - 1) :: else fi;
#endif
     if :: last ->
        if :: own == 2 -> see(DATA(2), turn) :: else -> see(DATA(0), turn); see(DATA(1), turn) fi;
#ifndef M_PART_LATE
        store(PART(me, turn), turn, relaxed);
#endif
        fetch_add(ARRIVALS(0), 1, count, ARRIVE);
#ifdef M_PART_LATE
        store(PART(me, turn), turn, relaxed);
#endif
        if :: count + 1 == 2 ->
              see(PART(0, turn), turn); see(PART(1, turn), turn); store(ARRIVALS(0), 0, relaxed);
#ifdef M_RESULT_LATE
              store(RELEASED(0), turn, RELEASE); store(RESULT, turn, relaxed)
#else
              store(RESULT, turn, relaxed); store(RELEASED(0), turn, RELEASE)
#endif
           :: else fi; count = 0; last = 0
        :: else fi;
     released(0, turn);
#ifndef M_TAKES_LATE
     take(turn)
#endif
  :: else -> break od }
#elif defined(OPENED)
#ifdef M_LEAVES
#define leave(turn) skip
#else
#define leave(turn) arrive(0, 3, 2 * turn); released(0, 2 * turn)
#endif
#ifdef M_READS_AT_ONCE
#define come(turn) arrive(0, 3, 2 * turn - 1)
#else
#define come(turn) arrive(0, 3, 2 * turn - 1); released(0, 2 * turn - 1)
#endif
/* What a node opens is the number of the turn. */
inline read_from(node) { load(DATA(node), seen); assert(seen == turn); seen = 0 }
active [3] proctype node() { byte me = _pid - 1, turn, count, seen;
  do
  :: turn < 2 -> turn++; store(DATA(me), turn, relaxed); come(turn);
     read_from(0); read_from(1); read_from(2); leave(turn)
  :: else -> break od }
#elif defined(GROUPS)
active [3] proctype node() { byte me = _pid - 1, call, count, seen;
  do
  :: call < C -> call++;
     if :: me == 0 -> meet(0, 2, call); has_come(1, call)
        :: me == 1 -> meet(0, 2, call); has_come(0, call); meet(1, 2, call); has_come(2, call)
        :: me == 2 -> meet(1, 2, call); has_come(1, call) fi
  :: else -> break od }
#else
active [3] proctype node() { byte me = _pid - 1, call, count, seen;
  do
  :: call < C -> call++; meet(0, 3, call); has_come(0, call); has_come(1, call); has_come(2, call)
  :: else -> break od }
#endif
