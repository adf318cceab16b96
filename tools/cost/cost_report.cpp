#include "cost/cost_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "terminal/csv.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

std::string in_bytes(double bytes) { return fmt::format("{:.0f} bytes", bytes); }

// Returns the symbols that the formulas of an account use.
std::set<std::string> used_symbols(const CostAccount& account) {
  std::set<std::string> used;
  for (const Formula* formula : {&account.time, &account.rounds, &account.transfers})
    for (const std::string& symbol : formula->symbols()) used.insert(symbol);
  return used;
}

bool uses_segments(const Formula& bound) { return std::ranges::count(bound.symbols(), "k") > 0; }

void print_folded(const std::string& line) { fmt::print("{}\n", folded(line, terminal_width(), hanging)); }

void print_heading(const CostQuestion& question, std::string_view title) {
  const CostModel& costs = question.costs;
  fmt::print("{} of {} on {}, {}\n", title, counted(question.demand.bytes, "byte"),
             counted(question.topology.nodes(), "node"), question.topology.text());
  print_folded(fmt::format("costs, {}: t_s = {:g} ns, t_w = {:g} ns per byte, t_op = {:g} ns per byte",
                           question.costs_source, costs.t_s * 1e9, costs.t_w * 1e9, costs.t_op * 1e9));
}

void print_account(const CostAccount& account) {
  fmt::print("  time       {}\n  rounds     {} = {:g}\n  transfers  {} = {:g}\n", account.time.text(),
             account.rounds.text(), account.rounds.value(account.values), account.transfers.text(),
             account.transfers.value(account.values));
  fmt::print("  value      {} = {:.6g} t_s + {:.6g} t_w m", shown_time(account.seconds),
             account.cost.startups, account.cost.words);
  if (account.cost.combined > 0) fmt::print(" + {:.6g} t_op m", account.cost.combined);
  fmt::print("\n");
  if (account.best_exactly > 0) {
    const std::string best = std::isinf(account.best_exactly) ? "as many as possible"
                                                              : fmt::format("{:.4g}", account.best_exactly);
    fmt::print("  best k     {}{}, counted with {}\n", account.best ? account.best->text() + " = " : "", best,
               account.parameters.segments);
  }
  const Formula bound = Formula::parse(account.bound.formula);
  fmt::print("  at least   {} = {}", bound.text(), shown_time(account.bound_seconds));
  if (account.ports > 1) fmt::print(", g = {} ports", account.ports);
  // This is the bound's k: the algorithm has none, or calls its radix k.
  if (!account.algorithm->segments && uses_segments(bound)) fmt::print(", k = 1 segment");
  fmt::print("\n  symbols");
  const char* indent = "    ";
  for (const std::string& symbol : used_symbols(account)) {
    fmt::print("{}{:<5}{:<10.10g} {}\n", indent, symbol, account.values.named.at(symbol),
               meaning(account, symbol));
    indent = "             ";
  }
}

Json json_of(const Crossover& crossover) {
  return {{"bytes", crossover.bytes}, {"below", crossover.below->name}, {"above", crossover.above->name}};
}

Json json_of(const std::vector<Crossover>& crossovers) {
  Json list = Json::array();
  for (const Crossover& one : crossovers) list.push_back(json_of(one));
  return list;
}

Json json_of(const CostAccount& account) {
  Json json{{"algorithm", account.algorithm->name},
            {"time", account.time.text()},
            {"latex", account.time.latex()},
            {"rounds", account.rounds.text()},
            {"transfers", account.transfers.text()}};
  if (!account.excluded.empty()) json["excluded"] = account.excluded;
  if (account.values.named.empty()) return json;
  for (const std::string& symbol : used_symbols(account))
    json["symbols"][symbol] = {{"value", account.values.named.at(symbol)},
                               {"meaning", meaning(account, symbol)}};
  json["seconds"] = account.seconds;
  json["startups"] = account.cost.startups;
  json["words"] = account.cost.words;
  json["combined"] = account.cost.combined;
  if (account.algorithm->segments) json["segments"] = account.parameters.segments;
  if (account.best_exactly > 0) {
    json["best_segments"] = {{"formula", account.best ? Json(account.best->text()) : Json()},
                             {"value", account.best_exactly}};
  }
  json["lower_bound"] = {
      {"formula", account.bound.formula}, {"ports", account.ports}, {"seconds", account.bound_seconds}};
  if (uses_segments(Formula::parse(account.bound.formula)))
    json["lower_bound"]["segments"] = account.parameters.segments;
  return json;
}

