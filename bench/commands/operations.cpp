#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fstream>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/bank_condition.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/port_banks.hpp>
#include <vnode/model/profile.hpp>
#include <vnode/model/select.hpp>

#include "base/bytes.hpp"
#include "base/counted.hpp"
#include "beside/busy_process.hpp"
#include "commands/asked.hpp"
#include "commands/commands.hpp"
#include "commands/rows.hpp"
#include "commands/team.hpp"
#include "commands/traced.hpp"
#include "machine/bank_text.hpp"
#include "mpi/peers.hpp"
#include "questions/register.hpp"
#include "report/station.hpp"
#include "report/text.hpp"
#include "terminal/progress.hpp"
#include "timing/affinity.hpp"
#include "timing/other_programs.hpp"

namespace vnode::bench {
namespace {

std::string bank_note(const Team& team, const Algorithm& algorithm, const Parameters& parameters,
                      std::size_t bytes, double t_w, std::optional<double> bandwidth) {
  const PortBanks banks = *team.port_banks();
  const Schedule schedule = algorithm.build(parameters);
  const int blocks = contract(algorithm.collective, parameters, schedule.blocks()).message_blocks;
  const MemoryBanks memory =
      banks.memory(std::vector<double>(static_cast<std::size_t>(banks.count()), bandwidth.value_or(1 / t_w)));
  const BankCondition condition =
      bank_condition(schedule, {bytes, blocks}, team.topology(), memory, {0, t_w});
  const BankLoad load = condition.tightest();
  std::string text =
      fmt::format("banks {}: {}", enums::name(banks.policy()), with_bytes(algorithm.name, bytes));
  if (load.bank < 0) return text + " sends nothing";
  text += fmt::format(
      ": up to {:g} streams of bank {} in a round (S_b) need {:.3g} GB/s at {:.3g} ns per byte", load.streams,
      bank_text(Machine::discover(), load.bank), load.streams / t_w * 1e-9, t_w * 1e9);
  if (!bandwidth) return text;
  return text + fmt::format(", {:g} GB/s feed {:.3g} (W_b t_w): {}", *bandwidth * 1e-9, *bandwidth * t_w,
                            condition.holds()
                                ? std::string("memory is no limit")
                                : fmt::format("t_w is {:.3g} times as long there", load.factor));
}

/// Says for each of vnode's algorithms whether memory feeds all ports: how many streams the bank that has
/// most of them in a round has, what they need, and, if banks deliver `bandwidth` bytes per second, how much
/// slower the round becomes. Returns one sentence if the team's buffers lie on no banks.
std::vector<std::string> bank_notes(Team& team, Collective collective, const Setting& setting,
                                    std::optional<double> bandwidth) {
  if (!team.port_banks()) return {"banks: nodes are not pinned, so their buffers lie on no banks"};
  const CostModel& costs = team.costs();
  std::vector<std::string> notes;
  for (const std::string& asked : setting.algorithms) {
    Demand demand{.collective = collective,
                  .parameters = {.nodes = team.size(),
                                 .root = setting.root,
                                 .extents = mesh_extents(team.topology()),
                                 .shift = setting.shift,
                                 .segments = 0},
                  .bytes = setting.bytes,
                  .algorithm = asked};
    const Candidate chosen = choose(demand, team.topology(), costs);
    demand.parameters.segments = chosen.segments;
    notes.push_back(
        bank_note(team, *chosen.algorithm, demand.parameters, setting.bytes, costs.t_w, bandwidth));
  }
  return notes;
}

class Measurement {
 public:
  /// Takes the report of several numbers of nodes; makes it, if it is null.
  Measurement(const Options& options, const Machine& machine, std::ostream& out,
              std::shared_ptr<Report>& report)
      : options_(options),
        machine_(machine),
        team_(team_for(options, nodes_of(options, machine_), machine_)),
        core_each_(core_each(*team_, machine_) && team_->size() + options.beside <= machine_.allowed_cores()),
        asked_(asked_for(options, {.topology = team_->topology(),
                                   .hierarchy = hierarchy_for(options, machine_, *team_),
                                   .limits = core_each_ && !options.osu,
                                   .ports = team_.get()})),
        notes_(std::move(asked_.notes)) {
    // Everything the options ask for is looked at before anything is measured or written.
    check_walks(options, team_->size());
    if (options.trace) {
      trace_.open(*options.trace);
      if (!trace_) throw SystemError{fmt::format("--trace: cannot write to '{}'", *options.trace)};
    }
    if (std::ranges::find(options.against, "mpi") != options.against.end()) start_mpi(options.mpis);
    start_beside();
    const Station here = station(*team_, machine_, options.effort_on(core_each_), options.beside);
    if (report == nullptr)
      report = report_for(options, out, here);
    else
      report->note(fmt::format("{}: {}; cores used: {}; time: {}", counted(team_->size(), "node"),
                               here.pinning, here.cores_used, here.timing));
    report_ = report;
    if (const ProfileChoice kept = choose_profile(std::nullopt, machine_);
        team_->nodes_as() == Nodes::threads && kept.profile && !kept.profile->tuned.empty())
      report_->note(fmt::format("auto goes by the tuned times {}", kept.source));
    if (options.deterministic) report_->note("deterministic: vnode combines by the canonical expression");
    if (options.banks) note_banks();
    if (options.arenas)
      report_->note(fmt::format("arenas: vnode's nodes have threads on their share of a domain ({})",
                                enums::name(*options.arenas)));
    for (const std::string& note : std::exchange(notes_, {})) report_->note(note);
  }

