#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <vnode/lab/link_loads.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "commands.hpp"
#include "options/subject.hpp"
#include "options/written.hpp"
#include "schedule/each_block.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

struct ShowOptions {
  SubjectOptions subject;
  Format format = Format::text;
};

std::size_t message_count(const Schedule& schedule) {
  std::size_t count = 0;
  for (const Round& round : schedule.rounds()) count += messages(round).size();
  return count;
}

/// Returns the messages on the busiest link: "1 2 4" by round, or "1 in every round".
std::string load_text(const std::vector<RoundLoad>& loads) {
  std::vector<int> messages;
  for (const RoundLoad& load : loads) messages.push_back(load.messages);
  const bool constant = std::ranges::adjacent_find(messages, std::not_equal_to{}) == messages.end();
  if (constant) return fmt::format("{} in every round", greatest_load(loads));
  return fmt::format("{}", fmt::join(messages, " "));
}

/// Returns how many blocks the busiest node of each round combines, summed over all rounds: what comes first
/// to a place that the contract leaves empty is only put there.
long combined_blocks(const Schedule& schedule, const Contract& contract) {
  const auto nodes = static_cast<std::size_t>(schedule.nodes()),
             blocks = static_cast<std::size_t>(schedule.blocks());
  std::vector<std::vector<bool>> held(nodes, std::vector<bool>(blocks));
  for (std::size_t rank = 0; rank < nodes; ++rank)
    each_block(contract.shares[rank].input,
               [&](int block) { held[rank][static_cast<std::size_t>(block)] = true; });
  long sum = 0;
  for (const Round& round : schedule.rounds()) {
    std::vector<long> combined(nodes);
    for (const Transfer& transfer : round)
      each_block(schedule, transfer, [&](int, int into) {
        const auto to = static_cast<std::size_t>(transfer.to), block = static_cast<std::size_t>(into);
        if (transfer.effect != Effect::replace && held[to][block]) ++combined[to];
        held[to][block] = true;
      });
    sum += std::ranges::max(combined);
  }
  return sum;
}

Cost cost_of(const Subject& subject) {
  const auto contract = subject.contract();
  if (!contract) return step_synchronous_cost(subject.schedule, subject.schedule.blocks());
  Cost cost = step_synchronous_cost(subject.schedule, contract->message_blocks);
  if (cost.combined > 0)
    cost.combined =
        static_cast<double>(combined_blocks(subject.schedule, *contract)) / contract->message_blocks;
  return cost;
}

/// Counts what crosses between machines: all of it, and that of the machine that sends or receives most.
struct Between {
  long messages = 0, blocks = 0, most_out = 0, most_in = 0;
};

Between between_machines(const Subject& subject) {
  const Interconnect interconnect = subject.interconnect();
  std::vector<long> out(static_cast<std::size_t>(subject.machines)), in = out;
  Between all;
  for (const Round& round : subject.schedule.rounds())
    for (const Transfer& message : messages(round)) {
      const int from = interconnect.machine_of(message.from), to = interconnect.machine_of(message.to);
      if (from == to) continue;
      const long blocks = subject.schedule.count(message.what);
      ++all.messages;
      all.blocks += blocks;
      at(out, from) += blocks;
      at(in, to) += blocks;
    }
  all.most_out = std::ranges::max(out);
  all.most_in = std::ranges::max(in);
  return all;
}

void print_load(const Subject& subject) {
  if (subject.machines == 1) {
    const std::string load = load_text(link_loads(subject.schedule, subject.topology, subject.routing));
    fmt::print("# load       {} on {}, routing {}\n\n", load, subject.topology.text(),
               enums::name(subject.routing));
    return;
  }
  const Between sum = between_machines(subject);
  const double whole = std::max(subject.volume(0).message_blocks, 1);
  fmt::print("# machines   {}: {} between them, {:.6g} m; out of one up to {:.6g} m, into one {:.6g} m\n\n",
             subject.machines, counted(sum.messages, "message"), static_cast<double>(sum.blocks) / whole,
             static_cast<double>(sum.most_out) / whole, static_cast<double>(sum.most_in) / whole);
}

// Prints a schedule in the text form, as --schedule reads it; what is said of it stands in comments.
void print_text(const Subject& subject) {
  const Parameters& given = subject.parameters;
  const Schedule& schedule = subject.schedule;
  fmt::print("# {} on {}", subject.title, counted(given.nodes, "node"));
  if (subject.collective && has_root(*subject.collective)) fmt::print(", root {}", given.root);
  if (subject.collective == Collective::circular_shift) fmt::print(", shift {}", given.shift);
  if (subject.algorithm != nullptr && subject.algorithm->segments)
    fmt::print(", {}", counted(given.segments, "segment"));
  if (subject.algorithm != nullptr && subject.algorithm->radix) fmt::print(", radix {}", given.radix);
  if (given.hierarchy) fmt::print(", domains {}", given.hierarchy.text());
  if (given.keep_order) fmt::print(", in rank order");
  fmt::print("\n# rounds     {}\n# transfers  {}\n", schedule.rounds().size(), message_count(schedule));
  const Cost cost = cost_of(subject);
  fmt::print("# cost       {:g} t_s + {:.6g} t_w m\n", cost.startups, cost.words);
  if (cost.received != cost.words || cost.combined != 0)
    fmt::print("#            a node receives up to {:.6g} m, and combines {:.6g} m\n", cost.received,
               cost.combined);
  print_load(subject);
  fmt::print("{}", to_text(schedule));
}

void print_json(const Subject& subject) {
  Json json{{"algorithm", subject.title}};
  if (subject.collective) json["collective"] = enums::name(*subject.collective);
  const Json written = Json::parse(to_json(subject.schedule));
  for (const char* const key : {"nodes", "blocks"}) json[key] = written[key];
  json["root"] = subject.parameters.root;
  json["rounds"] = written["rounds"];
  fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void show(const ShowOptions& options) {
  const Subject subject = vnode::subject(options.subject);
  if (options.format == Format::json)
    print_json(subject);
  else
    print_text(subject);
}

}  // namespace

void add_show(const Command& program) {
  const auto options = std::make_shared<ShowOptions>();
  const Command command = program.command("show", "Show the rounds of an algorithm");
  add_subject(command, options->subject);
  add_format(command, options->format);
  command.examples(
      {{"vnode show broadcast_binomial --nodes 8", "its rounds, as a text that --schedule reads"}});
  command.run([options] { show(*options); });
}

}  // namespace vnode
