#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <vnode/lab/formula.hpp>
#include <vnode/lab/lower_bounds.hpp>
#include <vnode/lab/textbook.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/topology.hpp>

namespace vnode {

/// Says of what call the cost is asked for: of which collective, for how many bytes, where.
struct CostQuestion {
  Topology topology;
  Demand demand{};                ///< collective, parameters, bytes
  std::optional<int> segments{};  ///< as asked for; otherwise the best number
  CostModel costs{};              ///< what a message costs
  std::string costs_source{};     ///< for people: "typical"
};

/// Holds an algorithm's closed forms and their values.
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

/// Returns the accounts of some algorithms of the question's collective.
std::vector<CostAccount> accounts(const CostQuestion& question, std::span<const Algorithm* const> algorithms);

/// Returns, against each of the other algorithms that can run here, the sizes where the cheaper of the two
/// changes.
std::vector<Crossover> cut_offs(const CostQuestion& question, const Algorithm& algorithm);

/// Says what a symbol of an account means: "bytes of a message" for "m".
std::string meaning(const CostAccount& account, const std::string& symbol);

/// Says what `vnode cost` writes.
enum class CostFormat { text, json, csv, latex };

/// Prints the account of one algorithm; in CSV without its cut-offs.
void report(const CostQuestion& question, const Algorithm& algorithm, CostFormat format);
/// Prints all algorithms of a collective, the cheapest first, and where the cheapest changes, which CSV
/// leaves out.
void report(const CostQuestion& question, CostFormat format);

/// Prints Table 4.1 of Grama et al. for a hypercube of `nodes` = 2^d nodes, and beside the book's formulas
/// what vnode's schedules count. Throws UsageError for other numbers of nodes.
void print_table_4_1(int nodes, CostFormat format);

}  // namespace vnode
