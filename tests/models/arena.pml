/* The arenas of two nodes, and a thread that goes into them: EntryPins over the pins of a thread. It is a node's, */
/* which is pinned to its PU, or a worker of oneTBB's, or a user's. It goes into an arena, from there into the     */
/* other one, and so on, DEPTH deep, and out again, TRIPS times; oneTBB calls back on each way. At some moment the */
/* arenas end, wherever it is; observe(false) waits for call-backs that are under way, and none is made after it.  */
/* What is kept of other threads is apart from it. -DTASKS: an arena with a node and 2 workers, parts of the       */
/* node's own loop and two tasks of the user's, which wait for what the node does after its loop.                  */
/*                                                                                                                 */
/* A worker is on the PUs of the arena that it is in, a user's thread on those of the first that it has entered,   */
/* a node stays on its PU; all have their affinity back when they have left or the arenas have ended. Nobody       */
/* waits for ever. Mutants: M_NO_REPEATS: entries of a thread that an arena has pinned already are not noted;      */
/* M_OLDEST: an exit ends the thread's oldest entry; M_ANYBODY: who is pinned already is pinned too; M_FORGETS: an */
/* arena that ends leaves those inside pinned; M_UNOBSERVED: it ends while a call-back is under way;               */
/* M_TAKES_ALL: a pin that ends takes all affinity with it; M_NOT_ISOLATED: a node that waits for parts begins     */
/* what it finds.                                                                                                  */
/* of lib/execute/arena.cpp: EntryPins::~EntryPins, EntryPins::pinned, EntryPins::on_scheduler_entry, EntryPins::on_scheduler_exit, Arena::divide */
/* of lib/machine/binding.cpp: Pins::add, Pins::remove */
#ifndef TASKS
#ifndef DEPTH
#define DEPTH 3
#endif
#ifndef TRIPS
#define TRIPS 1
#endif
#define ROOM 6
#define NONE 0
#define NODES_PU 3
#define NODE 0
#define WORKER 1
#define USERS 2
/* Places: 0 anywhere, 1 and 2 the arenas' shares, 3 the node's PU. */
byte affinity;
byte pins, place[ROOM], pin_at[ROOM];   /* of the thread: the newest last */
typedef Entries { byte n; byte pin[ROOM] }
Entries inside[3];                      /* by arena, from 1: its pins, or NONE; the newest last */
bool ended[3], gone[3], calling[3];     /* by arena: a call-back is under way */
hidden byte i_, k_;

#define set_affinity() affinity = (pins == 0 -> 0 : place[pins - 1])
/* A pin's number is the lowest that no other has, from 1. */
inline is_used(number_, answer_) { k_ = 0; answer_ = 0;
  do :: k_ < pins -> if :: pin_at[k_] == number_ -> answer_ = 1 :: else fi; k_++ :: else -> break od; k_ = 0 }
inline add_pin(where_, number_) { number_ = 1; is_used(number_, i_);
  do :: i_ -> number_++; is_used(number_, i_) :: else -> break od;
  place[pins] = where_; pin_at[pins] = number_; pins++; set_affinity() }
inline remove_pin(number_) {
  if :: number_ != NONE ->
        i_ = 0; do :: pin_at[i_] == number_ -> break :: else -> i_++ od;
        do :: i_ + 1 < pins -> pin_at[i_] = pin_at[i_ + 1]; place[i_] = place[i_ + 1]; i_++ :: else -> break od;
        pins--; pin_at[pins] = 0; place[pins] = 0; i_ = 0;
#ifdef M_TAKES_ALL
        affinity = 0
#else
        set_affinity()
#endif
     :: else fi }
#define newest(arena) inside[arena].pin[inside[arena].n - 1]

/* on_scheduler_entry: the pin first, then the entry. */
inline enter(arena) {
  atomic { calling[arena] = !ended[arena] };
  if :: calling[arena] ->
        d_step { number = NONE;
#ifdef M_ANYBODY
          add_pin(arena, number)
#else
          if :: kind == WORKER || pins == 0 -> add_pin(arena, number) :: else fi
#endif
        };
        d_step {
          if
#ifdef M_NO_REPEATS
          :: number != NONE ->
#else
          :: number != NONE || inside[arena].n > 0 ->
#endif
             inside[arena].pin[inside[arena].n] = number; inside[arena].n++
          :: else fi; number = NONE; calling[arena] = 0 }
     :: else fi }
inline leave(arena) { d_step {
  if :: !ended[arena] && inside[arena].n > 0 ->
#ifdef M_OLDEST
        number = inside[arena].pin[0];
        k_ = 0; do :: k_ + 1 < inside[arena].n -> inside[arena].pin[k_] = inside[arena].pin[k_ + 1]; k_++ :: else -> break od;
        k_ = 0; newest(arena) = 0; inside[arena].n--;
#else
        number = newest(arena); newest(arena) = 0; inside[arena].n--;
#endif
        remove_pin(number); number = NONE
     :: else fi } }

/* As long as no arena has ended. */
#define belongs_at (kind == NODE -> NODES_PU : (depth == 0 -> 0 : (kind == WORKER -> way[depth - 1] : way[0])))
#define check() assert(ended[1] || ended[2] || affinity == belongs_at)
active proctype thread() { byte kind, depth, number, trips; byte way[DEPTH];
  if :: kind = WORKER :: kind = USERS :: kind = NODE; d_step { add_pin(NODES_PU, number); number = NONE } fi;
  do
  :: trips < TRIPS && depth < DEPTH ->
     atomic { if :: depth == 0 -> if :: way[0] = 1 :: way[0] = 2 fi :: else -> way[depth] = 3 - way[depth - 1] fi };
     enter(way[depth]); depth++;
     atomic { check() }
  :: atomic { depth > 0 -> depth--; leave(way[depth]); check(); way[depth] = 0;
              if :: depth == 0 -> trips++ :: else fi }
  :: depth == 0 && trips == TRIPS -> break
  :: gone[1] && gone[2] -> break
  od;
  gone[1] && gone[2];
  assert(affinity == (kind == NODE -> NODES_PU : 0)) }

active [2] proctype end_of_team() { byte arena = _pid;
#ifdef M_UNOBSERVED
  ended[arena] = 1;
#else
  atomic { !calling[arena] -> ended[arena] = 1 };
#endif
#ifndef M_FORGETS
  do :: inside[arena].n > 0 -> d_step { remove_pin(newest(arena)); newest(arena) = 0; inside[arena].n-- }
     :: else -> break od;
#endif
  gone[arena] = 1 }

#else
#define PARTS 3
#define TASKS_OF_USER 2
byte parts, under_way, tasks = TASKS_OF_USER;  /* to be begun */
bool loop_done, over;
active proctype node() {
  parts = PARTS;
  do
  :: atomic { parts > 0 -> parts--; under_way++ }; under_way--
#ifdef M_NOT_ISOLATED
  :: atomic { parts == 0 && under_way > 0 && tasks > 0 -> tasks-- }; loop_done
#endif
  :: parts == 0 && under_way == 0 -> break
  od;
  loop_done = 1;
  tasks == 0 -> over = 1 }
active [2] proctype worker() {
end: do
  :: atomic { parts > 0 -> parts--; under_way++ }; under_way--
  :: atomic { tasks > 0 -> tasks-- }; loop_done
  :: over -> break
  od }
#endif
