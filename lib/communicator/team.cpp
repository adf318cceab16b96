#include <exception>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/lab/port_banks.hpp>
#include <vnode/lab/pu_distance.hpp>
#include <vnode/lab/select.hpp>
#include <vnode/team.hpp>
#include <vnode/unpinned.hpp>

#include "base/counted.hpp"
#include "communicator/arenas.hpp"
#include "communicator/calibration.hpp"
#include "communicator/engine.hpp"
#include "communicator/environment.hpp"
#include "communicator/live_teams.hpp"
#include "communicator/member.hpp"
#include "communicator/owned_memory.hpp"
#include "communicator/shared_group.hpp"
#include "communicator/team_mapping.hpp"
#include "communicator/team_report.hpp"
#include "runtime/fabric.hpp"
#include "runtime/launch.hpp"
#include "runtime/mismatch.hpp"

namespace vnode {
namespace {

/// The eager limit of messages outside of collectives. Who sends many of them one after the other would have
/// a greater one, who waits for an answer to each a lesser one.
constexpr std::size_t eager_messages = 512;

/// Between runs, before anything of the last one is forgotten. What it has left on boards and in channels the
/// next run would take for its own.
Faults run_faults(Fabric& fabric, const std::vector<std::unique_ptr<Engine>>& engines, SplitGroups& groups) {
  const Faults of_groups = groups.examine();
  Faults faults{difference_text(fabric, fabric.world()), fabric.unreceived()};
  if (faults.differ.empty()) faults.differ = of_groups.differ;
  for (const auto& engine : engines)
    if (faults.undone.empty()) faults.undone = engine->endpoint().unreceived();
  if (faults.undone.empty()) faults.undone = missed_text(fabric, fabric.world());
  if (faults.undone.empty()) faults.undone = of_groups.undone;
  return faults;
}

}

struct Team::State {
  State(int nodes, const Shape& shape, Settings settled, Machine on)
      : settings(std::move(settled)),
        topology(shape, checked_size(nodes)),
        overrides(Overrides::parse(settings.options.algorithms)),
        machine(std::move(on)),
        live(life),
        mapping(settle()),
        pins(pus(), pinning(), settings.options.keep_caller_pinned),
        own_core(mapping.own_core && machine.this_system),
        policy(policy_of(settings.options.wait, own_core)),
        port_banks(banks_for_ports()),
        fabric(fabric_options(nodes)),
        messages(message_profile()),
        costs(within_limits(settings.options.costs.value_or(typical_costs)),
              lengths_are_open() ? least_eager : std::numeric_limits<std::size_t>::max(),
              [this] { return within_limits(measured_costs()); }),
        facts{machine,
              mapping,
              messages,
              overrides,
              costs,
              numbers,
              groups,
              settings.options.checked,
              settings.options.deterministic},
        world(std::make_shared<SharedGroup>(facts, topology, fabric.world())) {
    Arenas::let_workers_be_counted();
    if (settings.options.arenas) arenas.emplace(machine, mapping, *settings.options.arenas, pinning());
    for (Rank rank = 0; rank < nodes; ++rank) {
      const int scratch = port_banks ? port_banks->bank_of_all(rank) : any_bank;
      engines.push_back(std::make_unique<Engine>(life, fabric, rank, policy,
                                                 placement_on(scratch, settings.options.strict_banks)));
      if (arenas) engines.back()->set_arena(arenas->of(rank), settings.options.arenas_from);
      members.push_back(std::make_shared<Member>(*engines.back(), world, rank));
      at_nodes.push_back(Node(members.back()));
    }
    limit_waits(settings.options.time_limit);
    const Unpinned free;  // a node of another team may make this one
    crew.emplace(nodes, settings.options.apart, policy, [this](Rank rank) { return pins.pin(rank); });
  }

  ~State() { groups->close(); }

  bool pinning() const { return settings.options.pin && machine.this_system; }

  Mapping settle() {
    const auto map = [this](const Machine& on) { return mapping_for(on, topology, settings.options); };
    return pinning() ? live.settle(machine, may_move(settings.options), map) : map(machine);
  }

