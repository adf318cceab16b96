#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <limits>
#include <thread>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "commands/asked.hpp"
#include "commands/commands.hpp"
#include "commands/team.hpp"
#include "data/element.hpp"
#include "report/station.hpp"
#include "report/text.hpp"
#include "statistics/statistics.hpp"
#include "terminal/progress.hpp"
#include "timing/affinity.hpp"
#include "timing/clock.hpp"
#include "timing/gate.hpp"

namespace vnode::bench {
namespace {

constexpr int usual_teams = 5;

/// Holds when the first node began a call, and when the last one ended it.
struct Extent {
  Ticks entry = std::numeric_limits<Ticks>::max(), exit = 0;
  void add(const Extent& other) {
    entry = std::min(entry, other.entry);
    exit = std::max(exit, other.exit);
  }
  double us() const { return the_clock().us(exit - entry); }
};

/// Holds what was measured of one team, with times in microseconds.
struct Beginning {
  double start = 0, first = 0, second = 0;
  std::size_t wrong = 0;
  std::string algorithm;
};

/// Holds what was measured on one node.
struct OfNode {
  Ticks there = 0;  ///< when its body began
  Extent calls[2];
  std::size_t wrong = 0;
};

Beginning begin(const Options& options, int nodes, const Machine& machine, const Question& question,
                const Contestant& contestant, bool core_each) {
  const Ticks before = now();
  const auto team = team_for(options, nodes, machine);
  Gate gate{nodes, core_each};
  std::vector<OfNode> all(static_cast<std::size_t>(nodes));
  Beginning beginning;
  team->run([&](Node& me) {
    OfNode& mine = all[static_cast<std::size_t>(me.rank())];
    mine.there = now_after();
    const Seat seat{me.rank(), &me};
    gate.attend([&] {
      for (Iteration call = 0; call < 2; ++call) {
        question.rewrite(seat, call);
        Extent& extent = mine.calls[call];
        extent.entry = gate.release(seat).entry;
        if (call == 0) contestant.prepare(seat);  // a persistent call's first is with its plan
        contestant.call(seat);
        extent.exit = now_after();
        gate.meet(seat);
        mine.wrong += question.wrong(seat, contestant, call);
        gate.meet(seat);
      }
      if (me.rank() == 0 && question.collective) beginning.algorithm = me.last_algorithm();
      contestant.finish(seat);
    });
  });
  Extent calls[2];
  Ticks there = 0;
  for (const OfNode& node : all) {
    there = std::max(there, node.there);
    for (std::size_t call = 0; call < 2; ++call) calls[call].add(node.calls[call]);
    beginning.wrong += node.wrong;
  }
  beginning.start = the_clock().us(there - before);
  beginning.first = calls[0].us() / contestant.repeats;
  beginning.second = calls[1].us() / contestant.repeats;
  return beginning;
}

// Runs begin() on a thread of its own, which remembers no plan: what a thread remembers of plans ends with
// it.
Beginning begin_anew(const Options& options, int nodes, const Machine& machine, const Question& question,
                     const Contestant& contestant, bool core_each) {
  Beginning beginning;
  std::exception_ptr failure;
  std::thread([&] {
    try {
      beginning = begin(options, nodes, machine, question, contestant, core_each);
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
  return beginning;
}

class FirstCalls {
 public:
  explicit FirstCalls(const Options& options) : options_(options), nodes_(nodes_of(options, machine_)) {
    // It ends before others begin, who shall have its cores.
    const auto team = team_for(options, nodes_, machine_);
    core_each_ = core_each(*team, machine_);
    asked_ = asked_for(options, {.topology = team->topology(),
                                 .hierarchy = hierarchy_for(options, machine_, *team),
                                 .limits = false,
                                 .ports = team.get()});
    where_ = station(*team, machine_, options.effort_on(core_each_));
    where_.timing =
        "first entry to last exit, of a team's first call and of its second; every team is started anew";
  }

  int run(std::ostream& out) {
    for (const Event& event : asked_.events)
      for (const std::size_t bytes : event.sizes)
        for (const Rank root : event.roots) measure_shape(event, bytes, root);
    progress_.clear();
    std::vector<std::string> notes = asked_.notes;
    notes.push_back(fmt::format(
        "medians of {}, in microseconds; first: of the first call, which makes its plan; second: of the "
        "next; start: from the beginning of a team to the moment when all of its nodes run",
        counted(teams(), "team")));
    write(out, options_.format, "first", listing_, where_, notes);
    return wrong_ > 0 ? 1 : 0;
  }

 private:
  int teams() const { return options_.effort.iterations.value_or(usual_teams); }

  void measure_shape(const Event& event, std::size_t bytes, Rank root) {
    Setting setting = event.setting;
    setting.bytes = bytes;
    setting.root = root;
    const Question question = event.operation->ask(setting);
    for (const Contestant& contestant : question.contestants) {
      progress_.show(static_cast<double>(step_) / static_cast<double>(asked_.steps),
                     with_bytes(event.operation->name, bytes));
      add(event, setting, contestant, beginnings(question, contestant));
    }
    ++step_;
  }

  std::vector<Beginning> beginnings(const Question& question, const Contestant& contestant) const {
    std::vector<Beginning> all;
    for (int team = 0; team < teams(); ++team)
      all.push_back(begin_anew(options_, nodes_, machine_, question, contestant, core_each_));
    return all;
  }

  void add(const Event& event, const Setting& setting, const Contestant& contestant,
           const std::vector<Beginning>& all) {
    const auto times = [&](double Beginning::*part) {
      std::vector<double> us;
      for (const Beginning& one : all) us.push_back(one.*part);
      return us;
    };
    const std::vector<double> first = times(&Beginning::first);
    std::size_t wrong = 0;
    for (const Beginning& one : all) wrong += one.wrong;
    wrong_ += wrong;
    const auto if_any = [](const std::string& text) { return text.empty() ? Field() : Field(text); };
    const Operation& operation = *event.operation;
    listing_.row({operation.name, contestant.requested, if_any(all.back().algorithm), nodes_,
                  operation.sized ? Field(setting.bytes) : Field(),
                  operation.rooted ? Field(setting.root) : Field(),
                  operation.combining ? Field(name_of(setting.op)) : Field(),
                  operation.sized ? Field(datatypes[setting.datatype]) : Field(), all.size(),
                  quantile(first, 0), median(first), quantile(first, 1), median(times(&Beginning::second)),
                  median(times(&Beginning::start)), wrong});
  }

  const Options& options_;
  const Machine machine_ = Machine::discover();  // before a run binds the calling thread
  const int nodes_;
  bool core_each_ = false;
  Asked asked_;
  Station where_;
  Listing listing_{{"collective", "requested", "algorithm", "nodes", "bytes", "root", "op", "datatype",
                    "teams", "first_min_us", "first_us", "first_max_us", "second_us", "start_us", "wrong"}};
  Progress progress_;
  std::size_t step_ = 0, wrong_ = 0;
};

}  // namespace

int measure_first_calls(const Options& options, std::ostream& out) { return FirstCalls{options}.run(out); }

}  // namespace vnode::bench
