#include "simulate/simulate_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/counted.hpp"
#include "machine/bank_text.hpp"
#include "options/machines.hpp"
#include "terminal/csv.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

constexpr double nanoseconds = 1e9;

std::string_view ports_name(Ports ports) { return ports == Ports::all ? "all" : "single"; }
std::string_view duplex_name(Duplex duplex) { return duplex == Duplex::half ? "half" : "full"; }

// Says where messages travel: "mesh:4x4", "4 machines".
std::string network_of(const Subject& subject) {
  return subject.machines > 1 ? counted(subject.machines, "machine") : subject.topology.text();
}

std::string_view routing_of(const Subject& subject) {
  return subject.machines > 1 ? "" : enums::name(subject.routing);
}

bool has_segments(const Simulated& one) {
  return one.subject.algorithm != nullptr && one.subject.algorithm->segments;
}

// Says which link it is; a machine has links to the network.
std::string link_text(const Subject& subject, int directed_link) {
  if (subject.machines > 1)
    return fmt::format("{} machine {}", directed_link % 2 == 0 ? "out of" : "into", directed_link / 2);
  const DirectedLink ends = subject.topology.ends(directed_link);
  return fmt::format("{} to {}", ends.from, ends.to);
}

// Returns the link that is held longest, or null.
const LinkUse* busiest(const Simulation& simulation) {
  const auto at = std::ranges::max_element(simulation.links, {}, &LinkUse::seconds);
  return at == simulation.links.end() ? nullptr : &*at;
}

std::string heading(const Simulated& one) {
  const Subject& subject = one.subject;
  std::string text =
      subject.machines > 1
          ? fmt::format("{} on {}", subject.title, nodes_text(subject.parameters.nodes, subject.machines))
          : fmt::format("{} on {}, {} by {}", subject.title, counted(subject.parameters.nodes, "node"),
                        subject.topology.text(), enums::name(subject.routing));
  if (const auto form = subject.parameters.hierarchy.ways().form; form && subject.machines > 1)
    text += fmt::format(", {}", enums::name(*form));
  if (subject.collective && has_root(*subject.collective))
    text += fmt::format(", root {}", subject.parameters.root);
  if (has_segments(one)) text += ", " + counted(subject.parameters.segments, "segment");
  return text + ", " + counted(one.volume.bytes, "byte") + '\n';
}

std::string setting(const Simulated& one) {
  const SimulationOptions& options = one.options;
  std::string text = fmt::format("ports {}, {}, {} duplex; ", ports_name(options.ports),
                                 enums::name(options.switching), duplex_name(one.duplex));
  if (const auto* const log_gp = std::get_if<LogGP>(&options.costs))
    text +=
        fmt::format("L = {:g} ns, o = {:g} ns, g = {:g} ns, G = {:g} ns per byte", log_gp->L * nanoseconds,
                    log_gp->o * nanoseconds, log_gp->g * nanoseconds, log_gp->G * nanoseconds);
  else
    text += fmt::format("t_s = {:g} ns, t_w = {:g} ns per byte", one.costs.t_s * nanoseconds,
                        one.costs.t_w * nanoseconds);
  text += fmt::format(", t_op = {:g} ns per byte", options.t_op * nanoseconds);
  if (options.hop > 0) text += fmt::format(", {:g} ns per hop", options.hop * nanoseconds);
  if (one.memory)
    text += fmt::format(", banks {} of {} at {:g} GB/s ({})", enums::name(one.memory->banks.policy()),
                        one.memory->machine.source, one.memory->memory.bandwidth.front() * 1e-9,
                        one.memory->source);
  if (one.inside)
    text += fmt::format(
        "; these between machines, which formula and rounds take for all messages, and inside t_s = {:g} ns, "
        "t_w = {:g} ns per byte",
        one.inside->t_s * nanoseconds, one.inside->t_w * nanoseconds);
  if (options.noise > 0) text += fmt::format(", noise {:g} of seed {}", options.noise, options.seed);
  return fmt::format("{}; costs {}\n", text, one.costs_source);
}

void print_step(const CriticalStep& step) {
  const TimedMessage& message = step.message;
  const std::string what = step.combines() ? fmt::format("{} combines", message.from)
                                           : fmt::format("{} > {}", message.from, message.to);
  fmt::print("  round {:<3} {:<9} {:>7} {:>9} to {:>9}{}\n", message.round + 1, what,
             shown_size(message.bytes), shown_time(message.start), shown_time(message.end),
             step.held_by == HeldBy::none ? "" : fmt::format("  held by {}", enums::name(step.held_by)));
}