  /// Measures all that is asked for. Returns what there is to say of it at the end.
  std::vector<std::string> run() {
    for (const Event& event : asked_.events)
      for (const std::size_t bytes : event.sizes) measure_size(event, bytes);
    progress_.clear();
    for (const std::string& note : std::exchange(notes_, {})) report_->note(note);
    return closing();
  }
  bool wrong() const { return wrong_; }

 private:
  // The team may have bound this thread, and its children would be bound as it is.
  void start_mpi(const std::vector<std::string>& asked) {
    const WithAffinity free{allowed_affinity(machine_)};
    mpi_ = std::make_shared<MpiPeers>(team_->size(), core_each_, asked);
    notes_.insert(notes_.end(), mpi_->left_out().begin(), mpi_->left_out().end());
    if (!mpi_->all().empty()) return;
    for (Event& event : asked_.events) std::erase(event.setting.against, "mpi");
  }

  // Lets the contestants that block their threads call from threads, if the team's nodes are fibers.
  void seat_rivals(Question& question) {
    if (team_->nodes_as() == Nodes::threads) return;
    for (Contestant& contestant : question.contestants) {
      if (contestant.host != &team_host || contestant.by == "vnode") continue;
      if (!threads_) {
        Options threads = options_;
        threads.nodes_as = Nodes::threads;
        threads_ = team_for(threads, team_->size(), machine_);
        thread_host_.instead = threads_.get();
      }
      contestant.host = &thread_host_;
    }
  }

  void start_beside() {
    const WithAffinity free{allowed_affinity(machine_)};
    for (int i = 0; i < options_.beside; ++i) beside_.push_back(std::make_unique<BusyProcess>());
  }

  // Notes, before anything is measured, whether memory feeds all ports in what will be.
  void note_banks() {
    for (const Event& event : asked_.events) {
      if (!event.operation->collective || event.sizes.empty()) continue;
      Setting setting = event.setting;
      setting.bytes = event.sizes.back();
      setting.root = event.roots.front();
      for (const std::string& note :
           bank_notes(*team_, *event.operation->collective, setting, options_.bank_bandwidth))
        if (std::ranges::find(notes_, note) == notes_.end()) notes_.push_back(note);
    }
  }

  std::vector<std::string> closing() const {
    std::vector<std::string> lines;
    if (late_ > 0)
      lines.push_back(fmt::format("{} of {} dropped: a node came late", late_, counted(calls_, "call")));
    lines.push_back(tally_.text());
    // What MPI's processes take, and those beside, is not vnode-bench's own time.
    if (auto busy = busy_sentence(late_, calls_, mpi_ || !beside_.empty() ? std::nullopt : others_.share()))
      lines.push_back(*std::move(busy));
    return lines;
  }

