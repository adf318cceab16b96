/* The memory that models share: P processors over V words, each with a buffer of K stores that have not reached  */
/* the words yet. A processor reads its own newest store. As it is, buffers drain in order: total store order.    */
/* -DARM: stores to different words drain in any order, but a release after all that were made before it, and a   */
/* relaxed read-modify-write passes them. A store reaches all other processors at the same time, as on ARMv8.     */
/*                                                                                                                */
/* Loads are done in the order of the program: a mutant whose fault is a load that moves has moved it by hand.    */
/* A process says which processor it is by a variable `me`. ON_DRAIN(word, value): what is checked of each store  */
/* when it reaches memory.                                                                                        */
byte mem[V];
typedef Buffer { byte n; byte word[K]; byte value[K]; bit release[K] }
Buffer buffer[P];
hidden byte i_, j_;
#ifndef ON_DRAIN
#define ON_DRAIN(w, x)
#endif
#define relaxed 0
#define release_ 1
#define acq_rel 1

inline store(w_, x_, order_) { atomic { buffer[me].n < K -> d_step {
  buffer[me].word[buffer[me].n] = w_; buffer[me].value[buffer[me].n] = x_; buffer[me].release[buffer[me].n] = order_;
  buffer[me].n++ } } }
inline load(w_, into_) { d_step { into_ = mem[w_]; i_ = 0;
  do :: i_ < buffer[me].n -> if :: buffer[me].word[i_] == w_ -> into_ = buffer[me].value[i_] :: else fi; i_++
     :: else -> break od; i_ = 0 } }
inline drain(p_, at_) { mem[buffer[p_].word[at_]] = buffer[p_].value[at_]; ON_DRAIN(buffer[p_].word[at_], buffer[p_].value[at_]);
  j_ = at_;
  do :: j_ + 1 < buffer[p_].n ->
        buffer[p_].word[j_] = buffer[p_].word[j_ + 1]; buffer[p_].value[j_] = buffer[p_].value[j_ + 1];
        buffer[p_].release[j_] = buffer[p_].release[j_ + 1]; j_++
     :: else -> break od;
  buffer[p_].n--; buffer[p_].word[buffer[p_].n] = 0; buffer[p_].value[buffer[p_].n] = 0; buffer[p_].release[buffer[p_].n] = 0;
  j_ = 0 }
inline drain_all(q_) { d_step { do :: buffer[q_].n > 0 -> drain(q_, 0) :: else -> break od } }

/* A full fence: the processor goes on when its stores are in memory. */
#define fence() (buffer[me].n == 0)
/* The caller fences; then each processor drains at some moment before the call returns. */
inline membarrier() { drain_all(me); drain_all(0); drain_all(1);
#if P > 2
  drain_all(2);
#endif
#if P > 3
  drain_all(3);
#endif
}

/* A read-modify-write is a guard, then one step at mem[]: atomic { may_modify(word, order) -> ... }. */
#ifdef ARM
#define pending_(i, w) (buffer[me].n > i && buffer[me].word[i] == w)
#define may_modify(w, order) (buffer[me].n == 0 || \
  (!(order) && !pending_(0, w) && !pending_(1, w) && !pending_(2, w) && !pending_(3, w)))
#else
#define may_modify(w, order) (buffer[me].n == 0)
#endif
inline exchange(w_, x_, old_, order_) { atomic { may_modify(w_, order_) -> d_step { old_ = mem[w_]; mem[w_] = x_ } } }
inline fetch_add(w_, x_, old_, order_) {
  atomic { may_modify(w_, order_) -> d_step { old_ = mem[w_]; mem[w_] = mem[w_] + x_ } } }

#define FIRST_(p) :: d_step { buffer[p].n > 0 -> drain(p, 0) }
#ifdef ARM
#define differ_(p, i, j) (buffer[p].word[i] != buffer[p].word[j])
#define DRAIN_(p) FIRST_(p) \
  :: d_step { buffer[p].n > 1 && !buffer[p].release[1] && differ_(p, 1, 0) -> drain(p, 1) } \
  :: d_step { buffer[p].n > 2 && !buffer[p].release[2] && differ_(p, 2, 0) && differ_(p, 2, 1) -> drain(p, 2) } \
  :: d_step { buffer[p].n > 3 && !buffer[p].release[3] && differ_(p, 3, 0) && differ_(p, 3, 1) && differ_(p, 3, 2) \
              -> drain(p, 3) }
#else
#define DRAIN_(p) FIRST_(p)
#endif
active proctype drainer() {
end: do
  DRAIN_(0)
  DRAIN_(1)
#if P > 2
  DRAIN_(2)
#endif
#if P > 3
  DRAIN_(3)
#endif
  od }
