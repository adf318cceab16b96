/* Rendezvous: memory that a node exposes, and the cell in which the other end stores a token when it is done     */
/* with it (Endpoint's tickets, transfer.hpp). Node 0 exposes N messages, from 2 places of its memory, through 2  */
/* cells that go from ticket to ticket; a push may find no room, and then its ticket is closed at once. Node 1    */
/* pulls what was announced, in any order. -DSHARED: one message at a time, whose halves are copied by one end    */
/* each: node 1 announces where it goes, node 0 pushes the second half. -DABORTED: everything stops somewhere, as */
/* in a run that fails; Endpoint::reset(); a second run.                                                          */
/*                                                                                                                */
/* Nobody reads what is not there or no longer, and nobody waits for ever. Channels hand over in order what was   */
/* stored before. Mutants: M_TELL_EARLY, M_RELAXED_TELL: an end says that it is done before it is; M_SAME_TOKEN:  */
/* tickets of a cell share one; M_TOKENS_AGAIN: a new run begins with the first token again; M_CLOSED_EARLY: a    */
/* cell goes back before its ticket has ended; M_NOT_AWAITED: a shared message ends at its receiver without its   */
/* ticket.                                                                                                        */
/* of lib/channel/ticket.hpp: Cell */
/* of lib/transport/endpoint.hpp: Endpoint::ended, Endpoint::close_ticket, Endpoint::tell */
/* of lib/transport/endpoint.cpp: Endpoint::open_ticket, Endpoint::reset */
/* of lib/execute/transfer.hpp: announce, finish */
/* of lib/execute/execution.cpp: Execution::send, Execution::expose, Execution::receive, Execution::serve */
/* of lib/execute/point_to_point.cpp: Sending::advance, Sending::serve, Receiving::advance, Receiving::expose, Receiving::pull */
#ifndef N
#define N 4
#endif
#define P 2
#define K 4
#define V 9
#define SOURCE(i) ((i) & 1)
#define CELL(i) (2 + (i))
#define ANNOUNCED 4  /* by node 0: how many */
#define PLACE 5      /* SHARED, by node 1: the message whose place it has announced */
#define INTO(i) (6 + (i))
#define PEER_CELL 8
#include "memory.pml"
#ifdef M_RELAXED_TELL
#define TOLD relaxed
#else
#define TOLD release_
#endif
#ifdef M_SAME_TOKEN
#define next_token(token) token = 1
#else
#define next_token(token) token++
#endif

#ifdef SHARED
active proctype sender() { byte me = 0, message, token, half;
  do
  :: message < N -> message++;
     store(SOURCE(0), message, relaxed); store(SOURCE(1), message, relaxed);
     next_token(token);
     store(ANNOUNCED, message, release_);
     mem[PLACE] == message;
#ifdef M_TELL_EARLY
     store(PEER_CELL, message, TOLD);
#endif
     load(SOURCE(1), half); store(INTO(1), half, relaxed); half = 0;
#ifndef M_TELL_EARLY
     store(PEER_CELL, message, TOLD);
#endif
     mem[CELL(0)] == token
  :: else -> break od }
active proctype receiver() { byte me = 1, message, token, half;
  do
  :: message < N -> message++;
     mem[ANNOUNCED] == message;
     next_token(token);
     store(PLACE, message, release_);
     load(SOURCE(0), half); assert(half == message); store(INTO(0), half, relaxed); half = 0;
     store(CELL(0), token, TOLD);
#ifndef M_NOT_AWAITED
     mem[PEER_CELL] == message;
#endif
     load(INTO(0), half); assert(half == message);
     load(INTO(1), half); assert(half == message); half = 0
  :: else -> break od }
#else
byte cell_of[N + 1], token_of[N + 1];     /* by message: what was announced */
byte tokens, first = 1;                   /* the first message of this run */
bit is_free[2] = 1, open[N + 1], pulled[N + 1];
bool halted[2], over;
#ifdef ABORTED
#define may_stop !over
#else
#define may_stop false
#endif
inline open_ticket(cell) { atomic { if :: is_free[0] -> cell = 0 :: is_free[1] -> cell = 1 fi;
  is_free[cell] = 0; next_token(tokens) } }
#define has_ended(i) (open[i] && mem[CELL(cell_of[i])] == token_of[i])
inline close_ticket(i) { open[i] = 0; is_free[cell_of[i]] = 1 }

active proctype owner() { byte me = 0, next = 1, cell; bool failed;
again:
  do
  :: may_stop -> break
  :: next > N && !open[N] && !open[N - 1] -> break
  :: next <= N && (is_free[0] || is_free[1]) && (next <= first + 1 || !open[next - 2]) ->
     open_ticket(cell);
     if :: !failed -> failed = 1; is_free[cell] = 1  /* the channel is full */
        :: failed = 0; store(SOURCE(next), next, relaxed);
           d_step { cell_of[next] = cell; token_of[next] = tokens; open[next] = 1; pulled[next] = 0;
#ifdef M_CLOSED_EARLY
                    is_free[cell] = 1;
#endif
                  }
           store(ANNOUNCED, next, release_); next++ fi;
     cell = 0
  :: atomic { next > 1 && has_ended(next - 1) -> close_ticket(next - 1) }
  :: atomic { next > 2 && has_ended(next - 2) -> close_ticket(next - 2) }
  od;
  if :: may_stop -> halted[0] = 1; over; goto again :: else fi }

inline pull() {
#ifdef M_TELL_EARLY
  store(CELL(cell_of[message]), token_of[message], TOLD);
#endif
  load(SOURCE(message), datum); assert(datum == message); datum = 0;
#ifndef M_TELL_EARLY
  store(CELL(cell_of[message]), token_of[message], TOLD);
#endif
  message = 0 }
active proctype puller() { byte me = 1, announced, datum, message;
again:
  do
  :: may_stop -> break
  :: announced == N && pulled[N] && pulled[N - 1] -> break
  :: mem[ANNOUNCED] > announced && (announced < first + 1 || pulled[announced - 1]) -> announced++
  :: atomic { announced >= first && !pulled[announced] -> message = announced; pulled[message] = 1 }; pull()
  :: atomic { announced > first && !pulled[announced - 1] -> message = announced - 1; pulled[message] = 1 }; pull()
  od;
  if :: may_stop -> halted[1] = 1; over; announced = first - 1; goto again :: else fi }

#ifdef ABORTED
active proctype between_runs() { byte i;
  atomic { halted[0] && halted[1] -> drain_all(0); drain_all(1);
    first = owner:next; mem[ANNOUNCED] = first - 1; is_free[0] = 1; is_free[1] = 1;
    i = 0; do :: i <= N -> open[i] = 0; pulled[i] = i < first; i++ :: else -> break od; i = 0;
#ifdef M_TOKENS_AGAIN
    tokens = 0;
#endif
    over = 1 } }
#endif
#endif