  void measure_size(const Event& event, std::size_t bytes) {
    std::vector<std::vector<Row>> of_roots;
    Effort effort = options_.effort_for(bytes);
    effort.core_each = core_each_;
    for (const Rank root : event.roots) {
      Setting setting = event.setting;
      setting.bytes = bytes;
      setting.root = root;
      setting.mpi = mpi_;
      Question question = event.operation->ask(setting);
      seat_rivals(question);
      const Timings outcome = measure(*team_, question, effort, [&](double share) {
        progress_.show((static_cast<double>(step_) + share) / static_cast<double>(asked_.steps),
                       with_bytes(event.operation->name, bytes));
      });
      ++step_;
      if (options_.trace) trace(question, setting, *event.operation);
      for (const Series& series : outcome.series) {
        late_ += series.late_us.size();
        calls_ += series.late_us.size() + series.all().size();
      }
      of_roots.push_back(
          rows(options_, *event.operation, setting, team_->topology().text(), question, outcome));
    }
    progress_.clear();
    const std::vector<Row> rows = worst(of_roots);
    tally_.add(rows);
    for (const Row& row : rows) {
      report_->row(row);
      wrong_ = wrong_ || row.wrong > 0;
    }
  }

  RunSubject subject_of(const Contestant& contestant, const Setting& setting,
                        const Operation& operation) const {
    RunSubject of{.topology = team_->topology().text(), .bytes = setting.bytes};
    if (operation.rooted) of.root = setting.root;
    if (setting.own != nullptr) return of;
    of.algorithm = contestant.algorithm;
    if (algorithm(contestant.algorithm).segments) of.segments = contestant.segments;
    return of;
  }

  // Traces the last of vnode's contestants, which is the user's schedule if there is one.
  void trace(Question& question, const Setting& setting, const Operation& operation) {
    Contestant& contestant = question.contestants[setting.ways().size() - 1];
    const TracedMedian traced = traced_median(*team_, question, contestant, options_.effort_on(core_each_));
    trace_ << with_activities(
        traced.call,
        fmt::format("{} by {}, {}, measured: the median of {}", with_bytes(operation.name, setting.bytes),
                    contestant.algorithm, counted(setting.nodes, "node"), counted(traced.calls, "call")),
        subject_of(contestant, setting, operation));
    trace_.close();
    if (!trace_) throw SystemError{fmt::format("--trace: could not write all of '{}'", *options_.trace)};
    if (traced.dropped > 0)
      notes_.push_back(fmt::format("trace: {} dropped for lack of room", counted(traced.dropped, "event")));
  }

  const Options& options_;
  const Machine& machine_;
  std::unique_ptr<Team> team_;
  const bool core_each_;
  Asked asked_;
  std::vector<std::string> notes_;
  std::ofstream trace_;
  std::shared_ptr<MpiPeers> mpi_;
  std::vector<std::unique_ptr<BusyProcess>> beside_;
  std::unique_ptr<Team> threads_;  // of contestants that block theirs; null until one needs it
  Host thread_host_ = team_host;
  std::shared_ptr<Report> report_;
  Progress progress_;
  Tally tally_;
  const OtherPrograms others_;
  std::size_t step_ = 0, late_ = 0, calls_ = 0;
  bool wrong_ = false;
};

}  // namespace

int measure_operations(const Options& options, std::ostream& out) {
  const Machine machine = Machine::discover();  // before a run binds the calling thread
  std::shared_ptr<Report> report;
  std::vector<std::string> closing;
  bool wrong = false;
  for (const int nodes : options.scaling.empty() ? std::vector{0} : options.scaling) {
    Options one = options;
    if (nodes > 0) one.nodes = nodes;
    const WithAffinity free{allowed_affinity(machine)};  // from where the last team has bound this thread
    Measurement measurement{one, machine, out, report};
    for (const std::string& line : measurement.run())
      closing.push_back(nodes > 0 ? fmt::format("{}: {}", counted(nodes, "node"), line) : line);
    wrong = wrong || measurement.wrong();
  }
  report->end(closing);
  return wrong ? 1 : 0;
}

}  // namespace vnode::bench
