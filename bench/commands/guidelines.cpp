#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

#include <vnode/model/machine.hpp>

#include "base/bytes.hpp"
#include "collectives/question.hpp"
#include "collectives/task.hpp"
#include "commands/commands.hpp"
#include "commands/rows.hpp"
#include "commands/selection.hpp"
#include "commands/team.hpp"
#include "options/options.hpp"
#include "questions/register.hpp"
#include "report/report.hpp"
#include "terminal/progress.hpp"
#include "timing/affinity.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {
namespace {

/// A guideline says that an operation must not be slower than others that do the same together.
struct Guideline {
  std::string_view text;
  Collective collective;  ///< the one operation
  /// The other way to do it, on doubles with std::plus; and the one way, where that is not a call of
  /// `collective`.
  void (*other)(Node& me, const Task& task);
  void (*one)(Node& me, const Task& task) = nullptr;
  bool divides = false;  ///< m / 8 must be divisible by p
};

constexpr std::plus<> sum;

Ranges<double> data(const Node& me, const Task& task) { return ranges<double>(task, me.rank()); }

void reduce_and_broadcast(Node& me, const Task& task) {
  const auto [in, out] = data(me, task);
  me.reduce(in, out, sum);
  me.broadcast(out);
}

void gather_and_broadcast(Node& me, const Task& task) {
  const auto [in, out] = data(me, task);
  me.gather(in, out);
  me.broadcast(out);
}

void scatter_and_all_gather(Node& me, const Task& task) {
  const std::span<double> all = data(me, task).out;
  const std::size_t part = all.size() / static_cast<std::size_t>(me.size());
  me.scatter(me.rank() == 0 ? all : all.subspan(static_cast<std::size_t>(me.rank()) * part, part));
  me.all_gather(all);
}

void exclusive_scan_and_local(Node& me, const Task& task) {
  const auto [in, out] = data(me, task);
  me.exclusive_scan(in, out, sum);
  if (me.rank() == 0)
    std::ranges::copy(in, out.begin());
  else
    std::ranges::transform(out, in, out.begin(), sum);
}

void all_reduce(Node& me, const Task& task) {
  const auto [in, out] = data(me, task);
  me.all_reduce(in, out, sum);
}

void reduce(Node& me, const Task& task) {
  const auto [in, out] = data(me, task);
  me.reduce(in, out, sum);
}

void barrier(Node& me, const Task&) { me.barrier(); }

constexpr Guideline table[]{
    {"all_reduce <= reduce + broadcast", Collective::all_reduce, reduce_and_broadcast},
    {"all_gather <= gather + broadcast", Collective::all_gather, gather_and_broadcast},
    {"broadcast <= scatter + all_gather", Collective::broadcast, scatter_and_all_gather, nullptr, true},
    {"scan <= exclusive_scan + local", Collective::scan, exclusive_scan_and_local},
    {"reduce <= all_reduce", Collective::all_reduce, all_reduce, reduce},
    {"barrier <= all_reduce of 1 element", Collective::all_reduce, all_reduce, barrier}};

Contestant by_hand(const SharedTask& task, void (*way)(Node&, const Task&)) {
  return {.by = "by hand", .call = [=](const Seat& seat) { way(*seat.node, *task); }};
}

/// Holds the times of both ways of a guideline, measured in the same laps.
struct Consistency {
  double one_us = 0, other_us = 0;
  double ratio = 0;  ///< of both in a lap, the median
  std::size_t wrong = 0;
};

Consistency consistency(Team& team, const Options& options, const Guideline& guideline, std::size_t bytes,
                        bool core_each) {
  const Setting setting{.nodes = team.size(), .bytes = bytes, .seed = options.seed, .limits = false};
  const SharedTask task = bench::task(guideline.collective, false, setting);
  Question question = collective_question(task);
  Contestant one = guideline.one ? by_hand(task, guideline.one) : collective_vnode(task, {});
  one.delivers = guideline.one == nullptr;  // otherwise it is less than the task
  question.contestants = {std::move(one), by_hand(task, guideline.other)};
  const Timings outcome = measure(team, question, options.effort_on(core_each));
  return {.one_us = median(outcome.series[0].all()),
          .other_us = median(outcome.series[1].all()),
          .ratio = ratio(outcome.series[0].medians(), outcome.series[1].medians()).value_or(0),
          .wrong = outcome.series[0].wrong + outcome.series[1].wrong};
}

/// Holds the time of the algorithm that the library chooses and that of the best, measured beside every
/// algorithm that can be asked for, in the same laps.
struct AutoBeside {
  std::string chosen, best;  ///< algorithms
  double chosen_us = 0, best_us = 0;
  double ratio = 0;  ///< of both in a lap, the median
};

AutoBeside auto_beside_best(Team& team, const Options& options, const Operation& operation, std::size_t bytes,
                            bool core_each) {
  Setting setting{.nodes = team.size(), .bytes = bytes, .seed = options.seed, .limits = false};
  for (std::string& name :
       select(operation, "all", team.topology(), {setting.root}, setting.shift, options.deterministic)
           .algorithms)
    setting.algorithms.push_back(std::move(name));
  Question question = operation.ask(setting);
  const Timings outcome = measure(team, question, options.effort_on(core_each));
  std::size_t best = 1;
  const auto time = [&](std::size_t i) { return median(outcome.series[i].all()); };
  for (std::size_t i = 2; i < outcome.series.size(); ++i)
    if (time(i) < time(best)) best = i;
  return {.chosen = question.contestants[0].algorithm,
          .best = question.contestants[best].algorithm,
          .chosen_us = time(0),
          .best_us = time(best),
          .ratio = ratio(outcome.series[0].medians(), outcome.series[best].medians()).value_or(0)};
}

// Returns the sizes that the options ask for; only 0 where the operation has no size.
std::vector<std::size_t> sizes_of(const Options& options, const Operation& operation) {
  return operation.sized ? options.sizes(Arithmetic::f64) : std::vector<std::size_t>{0};
}

constexpr double auto_bound = 1.1;

class Guidelines {
 public:
  Guidelines(const Options& options, std::ostream& out)
      : options_(options),
        out_(out),
        team_(team_for(options, nodes_of(options, machine_))),
        core_each_(core_each(*team_, machine_)),
        station_(station(*team_, machine_, options.effort_on(core_each_))) {}