void print_path(const std::vector<CriticalStep>& path) {
  constexpr std::size_t ends = 5;
  fmt::print("\ncritical path, {}\n", counted(path.size(), "step"));
  for (std::size_t i = 0; i < path.size(); ++i)
    if (path.size() <= 2 * ends + 1 || i < ends || i >= path.size() - ends)
      print_step(path[i]);
    else if (i == ends)
      fmt::print("  ... {} more\n", path.size() - 2 * ends);
}

// Describes the tightest round: "4 streams of bank 1, which feeds 2.5". Banks have the system's numbers.
std::string condition_text(const BankCondition& condition, const Machine& machine) {
  const BankLoad load = condition.tightest();
  if (load.bank < 0) return "nothing is sent";
  return fmt::format("{:g} streams of bank {}, which feeds {:g}: {}", load.streams,
                     bank_text(machine, load.bank), condition.most[static_cast<std::size_t>(load.bank)],
                     condition.holds() ? "no round is slower" : fmt::format("t_w times {:.3g}", load.factor));
}

void print_one(const Simulated& one) {
  const Simulation& simulation = one.simulation;
  fmt::print("{}{}\n", heading(one), folded(setting(one), terminal_width(), hanging));
  const auto row = [](std::string_view what, double seconds, const std::string& more) {
    fmt::print("{:<18} {:>10}{}{}\n", what, shown_time(seconds), more.empty() ? "" : "   ", more);
  };
  if (one.formula) row("by formula", *one.formula, std::string(one.subject.algorithm->time));
  if (one.bound) row("lower bound", *one.bound, "");
  row("round by round", one.steps.uncongested, counted(one.steps.rounds.size(), "round"));
  row("  with congestion", one.steps.scaled, fmt::format("load {}", one.steps.load));
  if (one.condition)
    row("  with banks", one.condition->seconds, condition_text(*one.condition, one.memory->machine));
  row("message by message", simulation.seconds,
      fmt::format("{}, up to {} at a time", counted(simulation.messages, "message"), simulation.peak));
  if (const LinkUse* const link = busiest(simulation)) {
    row("busiest link", link->seconds,
        fmt::format("{}, {:.0f} % of the time", link_text(one.subject, link->directed_link),
                    simulation.seconds > 0 ? 100 * link->seconds / simulation.seconds : 0));
  }
  print_path(simulation.critical_path);
}

Json link_json(const Subject& subject, int directed_link) {
  if (subject.machines > 1)
    return {{"machine", directed_link / 2}, {"direction", directed_link % 2 == 0 ? "out" : "in"}};
  const DirectedLink ends = subject.topology.ends(directed_link);
  return {{"from", ends.from}, {"to", ends.to}};
}

Json message_json(const TimedMessage& message) {
  return {{"round", message.round + 1}, {"from", message.from},   {"to", message.to},
          {"bytes", message.bytes},     {"start", message.start}, {"departure", message.departure},
          {"end", message.end}};
}

Json costs_json(const Simulated& one) {
  Json json;
  if (const auto* const log_gp = std::get_if<LogGP>(&one.options.costs))
    json = {{"L", log_gp->L}, {"o", log_gp->o}, {"g", log_gp->g}, {"G", log_gp->G}};
  else
    json = {{"t_s", one.costs.t_s}, {"t_w", one.costs.t_w}};
  json["t_op"] = one.options.t_op;
  json["hop"] = one.options.hop;
  return json;
}

Json steps_json(const Simulated& one) {
  Json rounds = Json::array(), links = Json::array();
  for (const RoundTime& round : one.steps.rounds)
    rounds.push_back(
        {{"uncongested", round.uncongested},
         {"scaled", round.scaled},
         {"load", round.load.messages},
         {"largest", one.volume.of(round.load.largest)},
         {"busiest_link", round.busiest_link < 0 ? Json() : link_json(one.subject, round.busiest_link)}});
  for (const LinkTraffic& link : one.steps.links) {
    Json json = link_json(one.subject, link.directed_link);
    json.update({{"messages", link.messages}, {"bytes", link.bytes}, {"load", link.load}});
    links.push_back(std::move(json));
  }
  return {{"uncongested", one.steps.uncongested},
          {"scaled", one.steps.scaled},
          {"load", one.steps.load},
          {"rounds", std::move(rounds)},
          {"links", std::move(links)}};
}

Json simulation_json(const Simulated& one) {
  const Simulation& simulation = one.simulation;
  Json nodes = Json::array(), links = Json::array(), path = Json::array(), messages = Json::array();
  for (const NodeUse& node : simulation.nodes)
    nodes.push_back({{"send", node.send}, {"receive", node.receive}});
  for (const LinkUse& link : simulation.links) {
    links.push_back(link_json(one.subject, link.directed_link));
    links.back()["seconds"] = link.seconds;
  }
  for (const CriticalStep& step : simulation.critical_path) {
    path.push_back(message_json(step.message));
    path.back()["held_by"] = enums::name(step.held_by);
    path.back()["since"] = step.since;
  }
  for (const TimedMessage& message : simulation.timeline.messages) messages.push_back(message_json(message));
  return {{"seconds", simulation.seconds},  {"messages", simulation.messages},
          {"peak", simulation.peak},        {"nodes", std::move(nodes)},
          {"links", std::move(links)},      {"critical_path", std::move(path)},
          {"timeline", std::move(messages)}};
}

