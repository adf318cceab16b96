// Partners 1, 2, 4 ... apart, nearest first, so that partial results are intervals in rank order; any p by
// folding.
#include "collective/folded.hpp"

#include <vnode/model/compose.hpp>

#include "building_blocks/composition.hpp"
#include "building_blocks/dimensions.hpp"
#include "collective/families.hpp"

namespace vnode {

Schedule Fold::in(int blocks) const {
  Schedule schedule(survivors + folded, blocks);
  if (folded == 0) return schedule;
  Round& round = schedule.next_round();
  for (int i = 0; i < folded; ++i) round.push_back({2 * i, 2 * i + 1, Blocks::whole, Effect::combine_before});
  return schedule;
}

Schedule Fold::out(int blocks) const {
  Schedule schedule(survivors + folded, blocks);
  if (folded == 0) return schedule;
  Round& round = schedule.next_round();
  for (int i = 0; i < folded; ++i) round.push_back({2 * i + 1, 2 * i, Blocks::whole});
  return schedule;
}

Schedule Fold::around(const Schedule& work) const {
  std::vector<Rank> ranks;
  for (int survivor = 0; survivor < survivors; ++survivor) ranks.push_back(rank(survivor));
  return compose::then(compose::then(in(work.blocks()), compose::on_group(work, survivors + folded, ranks)),
                       out(work.blocks()));
}

bool Fold::peers(int round, Rank from, Rank to, const std::vector<int>& dimensions) const {
  const auto survivor = [&](Rank rank) { return rank < 2 * folded ? rank / 2 : rank - folded; };
  const auto is_folded = [&](Rank rank) { return rank < 2 * folded && rank % 2 == 0; };
  const int last = rounds() + static_cast<int>(dimensions.size());
  if (round < rounds()) return is_folded(from) && to == from + 1;
  if (round >= last) return is_folded(to) && from == to + 1;
  return !is_folded(from) && !is_folded(to) &&
         across_dimension(dimensions, round - rounds(), survivor(from), survivor(to));
}

namespace folded {

constexpr const char* rounds = "log2 q + 2 [p != q], where q = 2^floor(log2 p)";
constexpr Count transfers{"q log2 q + 2 (p - q), where q = 2^floor(log2 p)",
                          [](const Parameters& parameters) {
                            const Fold fold(parameters.nodes);
                            return fold.survivors * ceil_log2(fold.survivors) + 2 * fold.folded;
                          }};

bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
  const Fold fold(parameters.nodes);
  return fold.peers(round, from, to, lowest_first(fold.survivors));
}

// Partners exchange all they have, and evaluate the same expression, the lower one's partial result on the
// left.
Schedule doubling(const Parameters& parameters) {
  const Fold fold(parameters.nodes);
  Schedule work(fold.survivors, 1);
  for (int distance = 1; distance < fold.survivors; distance *= 2) {
    Round& round = work.next_round();
    for (Rank from = 0; from < fold.survivors; ++from) {
      const Rank to = from ^ distance;
      round.push_back({from, to, Blocks::whole, from < to ? Effect::combine_before : Effect::combine_after});
    }
  }
  return fold.around(work);
}

Cost doubling_cost(const Parameters& parameters) {
  const Fold fold(parameters.nodes);
  return fold.cost(combining(whole_messages(ceil_log2(fold.survivors))));
}

// Recursive halving, and the same way back.

// Returns the bits of a label below q in reverse. Which part a survivor is left with is free: that of its
// label with the bits in reverse, so that every message is one interval.
int bits_reversed(int label, int q) {
  int result = 0;
  for (int bit = 1; bit < q; bit *= 2) result = 2 * result + ((label & bit) != 0);
  return result;
}

Schedule gather_parts(int q) {
  Schedule schedule(q, q);
  for (int run = 1; run < q; run *= 2) {
    Round& round = schedule.next_round();
    for (Rank rank = 0; rank < q; ++rank) {
      const int first = bits_reversed(rank, q) / run * run;
      round.push_back({rank, rank ^ q / 2 / run, schedule.interval(first, first + run)});
    }
  }
  return schedule;
}

Schedule rabenseifner(const Parameters& parameters) {
  const Fold fold(parameters.nodes);
  const Schedule gather = gather_parts(fold.survivors);
  return fold.around(compose::then(compose::dual(gather), gather));
}

Cost rabenseifner_cost(const Parameters& parameters) {
  const Fold fold(parameters.nodes);
  const Cost gather = one_block_per_other_node(ceil_log2(fold.survivors), fold.survivors);
  return fold.cost(in_parts(combining(gather) + gather, fold.survivors));
}

bool rabenseifner_peers(const Parameters& parameters, int round, Rank from, Rank to) {
  const Fold fold(parameters.nodes);
  std::vector<int> there_and_back = lowest_first(fold.survivors);
  for (const int dimension : highest_first(fold.survivors)) there_and_back.push_back(dimension);
  return fold.peers(round, from, to, there_and_back);
}

// Where p is no power of two, a survivor works for the blocks of two ranks, and in the last round its
// neighbour gets one.
Schedule halving(const Parameters& parameters) {
  const Fold fold(parameters.nodes);
  Schedule schedule = fold.in(parameters.nodes);
  for (int distance = 1; distance < fold.survivors; distance *= 2) {
    Round& round = schedule.next_round();
    for (int survivor = 0; survivor < fold.survivors; ++survivor) {
      const int partner = survivor ^ distance;
      std::vector<Interval> partners;  // what remains with the partner: every 2 distance-th one's blocks
      for (int owner = partner % (2 * distance); owner < fold.survivors; owner += 2 * distance)
        partners.push_back(fold.ranks(owner));
      round.push_back({fold.rank(survivor), fold.rank(partner), schedule.blocks_of(partners),
                       survivor < partner ? Effect::combine_before : Effect::combine_after});
    }
  }
  if (fold.folded == 0) return schedule;
  Round& round = schedule.next_round();
  for (int i = 0; i < fold.folded; ++i) round.push_back({2 * i + 1, 2 * i, schedule.block(2 * i)});
  return schedule;
}

// To the busiest partner go the blocks of every 2nd, 4th, 8th ... survivor from 0 on, and of their
// neighbours: so many.
int neighbours(const Fold& fold) {
  int sum = 0;
  for (int i = 1; i <= ceil_log2(fold.survivors); ++i) sum += (fold.folded + (1 << i) - 1) >> i;
  return sum;
}

Cost halving_cost(const Parameters& parameters) {
  const Fold fold(parameters.nodes);
  const int words = fold.rounds() * parameters.nodes + fold.survivors - 1 + neighbours(fold);
  const Cost halving{double(fold.rounds() + ceil_log2(fold.survivors)), double(words), double(words), 0};
  return combining(halving) + whole_messages(fold.rounds());
}

constexpr Symbol halving_symbols[] = {
    {"b", "the sum of ceil((p - q) / 2^i) for i from 1 to log2 q",
     [](const Parameters& parameters) -> double { return neighbours(Fold(parameters.nodes)); }}};

}  // namespace folded

