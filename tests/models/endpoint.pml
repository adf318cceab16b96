/* Endpoints over channels of 4 lines, that are given back two at a time: what is set aside, so that nobody waits */
/* for room for ever; nodes that sleep.                                                                           */
/*                                                                                                                */
/* As it is, two nodes, each of which starts N messages to the other, more than a channel holds, then a call in   */
/* each of two contexts, in either order, and receives the messages last, in reverse; messages of one line, ids   */
/* below C, and of two, as the collectives' are. -DCHAIN: node 0 waits for node 1, which waits for node 2, which  */
/* has first to get rid of N messages to node 0. In both a step of a node at its channels is atomic. -DMEMORY:    */
/* two nodes send N messages of a line each and then receive as many, and every access to rings and doorbells is  */
/* one to memory.pml.                                                                                             */
/*                                                                                                                */
/* Nobody may wait for ever, and nothing is received that was not sent. Mutants: M_NO_RELIEF: nothing is set      */
/* aside while a push fails or a wait is long. M_AWAITED_ONLY: only what comes from the node that is waited for.  */
/* M_WHEN_FULL: only out of channels that have no line left. M_NO_BELL: senders are not woken. M_LOOK_FIRST: a    */
/* node looks round, and then announces that it sleeps. M_NO_MEMBARRIER.                                          */
/*                                                                                                                */
/* A ShortProgram and a short message send and receive what an Endpoint would, at once or not; who waits is an Engine.   */
/* Nodes of other processes are not in it: the queue of a wire takes whatever comes, and a node that waits polls  */
/* its wire at times, so that nobody there waits for room for ever, and always before it sleeps.                  */
/* of lib/transport/endpoint.hpp: Endpoint::send, Endpoint::receive, Endpoint::done, Endpoint::drop */
/* of lib/transport/endpoint.cpp: Endpoint::relieve, Endpoint::receive_among_others, Endpoint::set_aside */
/* of lib/channel/channel.hpp: LineRing::push, LineRing::push_lines, LineRing::pop, LineRing::crowded */
/* of lib/execute/short_program.hpp: ShortProgram::send, ShortProgram::receive */
/* of lib/execute/point_to_point.hpp: send_at_once, receive_at_once */
/* of lib/engine/engine.hpp: Engine::wait, Engine::wait_among_others */
/* of lib/engine/engine.cpp: Engine::finish */
/* of lib/engine/in_flight.cpp: InFlight::progress */
/* of lib/watch/waiter.hpp: Waiter::wait_long */
#ifdef MEMORY
#ifndef N
#define N 5
#endif
#define P 2
#define K 4
#define V 12
#define STAMP(from, i) ((from) * 4 + ((i) & 3))
#define OUT(from) (8 + (from))
#define ASLEEP(n) (10 + (n))
#include "memory.pml"
#define lap(i) (((i) >> 2) + 1)
bit queued[2];

inline ring() { load(ASLEEP(other), x);
  if :: x != 0 -> exchange(ASLEEP(other), 0, x, relaxed); if :: x != 0 -> fence(); queued[other] = 0 :: else fi
     :: else fi; x = 0 }
inline try_push() {
  if :: in + 1 - seen_out > 4 -> load(OUT(me), seen_out) :: else fi;
  ok = in + 1 - seen_out <= 4;
  if :: ok -> store(STAMP(me, in), lap(in), release_); in++; ring() :: else -> relieve() fi }
/* Takes the message, which is there. */
inline pop() { next++;
  if :: next - given > 1 -> given = next; store(OUT(other), next, release_);
#ifndef M_NO_BELL
        ring()
#endif
     :: else fi }
#ifdef M_WHEN_FULL
#define looked_at (given + 3)
#else
#define looked_at (given + 2)  /* crowded(): beyond the half */
#endif
inline relieve() {
#ifndef M_NO_RELIEF
  load(STAMP(other, looked_at), x);
  if :: x == lap(looked_at) ->
        do :: load(STAMP(other, next), x); if :: x == lap(next) -> pop(); aside++ :: else -> break fi od
     :: else fi; x = 0
#else
  skip
#endif
}
inline try_receive() { ok = aside > 0;
  if :: ok -> aside--
     :: else -> load(STAMP(other, next), x); ok = x == lap(next); x = 0; if :: ok -> pop() :: else fi fi }
inline look() { if :: in < N -> try_push() :: else -> try_receive(); if :: ok -> got++ :: else fi fi }
inline sleep() {
#ifdef M_LOOK_FIRST
  relieve(); look(); store(ASLEEP(me), 1, relaxed); membarrier();
#else
  store(ASLEEP(me), 1, relaxed);
#ifndef M_NO_MEMBARRIER
  membarrier();
#endif
  relieve(); look();
#endif
  if :: ok
     :: else -> fence(); atomic { if :: mem[ASLEEP(me)] == 1 -> queued[me] = 1 :: else fi }; !queued[me] fi;
  exchange(ASLEEP(me), 0, x, acq_rel); x = 0 }
active [2] proctype node() { byte me = _pid - 1, other, in, seen_out, next, given, aside, got, x; bool ok;
  other = 1 - me;
  do :: got == N -> break
     :: else -> look(); if :: ok || got == N :: else -> sleep() fi od;
  assert(next == N && aside == 0) }

