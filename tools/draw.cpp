#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/draw.hpp>
#include <vnode/lab/link_loads.hpp>
#include <vnode/lab/simulate.hpp>
#include <vnode/model/timeline.hpp>

#include "base/counted.hpp"
#include "commands.hpp"
#include "files/file.hpp"
#include "options/costs.hpp"
#include "options/machines.hpp"
#include "options/subject.hpp"
#include "options/values.hpp"
#include "options/written.hpp"

namespace vnode {
namespace {

/// Simulates when each message of the subject is on its way, if m is `bytes`, by the event-driven simulator.
Simulation predicted(const Subject& subject, std::size_t bytes, const CostChoice& costs) {
  Simulation run =
      simulate(subject.schedule, subject.volume(bytes), subject.interconnect(),
               simulation_options_of(subject.ports(), subject.topology.nodes(), subject.machines, costs));
  run.timeline.title = fmt::format("{}, {}, predicted", subject.title, counted(bytes, "byte"));
  return run;
}

/// Returns how long each directed link carried messages, which are taken to have been on all links of their
/// ways from departure to end. Throws UsageError if the run has another number of nodes than the topology.
std::vector<LinkUse> measured_link_use(const Timeline& run, const Topology& topology, Routing routing) {
  if (run.nodes != topology.nodes())
    throw UsageError(fmt::format("a run of {} has no links among {}", counted(run.nodes, "node"),
                                 counted(topology.nodes(), "node")));
  std::map<int, std::vector<std::pair<double, double>>> times;  // by directed link
  for (const TimedMessage& message : run.messages)
    for (const int link : topology.route(message.from, message.to, routing))
      times[link].emplace_back(message.departure, message.end);
  std::vector<LinkUse> uses;
  for (auto& [link, spans] : times) {
    std::ranges::sort(spans);
    double seconds = 0, until = 0;
    for (const auto& [begin, end] : spans) {
      seconds += std::max(0.0, end - std::max(begin, until));
      until = std::max(until, end);
    }
    uses.push_back({link, seconds});
  }
  return uses;
}

enum class Picture { rounds, space_time, heat_map, mapping };
enum class Form { svg, text, html };
const Choices<Form> draw_forms{{"svg", Form::svg}, {"text", Form::text}, {"html", Form::html}};

struct DrawOptions {
  SubjectOptions subject;
  Picture picture = Picture::rounds;
  std::optional<Form> asked_format;
  Form format = Form::svg;
  Theme theme = Theme::automatic;
  std::optional<std::string> title, trace, output, machine;
  std::optional<int> round;
  std::optional<Panels> panels;
  int colours = 0;
  bool states = false, binary = false;
  std::optional<std::size_t> bytes;
  CostOptions costs;
};

Timeline read_trace(const std::string& path) {
  const std::string text = read_file(path);
  try {
    Timeline run = timeline_from_trace(text);
    if (run.title.empty()) run.title = path;
    return run;
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
}

/// Holds what is drawn: the subject, and the measured run if there is one. What the run says of itself fills
/// in what is not asked for.
struct Drawn {
  Subject subject;
  std::size_t bytes = 1024;
  CostChoice costs{};
  std::optional<Timeline> run{};
};

std::string wrong_trace(const DrawOptions& options, const std::string& reason) {
  return fmt::format("--trace {}: {}", *options.trace, reason);
}

void fill_in(SubjectOptions& subject, const Timeline& run) {
  if (subject.schedule) return;
  if (subject.algorithm.empty()) subject.algorithm = run.of.algorithm;
  if (subject.algorithm.empty()) return;
  const Algorithm& wanted = algorithm(subject.algorithm);
  if (!subject.nodes && !(subject.topology && Shape::parse(*subject.topology).nodes()))
    subject.nodes = run.nodes;
  if (!subject.topology && !run.of.topology.empty()) subject.topology = run.of.topology;
  if (!subject.segments && wanted.segments) subject.segments = run.of.segments;
  if (!subject.root && has_root(wanted.collective)) subject.root = run.of.root;
}

// Throws UsageError if the run has another number of nodes, or a message that the schedule lacks.
void check_run(const DrawOptions& options, const Subject& subject, const Timeline& run) {
  if (run.nodes != subject.topology.nodes())
    throw UsageError(wrong_trace(options, fmt::format("a run of {}, not of {}", counted(run.nodes, "node"),
                                                      subject.topology.nodes())));
  std::set<std::tuple<int, Rank, Rank>> known;
  int number = 0;
  for (const Round& round : subject.schedule.rounds()) {
    for (const Transfer& message : messages(round)) known.emplace(number, message.from, message.to);
    ++number;
  }
  for (const TimedMessage& message : run.messages)
    if (!known.contains({message.round, message.from, message.to}))
      throw UsageError(
          wrong_trace(options, fmt::format("round {} has a message {}>{}, that of {} has none",
                                           message.round + 1, message.from, message.to, subject.title)));
}

// Returns what is drawn of pictures with times: with the costs, the size of the message and the run.
Drawn timed(const DrawOptions& options) {
  SubjectOptions wanted = options.subject;
  std::optional<Timeline> run;
  if (options.trace) {
    run = read_trace(*options.trace);
    if (run->messages.empty())
      throw UsageError(wrong_trace(options, "it has no message, so there is nothing to draw"));
    fill_in(wanted, *run);
    const std::string& ran = run->of.algorithm;
    if (!wanted.schedule && !ran.empty() && ran != wanted.algorithm)
      throw UsageError(wrong_trace(options, fmt::format("a run of {}, not of {}", ran, wanted.algorithm)));
  }
  Drawn drawn{.subject = vnode::subject(wanted)};
  if (run) drawn.bytes = run->of.bytes.value_or(drawn.bytes);
  drawn.bytes = options.bytes.value_or(drawn.bytes);
  drawn.costs = chosen_costs(options.costs, drawn.subject.topology.nodes(), drawn.subject.machines);
  drawn.subject = with_segments(std::move(drawn.subject), wanted, drawn.bytes, drawn.costs.costs);
  if (run) check_run(options, drawn.subject, *run);
  drawn.run = std::move(run);
  return drawn;
}

std::vector<Timeline> runs_of(const Drawn& drawn) {
  std::vector<Timeline> runs{predicted(drawn.subject, drawn.bytes, drawn.costs).timeline};
  if (drawn.run) runs.push_back(*drawn.run);
  return runs;
}

std::string title_of(const DrawOptions& options, const Subject& subject) {
  if (options.title) return *options.title;
  std::string title =
      fmt::format("{} on {}", subject.title,
                  subject.machines > 1 ? nodes_text(subject.topology.nodes(), subject.machines)
                                       : topology_text(subject.topology));
  if (subject.collective && has_root(*subject.collective))
    title += fmt::format(", root {}", subject.parameters.root);
  return title;
}

/// Returns what the subject's schedule is to achieve, where that is known.
std::optional<Contract> contract_of(const Subject& subject) {
  if (!subject.collective) return std::nullopt;
  return contract(*subject.collective, subject.parameters, subject.schedule.blocks());
}

std::string drawn_page(const DrawOptions& options) {
  const Drawn drawn = timed(options);
  const Subject& subject = drawn.subject;
  const RoundsPage contents{.title = title_of(options, subject),
                            .schedule = subject.schedule,
                            .topology = subject.topology,
                            .routing = subject.routing,
                            .contract = contract_of(subject),
                            .runs = runs_of(drawn),
                            .colours = options.colours};
  return page(contents, options.theme);
}

std::string drawn_heat_map(const DrawOptions& options) {
  const Drawn drawn = timed(options);
  const Subject& subject = drawn.subject;
  HeatMapPicture picture{.title = title_of(options, subject), .topology = subject.topology};
  Timeline run;
  if (drawn.run) {
    run = *drawn.run;
    picture.use = measured_link_use(run, subject.topology, subject.routing);
  } else {
    Simulation prediction = predicted(subject, drawn.bytes, drawn.costs);
    picture.use = std::move(prediction.links);
    run = std::move(prediction.timeline);
  }
  picture.run = run.title;
  picture.seconds = run.seconds;
  return draw(picture, options.format == Form::text ? Pen::text : Pen::svg, options.theme);
}

/// Suggests a heat map where a round has more messages than can be told apart.
void suggest_heat_map(const Schedule& schedule) {
  constexpr std::size_t most = 500;
  std::size_t longest = 0;
  for (const Round& round : schedule.rounds()) longest = std::max(longest, messages(round).size());
  if (longest > most)
    std::fputs(
        fmt::format(
            "vnode: {} messages in one round cover each other: --picture heat-map shows which links they "
            "use\n",
            longest)
            .c_str(),
        stderr);
}

std::string drawn_rounds(const DrawOptions& options) {
  const Subject subject = timed(options).subject;
  const std::string picture = draw(RoundsPicture{.title = title_of(options, subject),
                                                 .schedule = subject.schedule,
                                                 .topology = subject.topology,
                                                 .routing = subject.routing,
                                                 .round = options.round,
                                                 .panels = options.panels,
                                                 .colours = options.colours,
                                                 .machines = subject.machines,
                                                 .contract = contract_of(subject),
                                                 .states = options.states,
                                                 .binary = options.binary},
                                   options.format == Form::text ? Pen::text : Pen::svg, options.theme);
  if (options.format == Form::svg) suggest_heat_map(subject.schedule);
  return picture;
}

std::string drawn_mapping(const DrawOptions& options) {
  const auto nodes = options.subject.nodes;
  if (!nodes) throw UsageError("the number of nodes is missing: --picture mapping needs --nodes P");
  const int machines = machines_of(options.subject, *nodes);
  const Machine machine = options.machine ? Machine::parse(*options.machine) : Machine::discover();
  const std::string title = options.title.value_or(
      fmt::format("{} {} {}", nodes_text(*nodes, machines), machines > 1 ? "like" : "on",
                  machine.model.empty() || options.machine ? machine.source : machine.model));
  const auto [all, mapping] = placed_nodes(*nodes, machines, machine);
  return draw(MappingPicture{title, all, mapping}, options.format == Form::text ? Pen::text : Pen::svg,
              options.theme);
}

// Throws UsageError if an option is given that the picture has no use for.
void refuse_unused(const DrawOptions& options) {
  const bool rounds = options.picture == Picture::rounds, page = options.format == Form::html;
  const auto refuse = [](bool given, const char* sentence) {
    if (given) throw UsageError(sentence);
  };
  refuse(!rounds && page, "--format html plays rounds: no other picture has that form");
  refuse(options.round && (!rounds || page), "--round goes with --picture rounds, as svg or text");
  refuse(options.panels && (!rounds || options.format != Form::svg),
         "--panels goes with --picture rounds, as svg");
  refuse(
      (options.states || options.binary) && (!rounds || page),
      "--states and --binary go with --picture rounds, as svg or text; the page's table has what nodes hold");
  refuse(options.colours > 0 && !rounds, "--colours goes with --picture rounds");
  refuse(options.trace && rounds && !page,
         "--trace goes with --picture space-time or heat-map, or with --format html");
  const bool machines = options.subject.machines.value_or(1) > 1;
  refuse(machines && page, "--format html plays rounds on a topology: leave --machines out");
  refuse(machines && options.picture == Picture::heat_map,
         "--picture heat-map is of a topology's links: leave --machines out");
  const bool mapping = options.picture == Picture::mapping;
  refuse(options.machine && !mapping, "--machine goes with --picture mapping");
  refuse(mapping && !options.subject.algorithm.empty(),
         "--picture mapping shows no algorithm: leave its name out");
  refuse(mapping && options.subject.schedule, "--picture mapping shows no schedule: leave --schedule out");
  refuse(mapping && options.subject.topology, "--picture mapping shows no topology: give --nodes P");
  refuse(mapping && options.trace, "--picture mapping shows no run: leave --trace out");
  const SubjectOptions& subject = options.subject;
  refuse(
      mapping && (options.bytes || options.costs.any() || subject.segments || subject.routing ||
                  subject.root || subject.shift || subject.radix || subject.collective || subject.in_order),
      "--picture mapping shows no message: only --nodes, --machine, --title, --theme, --format and "
      "--output go "
      "with it");
}

std::string drawn(const DrawOptions& options) {
  refuse_unused(options);
  switch (options.picture) {
    case Picture::mapping:
      return drawn_mapping(options);
    case Picture::heat_map:
      return drawn_heat_map(options);
    case Picture::space_time: {
      const Drawn drawn = timed(options);
      return draw(SpaceTimePicture{title_of(options, drawn.subject), runs_of(drawn), drawn.subject.machines},
                  options.format == Form::text ? Pen::text : Pen::svg, options.theme);
    }
    case Picture::rounds:
      break;
  }
  return options.format == Form::html ? drawn_page(options) : drawn_rounds(options);
}

void add_look(Command command, const std::shared_ptr<DrawOptions>& options) {
  command.choice("--picture",
                 {{"rounds", Picture::rounds},
                  {"space-time", Picture::space_time},
                  {"heat-map", Picture::heat_map},
                  {"mapping", Picture::mapping}},
                 options->picture,
                 "messages on the topology, messages in time, use of links, or nodes on the machine");
  command.group("Output").choice<Form>(
      "--format", draw_forms, into(options->asked_format),
      "what to write; html plays the rounds (default: as --output ends, or svg)");
  add_theme(command, options->theme);
  command = command.group("Picture");
  command.option("--title", into(options->title), "above the picture (default: what is drawn)")
      .type_name("TEXT");
  command
      .whole(
          "--round", {.least = 1}, [options](int round) { options->round = round - 1; },
          "only this round, from 1")
      .type_name("N");
  command.choice<Panels>(
      "--panels", {{"one", Panels::one}, {"rounds", Panels::rounds}, {"animated", Panels::animated}},
      into(options->panels),
      "all rounds in one, numbered, or one each, or one after the other at the same place, an SVG that moves "
      "(default: one if it can be read)");
  command.flag("--states", options->states,
               "what every node holds before each round, and in the end, as the book's figures show it");
  command.flag("--binary", options->binary, "ranks as binary numbers, as the book labels hypercubes");
  command
      .whole("--colours", {.least = 1, .most = 6}, into(options->colours),
             "classes of blocks with a colour each: block mod N (default: one per block up to 6)")
      .type_name("N");
}

}  // namespace

void add_draw(const Command& program) {
  const auto options = std::make_shared<DrawOptions>();
  const Command command = program.command("draw", "Draw the rounds of an algorithm, its time, its links");
  add_subject(command, options->subject);
  add_look(command, options);
  add_bytes(command, into(options->bytes), "the run's, or 1K");
  add_costs(command, options->costs);
  add_cost_source(command, options->costs);
  add_network(command, options->costs);
  command.group("Picture")
      .option("--trace", into(options->trace), "a measured run, to be laid over the prediction")
      .type_name("FILE");
  command.group("Picture")
      .option("--machine", into(options->machine),
              "of --picture mapping: hwloc's XML or a synthetic text (default: this machine)")
      .type_name("NAME|FILE.xml|SYNTHETIC");
  add_output(command, options->output);
  command.examples(
      {{"vnode draw broadcast_mesh --topology mesh:4x4 --output mesh.svg", "its rounds, a panel each"},
       {"vnode draw all_to_all_pairwise --nodes 8 --output player.html", "a page that plays the rounds"},
       {"vnode draw all_reduce_ring --nodes 8 --picture space-time", "messages in time"}});
  command.run([options] {
    options->format = form_of(draw_forms, options->asked_format, Form::svg, options->output);
    write_output(drawn(*options), options->output);
  });
}

}  // namespace vnode