  std::vector<int> pus() const {
    std::vector<int> list;
    for (Rank rank = 0; rank < topology.nodes(); ++rank) list.push_back(pu_of(rank).os_index);
    return list;
  }

  FabricOptions fabric_options(int nodes) const {
    FabricOptions options;
    options.nodes = nodes;
    options.boost = settings.options.channel == ChannelEngine::boost;
    options.may_park = policy.parks();
    options.planned = [this](std::uint32_t signature) { return facts.plans->planned(signature); };
    if (!port_banks) return options;
    for (Rank rank = 0; rank < nodes; ++rank) {
      options.banks.push_back(port_banks->home(rank));
      options.pus.push_back(pu_of(rank).os_index);
    }
    options.bank_between = [this](Rank from, Rank to) { return port_banks->bank_between(from, to); };
    options.strict_banks = settings.options.strict_banks;
    return options;
  }

  std::optional<PortBanks> banks_for_ports() const {
    const std::optional<Banks> wanted = settings.options.banks;
    if (wanted && !pinning() && settings.options.strict_banks)
      throw SystemError(fmt::format("{} on banks are not to be had: {}", enums::name(*wanted), near_no_bank));
    if (!pinning() || (machine.numas.size() < 2 && !wanted)) return std::nullopt;
    return PortBanks(machine, mapping, topology, wanted.value_or(Banks::owner));
  }

  /// With the lengths that the options and the channels allow. Where nodes share cores, a message that needs
  /// no answer saves turns, and who copies for another takes the core from a third.
  CostModel within_limits(CostModel limited) const {
    const TeamOptions& options = settings.options;
    const std::size_t never = std::numeric_limits<std::size_t>::max();
    limited.eager_to =
        std::min(options.inline_to.value_or(own_core ? limited.eager_to : never), fabric.max_inline());
    limited.shared_from = options.shared_from.value_or(own_core ? limited.shared_from : never);
    return limited;
  }
  /// Whether messages' ways depend on what is measured.
  bool lengths_are_open() const {
    const TeamOptions& options = settings.options;
    return own_core && !options.costs && !(options.inline_to && options.shared_from);
  }
  Profile message_profile() const {
    CostModel limited = typical_costs;
    limited.eager_to = eager_messages;
    limited = within_limits(limited);
    return {limited.eager_to, 0, limited.shared_from};
  }

  const Pu& pu_of(Rank rank) const {
    return machine.pus[static_cast<std::size_t>(mapping.pu[static_cast<std::size_t>(rank)])];
  }

  /// For a run: the caller is node 0, unless that has a thread of its own.
  std::unique_ptr<PinnedThread> pin_caller() { return settings.options.apart ? nullptr : pins.pin_caller(); }

  void limit_waits(std::chrono::nanoseconds limit) {
    for (const auto& engine : engines) engine->set_limit(limit);
  }

  void reset() {
    fabric.reset();
    groups->reset();
    for (const auto& engine : engines) engine->run_failed();
  }

  /// Ends the run because of the exception that has left a body.
  void fail() try { throw; } catch (const Aborted&) {
    fabric.abort(std::current_exception(), true);
  } catch (...) {
    fabric.abort(std::current_exception());
  }

  /// By two threads as near to each other as the team's farthest nodes.
  CostModel measured_costs() const;
  template <class Measure>
  static auto measured_by_two(const Settings& two, const Machine& machine, const Measure& measure);
  void run(void (*call)(void*, Node&), void* body);

