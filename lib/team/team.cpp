#include <algorithm>
#include <fmt/format.h>
#include <limits>
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
#include "team/team_state.hpp"

namespace vnode {
namespace {

void add(OwnedMemory& memory, const Pages& pages) {
  memory.pages += pages.audit();
  for (const std::string& sentence : pages.degraded())
    if (std::ranges::find(memory.degraded, sentence) == memory.degraded.end())
      memory.degraded.push_back(sentence);
}

}  // namespace

std::size_t OwnedMemory::elsewhere() const { return bank >= 0 ? pages.touched() - pages.on_bank(bank) : 0; }

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
Nodes Team::nodes_as() const { return existing().carriers ? Nodes::fibers : Nodes::threads; }

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
  const std::optional<PortBanks>& banks = state_->port_banks;
  std::vector<OwnedMemory> list;
  state_->fabric.each_slab([&](Rank owner, const Slab& slab) {
    OwnedMemory& memory = list.emplace_back(OwnedMemory{.owner = owner, .bank = slab.bank()});
    for (const Pages& pages : slab.pages()) add(memory, pages);
  });
  for (const auto& engine : state_->engines) {
    const Rank owner = engine->endpoint().rank();
    OwnedMemory scratch{
        .owner = owner, .scratch = true, .bank = banks ? banks->bank_of_all(owner) : any_bank};
    engine->each_scratch([&](const Pages& pages) { add(scratch, pages); });
    if (scratch.pages != PageAudit{}) list.push_back(std::move(scratch));
  }
  return list;
}

std::optional<PortBanks> Team::port_banks() const { return existing().port_banks; }

Pages Team::port_pages(Rank owner, std::size_t count, std::size_t element_bytes, int pieces) const {
  if (owner < 0 || owner >= size())
    throw UsageError(fmt::format("there is no node {}: ranks are 0 to {}", owner, size() - 1));
  if (pieces < 0) throw UsageError(fmt::format("a buffer cannot be cut into {} pieces", pieces));
  if (count > std::numeric_limits<std::size_t>::max() / element_bytes) throw std::bad_array_new_length();
  const std::optional<PortBanks>& banks = state_->port_banks;
  const bool strict = state_->settings.options.strict_banks;
  const int ports = topology().degree(owner);
  if (!banks || ports == 0)
    return Pages(count * element_bytes, placement_on(banks ? banks->bank_of_all(owner) : any_bank, strict));
  const auto parts = static_cast<std::size_t>(pieces > 0 ? pieces : ports);
  const auto begin = [&](std::size_t part) {  // as messages are cut into blocks
    return (count / parts * part + std::min(part, count % parts)) * element_bytes;
  };
  Pages pages(count * element_bytes);
  const std::size_t filled = std::min(parts, count);  // the others are empty
  for (std::size_t part = 0; part < filled; ++part) {
    const int port = static_cast<int>(part % static_cast<std::size_t>(ports));
    pages.place(begin(part), begin(part + 1) - begin(part),
                placement_on(banks->bank({owner, port, true}), strict));
  }
  return pages;
}

}  // namespace vnode
