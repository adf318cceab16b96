#include "verify/verify_schedule.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include <vnode/lab/select.hpp>
#include <vnode/lab/verify.hpp>
#include <vnode/own_schedule.hpp>

#include "base/counted.hpp"
#include "options/subject.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

// What is known of a schedule from a file.
struct Judgement {
  std::vector<std::string> faults{};
  std::optional<MutantFindings> mutants{};  // nothing: it is wrong, or too large to try them
  bool in_order = false, canonical = false, varying = false;
};

Judgement judged(const Schedule& schedule, const Demand& demand, Ports ports) {
  // Each mutant is a replay.
  constexpr long most = 1L << 22;
  const Contract wanted = contract_for(schedule, demand);
  const Promises promises{.ports = ports, .same_bits = demand.collective == Collective::all_reduce};
  Judgement judgement{.faults = verify(schedule, wanted, promises)};
  if (!judgement.faults.empty()) return judgement;
  judgement.in_order = keeps_order(schedule, wanted);
  judgement.canonical = canonical(schedule, wanted);
  judgement.varying = within_shares(schedule, wanted);
  long transfers = 0;
  for (const Round& round : schedule.rounds()) transfers += std::ssize(round);
  if (transfers * transfers * (schedule.nodes() + schedule.blocks()) <= most)
    judgement.mutants = verify_mutants(schedule, wanted, promises);
  return judgement;
}

void print_json(std::string_view file, const Judgement& judgement) {
  Json row{{"schedule", file}, {"faults", judgement.faults}};
  if (judgement.faults.empty())
    row.update({{"in_order", judgement.in_order},
                {"canonical", judgement.canonical},
                {"varying", judgement.varying}});
  if (judgement.mutants)
    row.update({{"mutants", judgement.mutants->mutants}, {"accepted", judgement.mutants->survivors}});
  fmt::print("{}\n", row.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_text(std::string_view file, const Schedule& schedule, const Demand& demand,
                const Judgement& judgement) {
  const std::string_view wanted = name(demand.collective);
  if (!judgement.faults.empty()) {
    fmt::print("{} is no right {}:\n", file, wanted);
    for (const std::string& fault : judgement.faults) fmt::print("  {}\n", fault);
    return;
  }
  const auto answer = [](bool yes) { return yes ? "yes" : "no"; };
  std::size_t sent = 0;
  for (const Round& round : schedule.rounds()) sent += messages(round).size();
  fmt::print("{} is a right {}: {}, {}, {}, {}\n", file, wanted, counted(schedule.nodes(), "node"),
             counted(schedule.blocks(), "block"), counted(schedule.rounds().size(), "round"),
             counted(sent, "message"));
  if (combines(demand.collective))
    fmt::print("keeps rank order: {}\ncanonical expression: {}\n", answer(judgement.in_order),
               answer(judgement.canonical));
  else if (demand.collective != Collective::barrier)
    fmt::print("serves v-variants: {}\n", answer(judgement.varying));
  if (!judgement.mutants) {
    fmt::print("mutants: not tried, the schedule is too large\n");
    return;
  }
  const std::vector<std::string>& right = judgement.mutants->survivors;
  fmt::print("mutants: {}, {} rejected{}\n", judgement.mutants->mutants,
             judgement.mutants->mutants - std::ssize(right),
             right.empty() ? "" : "; the others are right, too:");
  for (const std::string& mistake : right) fmt::print("  {}\n", mistake);
}

}  // namespace

bool verify_schedule(const ScheduleTrial& trial) {
  const Schedule schedule = read_schedule(trial.file);
  const Demand demand{.collective = trial.collective,
                      .parameters = parameters_of(trial.place, trial.collective, schedule.nodes())};
  const Judgement judgement = judged(schedule, demand, trial.ports.value_or(ports_of(schedule)));
  if (trial.format == Format::json)
    print_json(trial.file, judgement);
  else
    print_text(trial.file, schedule, demand, judgement);
  return judgement.faults.empty();
}

}  // namespace vnode
