#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

#include <vnode/model/machine.hpp>
#include <vnode/model/machine_hierarchy.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/profile.hpp>
#include <vnode/model/select.hpp>

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

/// Holds the time of the algorithm that the library chooses and those of others, measured beside every
/// algorithm that can be asked for, in the same laps.
struct AutoBeside {
  struct Other {
    std::string name;
    double us = 0;
    double ratio = 0;  ///< of the chosen one's time to this one's in a lap, the median
  };
  std::string chosen;
  double chosen_us = 0;
  Other best{}, predicted{};  ///< predicted: the one that would be chosen without the profile
};

AutoBeside auto_beside_best(Team& team, const Options& options, const Operation& operation, std::size_t bytes,
                            bool core_each, std::string_view predicted) {
  Setting setting{.nodes = team.size(), .bytes = bytes, .seed = options.seed, .limits = false};
  for (std::string& name :
       select(operation, "all", team.topology(), {setting.root}, setting.shift, options.deterministic)
           .algorithms)
    setting.algorithms.push_back(std::move(name));
  Question question = operation.ask(setting);
  const Timings outcome = measure(team, question, options.effort_on(core_each));
  const auto time = [&](std::size_t i) { return median(outcome.series[i].all()); };
  const auto other = [&](std::size_t i) {
    return AutoBeside::Other{
        .name = question.contestants[i].algorithm,
        .us = time(i),
        .ratio = ratio(outcome.series[0].medians(), outcome.series[i].medians()).value_or(0)};
  };
  std::size_t best = 1;
  for (std::size_t i = 2; i < outcome.series.size(); ++i)
    if (time(i) < time(best)) best = i;
  AutoBeside beside{.chosen = question.contestants[0].algorithm, .chosen_us = time(0), .best = other(best)};
  for (std::size_t i = 1; i < outcome.series.size(); ++i)
    if (question.contestants[i].algorithm == predicted) beside.predicted = other(i);
  return beside;
}

// Returns the sizes that the options ask for; only 0 where the operation has no size.
std::vector<std::size_t> sizes_of(const Options& options, const Operation& operation) {
  return operation.sized ? options.sizes(Arithmetic::f64) : std::vector<std::size_t>{0};
}

constexpr double auto_bound = 1.1;

bool has_tuned(const ProfileChoice& choice) { return choice.profile && !choice.profile->tuned.empty(); }

class Guidelines {
 public:
  Guidelines(const Options& options, std::ostream& out)
      : options_(options),
        out_(out),
        team_(team_for(options, nodes_of(options, machine_), machine_)),
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
      const AutoBeside all =
          auto_beside_best(*team_, options_, operation, bytes, core_each_, predicted(operation, bytes));
      const auto row = [&](std::string_view text, const AutoBeside::Other& other, double bound) {
        listing_.row({fmt::format(fmt::runtime(text), operation.name), bytes, all.chosen, all.chosen_us,
                      other.name, other.us, other.ratio, bound, other.ratio <= bound});
      };
      row("auto {} <= 1.1 best", all.best, auto_bound);
      if (!all.predicted.name.empty() && all.predicted.name != all.chosen)
        row("auto {} <= 1.1 predicted", all.predicted, auto_bound);
    }
  }

  /// Returns the algorithm that would be chosen if nothing were tuned; "" if nothing is.
  std::string_view predicted(const Operation& operation, std::size_t bytes) const {
    if (!tuned_ || !operation.collective) return {};
    return choose(team_demand(*operation.collective, bytes, team_->topology(), machine_,
                              compact_mapping(machine_, team_->size()), team_->costs()),
                  team_->topology(), team_->costs())
        .algorithm->name;
  }

  const Options& options_;
  std::ostream& out_;
  const Machine machine_ = Machine::discover();  // before a run binds the calling thread
  std::unique_ptr<Team> team_;
  const bool core_each_;
  const Station station_;
  const bool tuned_ = has_tuned(choose_profile(std::nullopt, machine_));
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
