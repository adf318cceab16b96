#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include <vnode/lab/textbook.hpp>

#include "cost/cost_report.hpp"
#include "terminal/progress.hpp"

namespace vnode {
namespace {

/// Returns every algorithm of the collective, with the reason why it cannot run here, if so.
std::vector<Candidate> candidates_for(const CostQuestion& question, int segments) {
  Demand demand = question.demand;
  demand.parameters.segments = segments;
  demand.bytes = 0;  // no size excludes anything
  return candidates(demand, question.topology, question.costs);
}

/// Returns k* as a number.
double best_segments(const CostQuestion& question, const Algorithm& algorithm) {
  const CostModel& costs = question.costs;
  const auto m = static_cast<double>(question.demand.bytes);
  // A node alone has no messages to cut, and short ones that are all free are as good as long ones.
  if (!algorithm.segments || question.demand.parameters.nodes == 1 || m * (costs.t_w + costs.t_op) == 0)
    return 0;
  if (costs.t_s == 0) return std::numeric_limits<double>::infinity();
  return optimum_before_rounding(algorithm, question.demand.parameters, m, costs);
}

CostAccount account(const CostQuestion& question, const Algorithm& algorithm, const std::string& excluded) {
  const Parameters& wanted = question.demand.parameters;
  CostAccount account{.algorithm = &algorithm,
                      .excluded = excluded,
                      .parameters = wanted,
                      .time = Formula::parse(algorithm.time),
                      .rounds = Formula::parse(algorithm.rounds),
                      .transfers = Formula::parse(algorithm.transfers.text)};
  if (why_not(algorithm, wanted)) return account;
  const std::size_t bytes = question.demand.bytes;
  const auto m = static_cast<double>(bytes);
  account.parameters.segments =
      !algorithm.segments
          ? 1
          : question.segments.value_or(optimum_segments(algorithm, wanted, bytes, question.costs));
  account.values = symbol_values(algorithm, account.parameters);
  account.values.named.insert(
      {{"m", m}, {"t_s", question.costs.t_s}, {"t_w", question.costs.t_w}, {"t_op", question.costs.t_op}});
  account.cost = algorithm.cost(account.parameters);
  account.seconds = account.time.value(account.values);
  account.best = optimum_formula(algorithm, wanted);
  account.best_exactly = best_segments(question, algorithm);
  account.ports = ports_at_once(algorithm.ports, question.topology);
  account.bound = lower_bound(algorithm.collective, account.parameters, algorithm.ports, question.topology);
  account.bound_seconds =
      account.bound.startups * question.costs.t_s + account.bound.words * question.costs.t_w * m;
  return account;
}

}  // namespace

std::vector<CostAccount> accounts(const CostQuestion& question,
                                  std::span<const Algorithm* const> algorithms) {
  const Notice notice("counting");
  const std::vector<Candidate> all = candidates_for(question, question.segments.value_or(1));
  std::vector<CostAccount> list;
  for (const Algorithm* const algorithm : algorithms) {
    const auto found = std::ranges::find(all, algorithm, &Candidate::algorithm);
    list.push_back(
        account(question, *algorithm, found == all.end() ? "is not for this collective" : found->excluded));
  }
  return list;
}

std::vector<Crossover> cut_offs(const CostQuestion& question, const Algorithm& algorithm) {
  std::vector<Crossover> all;
  for (const Candidate& other : candidates_for(question, question.demand.parameters.segments)) {
    if (other.algorithm == &algorithm || !other.excluded.empty()) continue;
    const std::array<const Algorithm*, 2> both{&algorithm, other.algorithm};
    for (const Crossover& one : crossovers(both, question.demand.parameters, question.costs))
      all.push_back(one);
  }
  std::ranges::stable_sort(all, {}, &Crossover::bytes);
  return all;
}

std::string meaning(const CostAccount& account, const std::string& symbol) {
  for (const Symbol& own : account.algorithm->symbols)
    if (own.name == symbol) return std::string(own.meaning);
  if (symbol == "k") return account.algorithm->radix ? "the radix of the tree" : "segments of a message";
  static const std::map<std::string, std::string> known{{"p", "nodes"},
                                                        {"m", "bytes of a message"},
                                                        {"q", "the shift, mod p"},
                                                        {"r", "rows"},
                                                        {"c", "columns"},
                                                        {"t_s", "seconds to start a message"},
                                                        {"t_w", "seconds to move a byte"},
                                                        {"t_op", "seconds to combine a byte"}};
  const auto found = known.find(symbol);
  return found == known.end() ? "" : found->second;
}

}  // namespace vnode