  const std::shared_ptr<TeamLife> life = std::make_shared<TeamLife>();
  Settings settings;
  Topology topology;
  Overrides overrides;
  Machine machine;
  LiveTeam live;
  Mapping mapping;
  NodePins pins;
  bool own_core;  ///< every node has one, as far as this machine is known
  WaitPolicy policy;
  std::optional<PortBanks> port_banks;  // none: memory lies anywhere
  std::optional<Arenas> arenas;
  Fabric fabric;
  Profile messages;  ///< of those outside of collectives
  Costs costs;
  ContextNumbers numbers;
  const std::shared_ptr<SplitGroups> groups = std::make_shared<SplitGroups>(fabric);
  TeamFacts facts;
  std::shared_ptr<SharedGroup> world;
  std::vector<std::unique_ptr<Engine>> engines;  // by rank
  std::vector<std::shared_ptr<Member>> members;  // of all nodes, by rank
  std::vector<Node> at_nodes;                    // by rank: what bodies see
  std::optional<Crew> crew;                      // last: its threads use all of the above
};

Team::Team(int nodes, const Shape& shape, const TeamOptions& options) {
  try {
    state_ = std::make_unique<State>(nodes, shape, settings_from_environment(options), Machine::discover());
  } catch (const std::bad_alloc&) {
    throw SystemError(fmt::format("no memory for a team of {}: take fewer nodes", counted(nodes, "node")));
  }
}

Team::Team(Team&& other) noexcept = default;

Team& Team::operator=(Team&& other) noexcept {
  Team taken(std::move(other));
  state_.swap(taken.state_);
  return *this;
}

/// What other threads may still be using stays in memory: a node has called exit(), which destroys a static
/// team within its run, or this process is a child of fork(), which has the team's threads' stacks only.
Team::~Team() {
  if (state_ != nullptr && !state_->life->end()) static_cast<void>(state_.release());
}

Team::State& Team::state() const {
  if (state_ == nullptr) throw UsageError("this team has been moved from: it has no nodes");
  return *state_;
}

int Team::size() const { return state().topology.nodes(); }
const Topology& Team::topology() const { return state().topology; }

const CostModel& Team::costs() {
  state().life->check_between_runs("costs()");
  return state_->costs.get();
}

/// What `measure` returns on node 0 of a team of two, called with each node's member.
template <class Measure>
auto Team::State::measured_by_two(const Settings& two, const Machine& machine, const Measure& measure) {
  struct Job {
    State team;
    const Measure& measure;
    decltype(measure(std::declval<Member&>())) result{};
  } job{.team{2, shapes::full{}, two, machine}, .measure = measure};
  job.team.run(
      [](void* argument, Node& node) {
        auto& shared = *static_cast<Job*>(argument);
        const auto own = shared.measure(*shared.team.members[static_cast<std::size_t>(node.rank())]);
        if (node.rank() == 0) shared.result = own;
      },
      &job);
  return job.result;
}

CostModel Team::State::measured_costs() const {
  if (settings.options.costs) return *settings.options.costs;
  CostModel measured = typical_costs;
  const std::set<int> used(mapping.pu.begin(), mapping.pu.end());
  try {
    if (topology.nodes() == 1) return measured;
    Settings two{settings.options, {}};
    const int first = *used.begin();
    const PuDistance distance(machine);
    two.options.pus = {first,
                       *std::ranges::max_element(used, {}, [&](int pu) { return distance(first, pu); })};
    two.options.mapping.clear();
    two.options.algorithms.clear();
    two.options.arenas.reset();
    two.options.apart = true;  // who asks may be a node, in a run
    two.options.checked = two.options.deterministic = false;
    two.options.time_limit = std::chrono::nanoseconds(0);
    two.options.costs = typical_costs;
    two.options.inline_to = two.options.shared_from = std::numeric_limits<std::size_t>::max();
    Carried alone;
    std::tie(measured, alone) = measured_by_two(
        two, machine, [](Member& member) { return std::pair(calibrated(member), carried(member)); });
    two.options.inline_to = two.options.shared_from = 0;
    const Carried announced = measured_by_two(two, machine, carried);
    measured.eager_to = eager_limit(alone, announced);
    measured.shared_from = shared_limit(alone, announced);
  } catch (const SystemError&) {
    // There are no two threads more: typical costs do.
  }
  measured.nodes_per_pu = static_cast<double>(topology.nodes()) / static_cast<double>(used.size());
  return measured;
}

void Team::run_on_all(void (*call)(void*, Node&), void* body) {
  State& of_team = state();
  const RunOfTeam run(*of_team.life);
  const auto pinned = of_team.pin_caller();
  of_team.run(call, body);
}

void Team::State::run(void (*call)(void*, Node&), void* body) {
  struct Job {
    State& state;
    void (*call)(void*, Node&);
    void* body;
    std::exception_ptr in_child;  // what has left the body of node 0
  } job{*this, call, body, nullptr};
  for (Rank rank = 0; rank < topology.nodes(); ++rank)
    fabric.presence(rank).left.store(0, std::memory_order_relaxed);
  crew->run(
      [](void* argument, Rank rank) {
        Job& run = *static_cast<Job*>(argument);
        const auto at = static_cast<std::size_t>(rank);
        try {
          run.call(run.body, run.state.at_nodes[at]);
          if (run.state.life->of_parent()) return false;
          run.state.engines[at]->end_run();
        } catch (...) {
          if (run.state.life->of_parent()) {
            if (rank > 0 || run.state.settings.options.apart) throw;
            run.in_child = std::current_exception();
            return false;
          }
          run.state.fail();
        }
        // Release: who sees that the node has left sees everything that it sent.
        run.state.fabric.presence(rank).left.store(1, std::memory_order_release);
        return true;
      },
      &job);
  if (life->of_parent()) {
    if (job.in_child) std::rethrow_exception(job.in_child);
    throw UsageError(
        "a child of fork() has come to the end of a run that its parent began: it leaves the run by exit() "
        "or _exit()");
  }
  const Faults faults = run_faults(fabric, engines, *groups);
  if (fabric.aborted()) {
    const std::exception_ptr failure = fabric.failure();
    reset();
    try {
      std::rethrow_exception(failure);
    } catch (const Mismatch&) {
      // The first calls that differ are the cause of all that could not be completed.
      if (faults.differ.empty()) throw;
      throw Mismatch(faults.differ);
    }
  }
  if (const std::string& text = faults.differ.empty() ? faults.undone : faults.differ; !text.empty()) {
    reset();
    throw Mismatch(text);
  }
}

void Team::trace(std::size_t events) {
  state().life->check_between_runs("trace()");
  try {
    for (const auto& engine : state_->engines) engine->trace(events);
  } catch (const std::bad_alloc&) {
    for (const auto& engine : state_->engines) engine->trace(0);
    throw SystemError(fmt::format("no memory to record {} on each of {}", counted(events, "event"),
                                  counted(size(), "node")));
  }
}

Trace Team::take_trace() {
  state().life->check_between_runs("take_trace()");
  std::vector<TraceEvent> events;
  std::size_t dropped = 0;
  for (const auto& engine : state_->engines)
    if (Recorder* const recorder = engine->endpoint().recorder()) dropped += recorder->take(events);
  Trace trace = joined(events);
  trace.dropped = dropped;
  return trace;
}

std::size_t Team::channel_bytes() const { return state().fabric.channel_bytes(); }

std::size_t Team::scratch_bytes() const {
  std::size_t sum = 0;
  for (const auto& engine : state().engines) sum += engine->scratch_bytes();
  return sum;
}

std::vector<OwnedMemory> Team::memory() const {
  state().life->check_between_runs("memory()");
  return owned_memory(state_->fabric, state_->engines, state_->port_banks);
}

std::optional<PortBanks> Team::port_banks() const { return state().port_banks; }

Pages Team::port_pages(Rank owner, std::size_t count, std::size_t element_bytes, int pieces) const {
  if (owner < 0 || owner >= size())
    throw UsageError(fmt::format("there is no node {}: ranks are 0 to {}", owner, size() - 1));
  return pages_on_ports({owner, count, element_bytes, pieces}, state_->topology, state_->port_banks,
                        state_->settings.options.strict_banks);
}

std::string Team::report() const {
  const State& of_team = state();
  of_team.life->check_between_runs("report()");
  return team_report({.settings = of_team.settings,
                      .topology = of_team.topology,
                      .machine = of_team.machine,
                      .mapping = of_team.mapping,
                      .live = of_team.live,
                      .pins = of_team.pins,
                      .arenas = of_team.arenas ? &*of_team.arenas : nullptr,
                      .port_banks = of_team.port_banks,
                      .policy = of_team.policy,
                      .fabric = of_team.fabric,
                      .costs = of_team.costs.known(),
                      .scratch_bytes = scratch_bytes(),
                      .memory = memory()});
}

}
