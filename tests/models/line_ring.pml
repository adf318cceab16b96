/* The ring of lines: 4 of them, messages of 1 or 2, as many as the half. Laps are counted modulo 4 instead of    */
/* 65,536, so that they wrap in TOTAL lines. The datum of position q is q + 1. A side that waits goes on when the */
/* word that it looks at has changed. -DCLEAR: either side may stop anywhere, as in a run that is aborted; the    */
/* ring is cleared; a second run.                                                                                 */
/*                                                                                                                */
/* The consumer reads what was sent, in order; nobody waits for ever; a producer that finds no room is seen by    */
/* crowded(). Mutants: M_OUT_EARLY: slots are given back before they are read; M_CAPACITY: a line more than there */
/* is; M_KEEPS_TOO_MUCH: the consumer gives back three quarters at a time; M_STAMP_EARLY: the first line's stamp  */
/* comes before the rest; M_RELAXED_STAMP; M_NO_INNER_STAMP: further lines have none; M_CLEAR_KEEPS: clear()      */
/* leaves the consumer where it was.                                                                              */
/* of lib/channel/channel.hpp: LineRing */
/* of lib/channel/line.hpp: lines_for */
#ifndef TOTAL
#define TOTAL 20
#endif
#define P 2
#define K 4
#define V 9
#define STAMP(i) ((i) & 3)
#define DATA(i) (4 + ((i) & 3))
#define OUT 8
#include "memory.pml"
#define lap(i) ((((i) >> 2) + 1) & 3)
#define has_lap(i) ((mem[STAMP(i)] & 3) == lap(i))
byte in, seen_out, next, given;  /* each one side's own */
byte end_at = 255;               /* where the producer has stopped for good */
byte phase = 1, halted;
bool waits;                      /* the producer has looked at `out` and found no room */
#ifdef M_KEEPS_TOO_MUCH
#define KEPT 3
#else
#define KEPT 1  /* mask / 2 */
#endif
#ifdef M_RELAXED_STAMP
#define STAMPED relaxed
#else
#define STAMPED release_
#endif
#ifdef M_CAPACITY
#define CAPACITY 5
#else
#define CAPACITY 4
#endif
/* All stores have arrived, and the producer will find no room: crowded(). */
#define check_crowded() \
  assert(!(waits && buffer[0].n == 0 && buffer[1].n == 0 && mem[OUT] == seen_out) || has_lap(given + 2))

active proctype producer() { byte me = 0, lines;
again:
  do
  :: in >= TOTAL * phase -> break
#ifdef CLEAR
  :: phase == 1 && in > 0 -> break
#endif
  :: in < TOTAL * phase -> if :: lines = 1 :: lines = 2 fi;
     do :: in + lines - seen_out > CAPACITY -> load(OUT, seen_out);
#ifdef CLEAR
           if :: phase == 1 -> goto stop :: else fi;
#endif
           if :: in + lines - seen_out > CAPACITY -> waits = 1; mem[OUT] != seen_out; waits = 0 :: else -> break fi
        :: else -> break od;
#ifdef M_STAMP_EARLY
     store(STAMP(in), lap(in) | (lines << 2), release_);
#endif
     if :: lines == 2 ->
#ifndef M_NO_INNER_STAMP
           store(STAMP(in + 1), lap(in + 1), relaxed);
#endif
           store(DATA(in + 1), in + 2, relaxed) :: else fi;
     store(DATA(in), in + 1, relaxed);
#ifndef M_STAMP_EARLY
     store(STAMP(in), lap(in) | (lines << 2), STAMPED);
#endif
     in = in + lines
  od;
stop:
#ifdef CLEAR
  if :: phase == 1 -> halted++; phase == 2; goto again :: else fi;
#endif
  end_at = in }

inline give_back() { given = next; store(OUT, next, release_) }
active proctype consumer() { byte me = 1, stamp, datum, lines;
again:
  do
  :: end_at == next -> break
#ifdef CLEAR
  :: phase == 1 -> break
#endif
  :: atomic { has_lap(next) -> check_crowded() };
     load(STAMP(next), stamp); lines = stamp >> 2;
     assert(lines == 1 || lines == 2);
#ifdef M_OUT_EARLY
     if :: next + lines - given > KEPT -> given = next + lines; store(OUT, given, release_) :: else fi;
#endif
     load(DATA(next), datum); assert(datum == next + 1);
     if :: lines == 2 -> load(DATA(next + 1), datum); assert(datum == next + 2) :: else fi;
     next = next + lines;
#ifndef M_OUT_EARLY
     if :: next - given > KEPT -> give_back() :: else fi;
#endif
     stamp = 0; datum = 0; lines = 0
  od;
#ifdef CLEAR
  if :: phase == 1 -> halted++; phase == 2; goto again :: else fi;
#endif
}

#ifdef CLEAR
active proctype between_runs() {
  atomic { halted == 2 -> drain_all(0); drain_all(1);  /* runs are ordered by their crew */
    seen_out = in; given = in;
#ifndef M_CLEAR_KEEPS
    next = in;
#else
    given = next;
#endif
    mem[OUT] = in; phase = 2 } }
#endif