void print_csv(const CostQuestion& question, const std::vector<CostAccount>& accounts) {
  fmt::print(
      "collective,bytes,nodes,topology,algorithm,formula_us,startups,words,combined,rounds,transfers,"
      "segments,best_segments,ports,lower_bound_us,time,excluded\n");
  for (const CostAccount& one : accounts) {
    std::vector<std::string> fields{std::string(enums::name(question.demand.collective)),
                                    fmt::to_string(question.demand.bytes),
                                    fmt::to_string(question.topology.nodes()), question.topology.text(),
                                    std::string(one.algorithm->name)};
    if (one.values.named.empty())
      fields.insert(fields.end(), 10, "");
    else
      fields.insert(fields.end(),
                    {csv_microseconds(one.seconds), csv_number(one.cost.startups), csv_number(one.cost.words),
                     csv_number(one.cost.combined), csv_number(one.rounds.value(one.values)),
                     csv_number(one.transfers.value(one.values)),
                     one.algorithm->segments ? fmt::to_string(one.parameters.segments) : "",
                     one.best_exactly > 0 ? csv_number(one.best_exactly) : "", fmt::to_string(one.ports),
                     csv_microseconds(one.bound_seconds)});
    fields.insert(fields.end(), {one.time.text(), one.excluded});
    fmt::print("{}", csv_line(fields));
  }
}

std::string latex_name(std::string_view name) {
  std::string text;
  for (const char c : name) text += c == '_' ? std::string("\\_") : std::string(1, c);
  return "\\text{" + text + '}';
}

void print_latex(const std::vector<CostAccount>& accounts) {
  fmt::print("\\begin{{align*}}\n");
  for (const CostAccount& account : accounts) {
    fmt::print("  T_{{{}}} &= {} \\\\\n", latex_name(account.algorithm->name), account.time.latex());
    if (account.best) fmt::print("  k^{{*}} &= {} \\\\\n", account.best->latex());
  }
  fmt::print("\\end{{align*}}\n");
}

}  // namespace

void report(const CostQuestion& question, const Algorithm& algorithm, CostFormat format) {
  const CostAccount one = accounts(question, std::array{&algorithm}).front();
  if (const auto reason = why_not(algorithm, question.demand.parameters))
    throw UsageError(fmt::format("{} {}", algorithm.name, *reason));
  if (format == CostFormat::latex) return print_latex({one});
  if (format == CostFormat::csv) return print_csv(question, {one});
  const std::vector<Crossover> limits = cut_offs(question, algorithm);
  if (format == CostFormat::json) {
    Json json = json_of(one);
    json["cut_offs"] = json_of(limits);
    fmt::print("{}\n", json.dump(2));
    return;
  }
  print_heading(question, algorithm.name);
  print_account(one);
  if (!one.excluded.empty()) fmt::print("  here       {}\n", one.excluded);
  for (const Crossover& limit : limits)
    fmt::print("{}\n", folded(fmt::format("  cut-off    {}: shorter messages by {}, longer ones by {}",
                                          in_bytes(limit.bytes), limit.below->name, limit.above->name),
                              terminal_width(), 13));
}

void report(const CostQuestion& question, CostFormat format) {
  std::vector<const Algorithm*> of_it;
  for (const Algorithm& algorithm : algorithms())
    if (algorithm.collective == question.demand.collective) of_it.push_back(&algorithm);
  std::vector<CostAccount> all = accounts(question, of_it);
  if (format == CostFormat::latex) return print_latex(all);
  std::ranges::stable_sort(
      all, {}, [](const CostAccount& one) { return std::pair(!one.excluded.empty(), one.seconds); });
  if (format == CostFormat::csv) return print_csv(question, all);
  const std::vector<Crossover> limits = crossovers(question.demand, question.topology, question.costs);
  if (format == CostFormat::json) {
    Json json{{"collective", enums::name(question.demand.collective)}, {"algorithms", Json::array()}};
    for (const CostAccount& one : all) json["algorithms"].push_back(json_of(one));
    json["cut_offs"] = json_of(limits);
    fmt::print("{}\n", json.dump(2));
    return;
  }
  print_heading(question, enums::name(question.demand.collective));
  std::vector<std::vector<std::string>> rows;
  for (const CostAccount& one : all)
    rows.push_back({fmt::format("  {}", one.algorithm->name),
                    one.excluded.empty() ? shown_time(one.seconds) : "excluded",
                    one.excluded.empty() ? one.time.text() : one.excluded});
  fmt::print("{}", table_with_text(rows, terminal_width()));
  if (limits.empty()) fmt::print("the cheapest is the same for all sizes up to 1 GiB\n");
  for (const Crossover& limit : limits)
    print_folded(fmt::format("{}: shorter messages by {}, longer ones by {}", in_bytes(limit.bytes),
                             limit.below->name, limit.above->name));
}

}  // namespace vnode
