#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include <vnode/error.hpp>
#include <vnode/machine.hpp>

#include "command_line/commands.hpp"
#include "command_line/progress.hpp"
#include "command_line/rows.hpp"
#include "command_line/selection.hpp"
#include "command_line/team.hpp"
#include "questions/register.hpp"

namespace vnode::bench {
namespace {

/// One operation with everybody who takes part.
struct Event {
  const Operation* operation = nullptr;
  Setting setting;
  std::vector<std::size_t> sizes;
  std::vector<Rank> roots;
};

std::vector<Rank> roots(const Options& options, const Operation& operation, int nodes) {
  if (options.root && *options.root >= nodes)
    throw UsageError{
        fmt::format("--root {}: with {} nodes the ranks are 0 to {}", *options.root, nodes, nodes - 1)};
  if (!operation.rooted) return {0};
  if (options.root) return {*options.root};
  std::vector<Rank> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

class Measurement {
 public:
  Measurement(const Options& options, std::ostream& out)
      : options_(options), effort_(options.effort), team_(team_for(options, nodes_of(options, machine_))) {
    effort_.core_each = team_->size() <= machine_.allowed_cores();
    // Everything the options ask for is looked at before anything is measured or written.
    for (const std::string& name : options.operations) enter(operation(name));
    report_ = report(options.format, out, station(*team_, machine_));
    for (const std::string& note : notes_) report_->note(note);
  }

  int run() {
    for (const Event& event : events_)
      for (const std::size_t bytes : event.sizes) measure_size(event, bytes);
    progress_.clear();
    report_->note(fmt::format("{} of {} calls dropped: somebody entered late", late_, calls_));
    report_->end();
    return wrong_ ? 1 : 0;
  }

 private:
  void enter(const Operation& operation) {
    if (team_->size() < operation.least_nodes) {
      notes_.push_back(fmt::format("skipped {}: needs {} nodes", operation.name, operation.least_nodes));
      return;
    }
    Event event;
    event.operation = &operation;
    event.roots = roots(options_, operation, team_->size());
    event.sizes = operation.sized ? options_.sizes() : std::vector<std::size_t>{0};
    const Selection selection = select(operation, options_.algorithm, team_->topology(), event.roots);
    for (const std::string& skipped : selection.skipped) notes_.push_back("skipped " + skipped);
    event.setting = {.nodes = team_->size(),
                     .datatype = options_.datatype_value(),
                     .op = options_.op_value(),
                     .seed = options_.seed,
                     .algorithms = selection.algorithms,
                     .against = {},
                     .limits = effort_.core_each};
    for (const std::string& name : options_.against) {
      const auto rival = std::ranges::find(operation.rivals, name, &Rival::name);
      if (rival->missing.empty())
        event.setting.against.push_back(name);
      else
        notes_.push_back(fmt::format("skipped {} for {}: {}", name, operation.name, rival->missing));
    }
    steps_ += event.sizes.size() * event.roots.size();
    events_.push_back(std::move(event));
  }

  void measure_size(const Event& event, std::size_t bytes) {
    std::vector<std::vector<Row>> of_roots;
    for (const Rank root : event.roots) {
      Setting setting = event.setting;
      setting.bytes = bytes;
      setting.root = root;
      Question question = event.operation->ask(setting);
      const Outcome outcome = measure(*team_, question, effort_, [&](double share) {
        progress_.show((static_cast<double>(step_) + share) / static_cast<double>(steps_),
                       fmt::format("{} {} bytes", event.operation->name, bytes));
      });
      ++step_;
      for (const Series& series : outcome.series) {
        late_ += series.late;
        calls_ += series.late + series.all().size();
      }
      of_roots.push_back(
          rows(options_, *event.operation, setting, team_->topology().text(), question, outcome));
    }
    progress_.clear();
    for (const Row& row : worst(of_roots)) {
      report_->row(row);
      wrong_ = wrong_ || row.wrong > 0;
    }
  }

  const Options& options_;
  const Machine machine_ = Machine::discover();  // before a run binds the calling thread
  Effort effort_;
  std::unique_ptr<Team> team_;
  std::vector<Event> events_;
  std::vector<std::string> notes_;
  std::unique_ptr<Report> report_;
  Progress progress_;
  std::size_t step_ = 0, steps_ = 0, late_ = 0, calls_ = 0;
  bool wrong_ = false;
};

}  // namespace

int measure_operations(const Options& options, std::ostream& out) { return Measurement{options, out}.run(); }

}  // namespace vnode::bench
