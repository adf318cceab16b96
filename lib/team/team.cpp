#include <fmt/format.h>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/port_banks.hpp>
#include <vnode/roll_call.hpp>
#include <vnode/statistics.hpp>
#include <vnode/team.hpp>

#include "base/counted.hpp"
#include "team/launch.hpp"
#include "team/owned_memory.hpp"
#include "team/team_report.hpp"
#include "team/team_state.hpp"

namespace vnode {

std::unique_ptr<Team::State> Team::State::make(int nodes, const Shape& shape, const TeamOptions& options,
                                               JointBeginning* beginning) {
  check_stack();
  try {
    return std::make_unique<State>(nodes, shape, settings_from_environment(options), Machine::discover(),
                                   beginning);
  } catch (const std::bad_alloc&) {
    throw SystemError(fmt::format("no memory for a team of {}: take fewer nodes", counted(nodes, "node")));
  }
}

Team::Team(int nodes, const Shape& shape, const TeamOptions& options)
    : state_(State::make(nodes, shape, options, nullptr)) {}

Team::Team(Transport& transport, const Shape& shape, const TeamOptions& options) {
  int nodes = 0;
  for (int process = 0; process < transport.processes(); ++process) nodes += transport.nodes(process);
  JointBeginning beginning(transport);
  try {
    state_ = State::make(nodes, shape, options, &beginning);
    beginning.exchange({});
  } catch (...) {
    beginning.fail(std::current_exception());
    throw;
  }
}

Team::Team(Team&& other) noexcept = default;

Team& Team::operator=(Team&& other) noexcept {
  Team taken(std::move(other));
  state_.swap(taken.state_);
  return *this;
}

/// Leaves in memory what other threads may still be using: a node has called exit(), which destroys a static
/// team within its run, or this process is a child of fork(), which has only the stacks of the team's
/// threads.
Team::~Team() {
  if (state_ != nullptr && !state_->life->end()) static_cast<void>(state_.release());
}

Team::State& Team::existing() const {
  if (state_ == nullptr) throw UsageError("this team has been moved from: it has no nodes");
  return *state_;
}

int Team::size() const { return existing().topology.nodes(); }
const Topology& Team::topology() const { return existing().topology; }

const CostModel& Team::costs() {
  existing().life->check_between_runs("costs()");
  return state_->costs.get();
}

void Team::run_on_all(void (*call)(void*, Node&), void* body) {
  State& of_team = existing();
  of_team.life->check_threads(Threads::own);
  const RunOfTeam run(*of_team.life);
  const auto pinned = of_team.pin_caller();
  of_team.run(call, body);
}

void Team::trace(std::size_t events) {
  existing().life->check_between_runs("trace()");
  try {
    for (const auto& engine : state_->engines) engine->trace(events);
  } catch (const std::bad_alloc&) {
    for (const auto& engine : state_->engines) engine->trace(0);
    throw SystemError(fmt::format("no memory to record {} on each of {}", counted(events, "event"),
                                  counted(size(), "node")));
  }
}

Trace Team::take_trace() {
  existing().life->check_between_runs("take_trace()");
  std::vector<TraceEvent> events;
  std::size_t dropped = 0;
  for (const auto& engine : state_->engines)
    if (Recorder* const recorder = engine->endpoint().recorder()) dropped += recorder->take(events);
  Trace trace = joined(events);
  trace.dropped = dropped;
  return trace;
}

Statistics Team::statistics() const {
  existing().life->check_own();
  return state_->statistics();
}

RollCall Team::state() const {
  existing().life->check_own();
  return state_->roll_call();
}

std::size_t Team::channel_bytes() const { return existing().fabric.channel_bytes(); }

std::size_t Team::scratch_bytes() const {
  std::size_t sum = 0;
  for (const auto& engine : existing().engines) sum += engine->scratch_bytes();
  return sum;
}

std::vector<OwnedMemory> Team::memory() const {
  existing().life->check_between_runs("memory()");
  return owned_memory(state_->fabric, state_->engines, state_->port_banks);
}

std::optional<PortBanks> Team::port_banks() const { return existing().port_banks; }

Pages Team::port_pages(Rank owner, std::size_t count, std::size_t element_bytes, int pieces) const {
  if (owner < 0 || owner >= size())
    throw UsageError(fmt::format("there is no node {}: ranks are 0 to {}", owner, size() - 1));
  return pages_on_ports({owner, count, element_bytes, pieces}, state_->topology, state_->port_banks,
                        state_->settings.options.strict_banks);
}

std::string Team::report() const {
  const State& of_team = existing();
  of_team.life->check_between_runs("report()");
  const std::optional<ClusterLayout>& outside = of_team.outside;
  return team_report(
      {.settings = of_team.settings,
       .topology = of_team.topology,
       .machine = of_team.machine,
       .maker = of_team.maker,
       .mapping = of_team.mapping,
       .by_threads = of_team.mapping != of_team.usual,
       .live = of_team.live,
       .pins = of_team.pins,
       .arenas = of_team.arenas ? &*of_team.arenas : nullptr,
       .port_banks = of_team.port_banks,
       .policy = of_team.policy,
       .fabric = of_team.fabric,
       .costs = of_team.costs.known(),
       .network = outside && outside->machines().machines() > 1 ? &outside->network() : nullptr,
       .scratch_bytes = scratch_bytes(),
       .memory = memory()});
}

}