Json memory_json(const Simulated& one) {
  if (!one.memory) return {};
  Json homes = Json::array(), rounds = Json::array();
  for (Rank node = 0; node < one.subject.topology.nodes(); ++node)
    homes.push_back(one.memory->banks.home(node));
  for (const BankLoad& load : one.condition->rounds)
    rounds.push_back({{"bank", load.bank < 0 ? Json() : Json(load.bank)},
                      {"streams", load.streams},
                      {"factor", load.factor}});
  return {{"machine", one.memory->machine.source},
          {"banks", enums::name(one.memory->banks.policy())},
          {"homes", std::move(homes)},
          {"bandwidth", one.memory->memory.bandwidth},
          {"between", one.memory->memory.between},
          {"feeds", one.condition->most},
          {"holds", one.condition->holds()},
          {"seconds", one.condition->seconds},
          {"rounds", std::move(rounds)}};
}

Json json_of(const Simulated& one) {
  const Subject& subject = one.subject;
  return {{"algorithm", subject.title},
          {"nodes", subject.parameters.nodes},
          {"root", subject.parameters.root},
          {"segments", subject.parameters.segments},
          {"bytes", one.volume.bytes},
          {"topology", network_of(subject)},
          {"routing", routing_of(subject)},
          {"ports", ports_name(one.options.ports)},
          {"switching", enums::name(one.options.switching)},
          {"duplex", duplex_name(one.duplex)},
          {"noise", one.options.noise},
          {"seed", one.options.seed},
          {"costs", costs_json(one)},
          {"memory", memory_json(one)},
          {"formula", one.formula ? Json(*one.formula) : Json()},
          {"lower_bound", one.bound ? Json(*one.bound) : Json()},
          {"step_synchronous", steps_json(one)},
          {"event_driven", simulation_json(one)}};
}

}  // namespace

void print_table(const std::vector<Simulated>& all) {
  if (all.size() == 1) return print_one(all.front());
  if (all.empty()) return;
  const std::size_t width = terminal_width();
  fmt::print("{}\n",
             folded(fmt::format("{}, {}", all.front().subject.title, setting(all.front())), width, hanging));
  std::vector<std::vector<std::string>> rows{
      {"nodes", "m", "k", "topology", "by formula", "by rounds", "congested", "by messages", "load"}};
  for (const Simulated& one : all)
    rows.push_back({fmt::to_string(one.subject.parameters.nodes), shown_size(one.volume.bytes),
                    has_segments(one) ? fmt::to_string(one.subject.parameters.segments) : "-",
                    network_of(one.subject), one.formula ? shown_time(*one.formula) : "-",
                    shown_time(one.steps.uncongested), shown_time(one.steps.scaled),
                    shown_time(one.simulation.seconds), fmt::to_string(one.steps.load)});
  fmt::print("{}", table(rows, 0, width));
}

void print_csv(const std::vector<Simulated>& all) {
  fmt::print(
      "algorithm,topology,routing,nodes,root,segments,bytes,formula_us,uncongested_us,scaled_us,event_driven_"
      "us,"
      "messages,load,busiest_link_us,lower_bound_us\n");
  for (const Simulated& one : all) {
    const LinkUse* const link = busiest(one.simulation);
    fmt::print("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(one.subject.title),
               network_of(one.subject), routing_of(one.subject), one.subject.parameters.nodes,
               one.subject.parameters.root, one.subject.parameters.segments, one.volume.bytes,
               csv_microseconds(one.formula), csv_microseconds(one.steps.uncongested),
               csv_microseconds(one.steps.scaled), csv_microseconds(one.simulation.seconds),
               one.simulation.messages, one.steps.load, csv_microseconds(link != nullptr ? link->seconds : 0),
               csv_microseconds(one.bound));
  }
}

void print_trace(const Simulated& one) {
  Timeline timeline = one.simulation.timeline;
  timeline.title = fmt::format("{}, {}, simulated", one.subject.title, counted(one.volume.bytes, "byte"));
  fmt::print("{}", to_trace(timeline));
}

void print_json(const std::vector<Simulated>& all, bool sweep) {
  Json list = Json::array();
  for (const Simulated& one : all) list.push_back(json_of(one));
  fmt::print("{}\n", (sweep ? list : list.at(0)).dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace vnode
