#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/formula.hpp>
#include <vnode/lab/lower_bounds.hpp>
#include <vnode/lab/textbook.hpp>
#include <vnode/topology.hpp>

namespace vnode {

/// What a call shall cost: of which collective, for how many bytes, where.
struct CostQuestion {
  Topology topology;
  Demand demand{};                ///< collective, parameters, bytes
  std::optional<int> segments{};  ///< as asked for; otherwise the best number
  CostModel costs{};              ///< what a message costs
  std::string costs_source{};     ///< for people: "typical"
};

/// An algorithm's closed forms and what they come to.
struct CostAccount {
  const Algorithm* algorithm = nullptr;
  std::string excluded;             ///< why it cannot run here; then there is nothing else
  Parameters parameters;            ///< with the segments it is counted with
  Formula time, rounds, transfers;  ///< as the register has them
  SymbolValues values{};            ///< of all symbols
  Cost cost{};                      ///< startups, words and so on
  double seconds = 0;               ///< T
  std::optional<Formula> best{};    ///< k* as a formula, where there is one
  double best_exactly = 0;          ///< k*; infinite if a start-up is free, 0 where no number is the best
  int ports = 1;                    ///< that work at the same time
  LowerBound bound{};               ///< with so many ports
  double bound_seconds = 0;
};

/// Of some algorithms of the question's collective.
std::vector<CostAccount> accounts(const CostQuestion& question, std::span<const Algorithm* const> algorithms);

/// Against each of the others that can run here: where the cheaper of the two changes.
std::vector<Crossover> cut_offs(const CostQuestion& question, const Algorithm& algorithm);

/// A symbol of an account and what it means: "m", "bytes of a message".
std::string meaning(const CostAccount& account, const std::string& symbol);

/// What `vnode cost` writes.
enum class CostFormat { text, json, csv, latex };

/// One algorithm; in CSV without its cut-offs.
void report(const CostQuestion& question, const Algorithm& algorithm, CostFormat format);
/// All of a collective, the cheapest first, and where the cheapest changes, which CSV leaves out.
void report(const CostQuestion& question, CostFormat format);

/// Table 4.1 of Grama et al. for a hypercube of `nodes` nodes, 2^d, and beside the book's formulas what our
/// schedules count. UsageError for other numbers of nodes.
void print_table_4_1(int nodes, CostFormat format);

}  // namespace vnode
