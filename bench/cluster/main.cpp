// vnode-bench --cluster, for one MPI: what `vnode-bench` becomes under its mpirun.
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <mpi.h>

#include <vnode/cluster.hpp>
#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "cluster/contest.hpp"
#include "cluster/flat.hpp"
#include "cluster/processes.hpp"
#include "collectives/question.hpp"
#include "command_line/command.hpp"
#include "commands/asked.hpp"
#include "commands/rows.hpp"
#include "data/element.hpp"
#include "options/options.hpp"
#include "report/station.hpp"
#include "report/text.hpp"
#include "terminal/program.hpp"
#include "terminal/progress.hpp"
#include "timing/affinity.hpp"

namespace vnode::bench {
namespace {

constexpr auto timing =
    "of a batch of calls between two barriers, per call: from the way out of the barrier to the last call's "
    "end, of the slowest node or process";

/// Measures all that is asked for, together with the other processes; process 0 writes.
class ClusterMeasurement {
 public:
  ClusterMeasurement(Options options, Processes& processes, Asked asked)
      : options_(std::move(options)),
        processes_(processes),
        asked_(std::move(asked)),
        sharing_(processes.sharing()) {
    TeamOptions team = options_.team_options();
    team.keep_caller_pinned = false;  // this thread is one of MPI's processes, too
    if (processes_.leads()) {
      const WithAffinity together{processes_.pus()};
      cluster_ = std::make_unique<Cluster>(processes_.leaders(), processes_.nodes(),
                                           Shape::parse(options_.topology), team);
    }
  }

  int run() {
    open_report();
    for (const Event& event : asked_.events)
      for (const std::size_t bytes : event.sizes) measure_size(event, bytes);
    if (report_) {
      progress_.clear();
      report_->end({tally_.text()});
      if (file_.is_open() && !file_.flush())
        throw SystemError{fmt::format("could not write all of '{}'", *options_.output)};
    }
    return wrong_ ? 1 : 0;
  }

 private:
  void open_report() {
    const std::string where = pinning();
    if (processes_.rank() != 0) return;
    if (options_.output) {
      file_.open(*options_.output);
      if (!file_) throw SystemError{fmt::format("cannot write to '{}'", *options_.output)};
    }
    Station station = bench::station(std::vector<Affinity>{}, Machine::discover(), options_.effort_on(false));
    station.pinning = where;
    station.cores_used = sharing_.pus;
    station.timing = timing;
    report_ = report_for(options_, options_.output ? file_ : std::cout, station);
    const std::string told = cluster_->report();
    report_->note(fmt::format("cluster: {}, in {} on {}; {}", counted(cluster_->size(), "node"),
                              processes_text(cluster_->processes()), counted(cluster_->machines(), "machine"),
                              told.substr(told.rfind("MPI: "), told.size() - told.rfind("MPI: ") - 1)));
    report_->note(fmt::format(
        "mpi, flat: MPI's own operation among {}, one for each node, in the same laps; they sleep while the "
        "cluster is measured",
        processes_text(processes_.count())));
    for (const std::string& note : sharing_.notes) report_->note(note);
    for (const std::string& note : asked_.notes) report_->note(note);
  }

  /// Returns which PU each node is on, as far as all are pinned. All processes call it.
  std::string pinning() {
    std::vector<int> pus(static_cast<std::size_t>(processes_.count()), -1);
    if (cluster_)
      cluster_->run([&](Node& me) {
        const Affinity own = affinity();
        if (own.size() == 1) pus[static_cast<std::size_t>(me.rank())] = own.front();
      });
    processes_.meet();
    MPI_Allreduce(MPI_IN_PLACE, pus.data(), processes_.count(), MPI_INT, MPI_MAX, processes_.all());
    const bool pinned = std::ranges::find(pus, -1) == pus.end();
    return pinned ? pinning_text(pus) + " of their machines" : "none: nodes run where the system puts them";
  }

  void measure_size(const Event& event, std::size_t bytes) {
    std::vector<std::vector<Row>> of_roots;
    for (const Rank root : event.roots) {
      Setting setting = event.setting;
      setting.bytes = bytes;
      setting.root = root;
      of_roots.push_back(measure(*event.operation, setting));
      ++step_;
    }
    progress_.clear();
    const std::vector<Row> rows = worst(of_roots);
    tally_.add(rows);
    for (const Row& row : rows) {
      if (report_) report_->row(row);
      wrong_ = wrong_ || row.wrong > 0;
    }
  }

  std::vector<Row> measure(const Operation& operation, const Setting& setting) {
    SharedTask made;
    Question question;
    if (operation.sized) {
      made = task(*operation.collective, operation.varying, setting);
      question = collective_question(made);
      for (const Way& way : setting.ways()) question.contestants.push_back(collective_vnode(made, way));
    } else {
      question = operation.ask(setting);
      question.wrong = Question{}.wrong;  // it counts nodes of one process
    }
    std::vector<Contestant> peers;
    if (!operation.combining || is_known_to_mpi(setting.datatype))
      peers.push_back(flat_mpi(processes_, operation.name, setting, made));
    const Effort effort = options_.effort_for(setting.bytes);
    const Timings outcome =
        ClusterContest(processes_, cluster_.get(), question, std::move(peers), effort)
            .measure([&](double done) {
              if (report_)
                progress_.show((static_cast<double>(step_) + done) / static_cast<double>(asked_.steps),
                               with_bytes(operation.name, setting.bytes));
            });
    return rows(options_, operation, setting, options_.topology, question, outcome);
  }

  static std::string processes_text(int count) {
    return fmt::format("{} process{}", count, count == 1 ? "" : "es");
  }

  const Options options_;
  Processes& processes_;
  const Asked asked_;
  const Processes::Sharing sharing_;
  std::unique_ptr<Cluster> cluster_;  // null in processes that do not lead
  std::ofstream file_;
  std::unique_ptr<Report> report_;  // null in all but process 0
  Progress progress_;
  Tally tally_;
  std::size_t step_ = 0;
  bool wrong_ = false;
};

/// Says what all processes find out alike, in process 0 only, and returns the exit status.
int refused(const std::exception& error) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::cerr << "vnode-bench: " << error.what() << '\n';
  return 2;
}

Asked asked_of_all(const Options& options, const Processes& processes) {
  const Topology topology(Shape::parse(options.topology), processes.count());
  const bool open = options.algorithm == "auto" && options.hierarchy.empty();
  return asked_for(options, {.topology = topology,
                             .hierarchy = open ? Hierarchy() : processes.hierarchy(options.hierarchy),
                             .limits = false});
}

int run(int argc, char** argv) {
  Options options;
  std::unique_ptr<Processes> processes;
  Asked asked;
  try {
    options = parse_command_line(argc, argv);
    processes = std::make_unique<Processes>(options.nodes);
    asked = asked_of_all(options, *processes);
  } catch (const Answer& answer) {
    std::cout << answer.text;
    return 0;
  } catch (const UsageError& error) {
    return refused(error);
  }
  // Who fails here may be alone: the others wait for it.
  try {
    return ClusterMeasurement(std::move(options), *processes, std::move(asked)).run();
  } catch (const std::exception& error) {
    std::cerr << "vnode-bench: " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
}

}  // namespace
}  // namespace vnode::bench

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const int status = vnode::run_program("vnode-bench", [=] { return vnode::bench::run(argc, argv); });
  MPI_Finalize();
  return status;
}
