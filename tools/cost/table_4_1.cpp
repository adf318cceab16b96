#include <bit>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vnode/error.hpp>
#include <vnode/model/contract.hpp>

#include "cost/cost_report.hpp"
#include "terminal/csv.hpp"
#include "terminal/table.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

struct TableRow {
  const char* operation;
  const char* time;       // the book's, in the grammar of formulas
  const char* bandwidth;  // of the cross-section, that it needs
  std::vector<const char*> algorithms;
};

const std::vector<TableRow>& rows() {
  static const char* const either = "min((t_s + t_w m) log2 p, 2 (t_s log2 p + t_w m))";
  static const char* const doubling = "t_s log2 p + t_w m (p - 1)";
  static const std::vector<TableRow> table{
      {"one-to-all broadcast", either, "1", {"broadcast_hypercube", "broadcast_splitting_hypercube"}},
      {"all-to-one reduction", either, "1", {"reduce_hypercube", "reduce_splitting_hypercube"}},
      {"all-to-all broadcast", doubling, "1", {"all_gather_hypercube"}},
      {"all-to-all reduction", doubling, "1", {"reduce_scatter_hypercube"}},
      {"all-reduce", either, "1", {"all_reduce_doubling", "all_reduce_rabenseifner"}},
      {"scatter", doubling, "1", {"scatter_hypercube"}},
      {"gather", doubling, "1", {"gather_hypercube"}},
      {"all-to-all personalized", "(t_s + t_w m) (p - 1)", "p", {"all_to_all_e_cube"}},
      {"circular shift", "t_s + t_w m", "p", {"circular_shift_direct"}},
  };
  return table;
}

// Returns the cost counted in the schedule, not by formula.
Cost cost_of_row(const char* name, int nodes) {
  const Algorithm& row = algorithm(name);
  const Parameters parameters{.nodes = nodes, .shift = 1};
  const Schedule schedule = row.build(parameters);
  return step_synchronous_cost(schedule,
                               contract(row.collective, parameters, schedule.blocks()).message_blocks);
}

void print_text(int nodes) {
  fmt::print("Table 4.1 of Grama et al.: a hypercube of {} nodes; ours as schedules count\n", nodes);
  for (const TableRow& row : rows()) {
    const std::string text =
        fmt::format("{:<24} {}, bandwidth Theta({})", row.operation, row.time, row.bandwidth);
    fmt::print("\n{}\n", folded(text, terminal_width(), 25));
    for (const char* name : row.algorithms) {
      const Cost cost = cost_of_row(name, nodes);
      fmt::print("  {:<32} {:g} t_s + {:.6g} t_w m\n", name, cost.startups, cost.words);
    }
  }
}

void print_json(int nodes) {
  Json json{{"nodes", nodes}, {"rows", Json::array()}};
  for (const TableRow& row : rows()) {
    Json one{{"operation", row.operation},
             {"time", row.time},
             {"bandwidth", row.bandwidth},
             {"schedules", Json::array()}};
    for (const char* name : row.algorithms) {
      const Cost cost = cost_of_row(name, nodes);
      one["schedules"].push_back({{"algorithm", name}, {"steps", cost.startups}, {"words", cost.words}});
    }
    json["rows"].push_back(std::move(one));
  }
  fmt::print("{}\n", json.dump(2));
}

void print_csv(int nodes) {
  fmt::print("nodes,operation,time,bandwidth,algorithm,steps,words\n");
  for (const TableRow& row : rows())
    for (const char* name : row.algorithms) {
      const Cost cost = cost_of_row(name, nodes);
      fmt::print("{}", csv_line({fmt::to_string(nodes), row.operation, row.time, row.bandwidth, name,
                                 csv_number(cost.startups), csv_number(cost.words)}));
    }
}

void print_latex(int nodes) {
  fmt::print("\\begin{{tabular}}{{llll}}\n  operation & time & bandwidth & schedules for $p = {}$ \\\\\n",
             nodes);
  for (const TableRow& row : rows()) {
    fmt::print("  {} & ${}$ & $\\Theta({})$ & ", row.operation, Formula::parse(row.time).latex(),
               row.bandwidth);
    for (const char* name : row.algorithms) {
      const Cost cost = cost_of_row(name, nodes);
      fmt::print("{}${:g} \\, t_{{s}} + {:.6g} \\, t_{{w}} \\, m$",
                 name == row.algorithms.front() ? "" : ", ", cost.startups, cost.words);
    }
    fmt::print(" \\\\\n");
  }
  fmt::print("\\end{{tabular}}\n");
}

}  // namespace

void print_table_4_1(int nodes, CostFormat format) {
  constexpr int most_nodes = 256;  // p^2 blocks are counted
  const auto p = static_cast<unsigned>(nodes);
  if (!std::has_single_bit(p) || nodes > most_nodes)
    throw UsageError(
        fmt::format("--nodes {}: the table is for hypercubes of up to {} nodes, {} would be right", nodes,
                    most_nodes, std::min(std::bit_floor(p), unsigned{most_nodes})));
  if (format == CostFormat::json)
    print_json(nodes);
  else if (format == CostFormat::csv)
    print_csv(nodes);
  else if (format == CostFormat::latex)
    print_latex(nodes);
  else
    print_text(nodes);
}

}  // namespace vnode