#else
#define S 4
#ifndef N
#define N 5
#endif
#define C N
#define IDS (C + 2)
#define LINK(from, to) ((from) * 3 + (to))
byte in_[9], next[9], given[9];   /* positions, in lines */
byte what[36];                    /* by link and slot: the message that begins there */
bool aside[9 * IDS];              /* by link and id */
bool asleep[3];

#define lines(id) (1 + ((id) >= C))
#define waits_in(l) (next[l] < in_[l])
#define first_in(l) what[(l) * S + next[l] % S]
#ifdef M_WHEN_FULL
#define crowded(l) (in_[l] - given[l] == S)
#else
#define crowded(l) (in_[l] - given[l] > S / 2)
#endif

inline push(to, id) { atomic {
  ok = in_[LINK(me, to)] + lines(id) - given[LINK(me, to)] <= S;
  if :: ok -> what[LINK(me, to) * S + in_[LINK(me, to)] % S] = id;
              in_[LINK(me, to)] = in_[LINK(me, to)] + lines(id); asleep[to] = 0
     :: else -> relieve(to) fi } }
inline pop(from) {
  next[LINK(from, me)] = next[LINK(from, me)] + lines(first_in(LINK(from, me)));
  if :: next[LINK(from, me)] - given[LINK(from, me)] > S / 2 - 1 ->
        given[LINK(from, me)] = next[LINK(from, me)];
#ifndef M_NO_BELL
        asleep[from] = 0
#endif
     :: else fi }
inline put_aside(from) { aside[LINK(from, me) * IDS + first_in(LINK(from, me))] = 1; pop(from) }
/* `whom`: the node that is waited for */
inline relieve(whom) {
#ifndef M_NO_RELIEF
  peer = 0;
  do :: peer == 3 -> break
     :: peer < 3 ->
#ifdef M_AWAITED_ONLY
        if :: peer != whom -> goto passed :: else fi;
#endif
        if :: crowded(LINK(peer, me)) -> do :: waits_in(LINK(peer, me)) -> put_aside(peer) :: else -> break od
           :: else fi;
passed: peer++
  od; peer = 0
#endif
  skip }
inline receive(from, id) { atomic {
  ok = aside[LINK(from, me) * IDS + id];
  if :: ok -> aside[LINK(from, me) * IDS + id] = 0
     :: else ->
        do :: !waits_in(LINK(from, me)) -> break
           :: waits_in(LINK(from, me)) && first_in(LINK(from, me)) == id -> pop(from); ok = 1; break
           :: else -> put_aside(from) od fi } }
/* One look at all that is open found nothing to do. */
#ifdef M_LOOK_FIRST
#define wait_for(whom, look) atomic { relieve(whom) } look; if :: moved :: else -> asleep[me] = 1; !asleep[me] fi
#else
#define wait_for(whom, look) asleep[me] = 1; atomic { relieve(whom) } look; \
        if :: moved -> asleep[me] = 0 :: else -> !asleep[me] fi
#endif

#ifndef CHAIN
/* All that the node has started: messages to go, two calls (to push, to receive, done), a message to come. */
inline look() { moved = 0;
  do :: sent < started -> push(other, sent); if :: ok -> sent++; moved = 1 :: else -> break fi
     :: else -> break od;
  call = 0;
  do :: call == 2 -> break
     :: call < 2 ->
        if :: stage[call] == 1 -> push(other, C + call); if :: ok -> stage[call] = 2; moved = 1 :: else fi
           :: else fi;
        if :: stage[call] == 2 -> receive(other, C + call); if :: ok -> stage[call] = 3; moved = 1 :: else fi
           :: else fi;
        call++
  od; call = 0;
  if :: want > 0 -> receive(other, want - 1); if :: ok -> want--; moved = 1 :: else fi :: else fi }
active [2] proctype node() {
  byte me = _pid, other, peer, started, sent, call, want; byte stage[2]; bool ok, moved, over;
  other = 1 - me;
  do :: started == N -> break :: started < N -> started++; look() od;
  if :: stage[0] = 1; look(); stage[1] = 1 :: stage[1] = 1; look(); stage[0] = 1 fi;
  do :: stage[0] == 3 && stage[1] == 3 -> break
     :: else -> look(); if :: moved :: else -> wait_for(other, look()) fi od;
  want = N;
  do :: want == 0 && sent == N -> break
     :: else -> look(); if :: moved :: else -> wait_for(other, look()) fi od;
  assert(!waits_in(LINK(other, me))) }
#else
inline look_send(to) { push(to, sent); moved = ok }
inline look_receive(from, id) { receive(from, id); moved = ok }
active proctype last() { byte me = 0, peer, got; bool ok, moved;
  do :: look_receive(1, 0); if :: moved -> break :: else -> wait_for(1, look_receive(1, 0)); if :: moved -> break :: else fi fi od;
  do :: got == N -> break
     :: got < N -> look_receive(2, got); if :: moved :: else -> wait_for(2, look_receive(2, got)) fi;
        if :: moved -> got++ :: else fi od }
active proctype middle() { byte me = 1, peer, sent; bool ok, moved;
  do :: look_receive(2, 0); if :: moved -> break :: else -> wait_for(2, look_receive(2, 0)); if :: moved -> break :: else fi fi od;
  push(0, 0); assert(ok) }
active proctype first() { byte me = 2, peer, sent; bool ok, moved;
  do :: sent == N -> break
     :: sent < N -> look_send(0); if :: moved :: else -> wait_for(0, look_send(0)) fi;
        if :: moved -> sent++ :: else fi od;
  push(1, 0); assert(ok) }
#endif
#endif
