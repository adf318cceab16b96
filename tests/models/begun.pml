/* A barrier in which every node looks at the histories of all others, as Execution does for await_begun: N nodes  */
/* make C calls that follow each other. Each says in one word, which only it writes, up to which call it has come  */
/* (Member::begin); who has seen that of all others is through, and has to see what they did before. A node that is */
/* through may be in its next call before another has looked.                                                     */
/*                                                                                                                */
/* Mutants: M_RELAXED_BEGIN; M_BEGIN_FIRST: a node says that it has begun before it has done what comes before     */
/* the call; M_THIS_CALL: a node waits for others to be in this call, and does not know one that is in the next.  */
/* of lib/execute/execution.cpp: Execution::has_begun, Execution::have_begun */
/* of lib/execute/short_program.hpp: ShortProgram::has_begun, ShortProgram::have_begun */
/* of lib/record/history.hpp: History::has_begun */
/* of lib/call/member.hpp: Member::begin */
#ifndef N
#define N 3
#endif
#ifndef C
#define C 3
#endif
#define P N
#define K 3
#define V (2 * N)
#define BEGUN(n) (n)
#define DATA(n) (N + (n))  /* the newest call that node n has done the work for */
#include "memory.pml"
#ifdef M_RELAXED_BEGIN
#define BEGIN relaxed
#else
#define BEGIN release_
#endif
#ifdef M_THIS_CALL
#define has_begun(node) (mem[BEGUN(node)] == call)
#else
#define has_begun(node) (mem[BEGUN(node)] >= call)
#endif
inline begin(call) {
#ifdef M_BEGIN_FIRST
  store(BEGUN(me), call, BEGIN); store(DATA(me), call, relaxed)
#else
  store(DATA(me), call, relaxed); store(BEGUN(me), call, BEGIN)
#endif
}
active [N] proctype node() { byte me = _pid - 1, call, other, seen;
  do
  :: call < C -> call++; begin(call);
     other = 0;
     do
     :: other == N -> break
     :: other == me -> other++
     :: other < N && other != me -> has_begun(other); load(DATA(other), seen); assert(seen >= call); seen = 0; other++
     od
  :: else -> break od }