namespace registered {

constexpr Algorithm all_reduce_doubling = row({
    .name = "all_reduce_doubling",
    .build = folded::doubling,
    .cost = folded::doubling_cost,
    .rounds = folded::rounds,
    .transfers = folded::transfers,
    .time = "(t_s + (t_w + t_op) m) log2 q + (2 t_s + (2 t_w + t_op) m) [p != q], where q = 2^floor(log2 p)",
    .peers = folded::peers,
    .carriers = hypercube_family,
    .best_for = "short messages",
    .source = "Grama et al. 4.3, the pattern of algorithm 4.7; fold as in MPICH",
});

constexpr Algorithm all_reduce_rabenseifner = row({
    .name = "all_reduce_rabenseifner",
    .build = folded::rabenseifner,
    .cost = folded::rabenseifner_cost,
    .rounds = "2 log2 q + 2 [p != q], where q = 2^floor(log2 p)",
    .transfers = {"2 q log2 q + 2 (p - q), where q = 2^floor(log2 p)",
                  [](const Parameters& parameters) {
                    const Fold fold(parameters.nodes);
                    return 2 * fold.survivors * ceil_log2(fold.survivors) + 2 * fold.folded;
                  }},
    .time = "2 t_s log2 q + (2 t_w + t_op) m (q - 1) / q + (2 t_s + (2 t_w + t_op) m) [p != q], where q = "
            "2^floor(log2 p)",
    .peers = folded::rabenseifner_peers,
    .carriers = hypercube_family,
    .best_for = "long messages, powers of two; also operators that do not commute",
    .source = "Rabenseifner 2004; distance doubling and fold as in MPICH",
});

// With an operator that commutes, reduce_scatter_bruck sends less.
constexpr Algorithm reduce_scatter_halving = row({
    .name = "reduce_scatter_halving",
    .build = folded::halving,
    .cost = folded::halving_cost,
    .rounds = folded::rounds,
    .transfers = folded::transfers,
    .time = "t_s (log2 q + 2 [p != q]) + (t_w + t_op) m (q - 1 + p [p != q] + b) + t_w m [p != q], where q = "
            "2^floor(log2 p)",
    .symbols = folded::halving_symbols,
    .peers = folded::peers,
    .carriers = hypercube_family,
    .best_for = "operators that do not commute, any number of nodes",
    .source = "MPICH, recursive halving with distance doubling; fold for any p",
});

}  // namespace registered
}  // namespace vnode