  int run() {
    const double step = 1.0 / static_cast<double>(std::size(table) + collectives().size());
    for (const Guideline& guideline : table) {
      ways(guideline);
      share_ += step;
    }
    for (const Collective collective : collectives()) {
      choices(operation(enums::name(collective)));
      share_ += step;
    }
    progress_.clear();
    write(out_, options_.format, "guidelines", listing_, station_);
    return wrong_ > 0 ? 1 : 0;
  }

 private:
  void ways(const Guideline& guideline) {
    const bool one_element = guideline.text.starts_with("barrier");
    const auto sizes = one_element ? std::vector{sizeof(double)}
                                   : sizes_of(options_, operation(enums::name(guideline.collective)));
    for (const std::size_t bytes : sizes) {
      if (guideline.divides && bytes / sizeof(double) % static_cast<std::size_t>(team_->size()) != 0)
        continue;
      progress_.show(share_, fmt::format("{} {}", guideline.text, bytes_text(bytes)));
      const Consistency both = consistency(*team_, options_, guideline, bytes, core_each_);
      wrong_ += both.wrong;
      listing_.row({guideline.text, bytes, Field(), both.one_us, Field(), both.other_us, both.ratio, 1.0,
                    both.ratio <= 1});
    }
  }

  void choices(const Operation& operation) {
    for (const std::size_t bytes : sizes_of(options_, operation)) {
      progress_.show(share_, fmt::format("auto {} {}", operation.name, bytes_text(bytes)));
      const AutoBeside both = auto_beside_best(*team_, options_, operation, bytes, core_each_);
      listing_.row({fmt::format("auto {} <= 1.1 best", operation.name), bytes, both.chosen, both.chosen_us,
                    both.best, both.best_us, both.ratio, auto_bound, both.ratio <= auto_bound});
    }
  }

  const Options& options_;
  std::ostream& out_;
  const Machine machine_ = Machine::discover();  // before a run binds the calling thread
  std::unique_ptr<Team> team_;
  const bool core_each_;
  const Station station_;
  Listing listing_{{"guideline", "bytes", "one", "one_us", "other", "other_us", "ratio", "bound", "holds"}};
  Progress progress_;
  double share_ = 0;  // done
  std::size_t wrong_ = 0;
};

}  // namespace

int measure_guidelines(const Options& options, std::ostream& out) {
  const int nodes = nodes_of(options, Machine::discover());
  check_room(options, nodes);
  check_walks(options, nodes);
  return Guidelines{options, out}.run();
}

}  // namespace vnode::bench
