#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/banks.hpp>
#include <vnode/error.hpp>
#include <vnode/machine.hpp>
#include <vnode/placement.hpp>
#include <vnode/select.hpp>
#include <vnode/team.hpp>

#include "base/counted.hpp"
#include "channel/board.hpp"
#include "communicator/arenas.hpp"
#include "communicator/calibration.hpp"
#include "communicator/call_kinds.hpp"
#include "communicator/engine.hpp"
#include "communicator/environment.hpp"
#include "communicator/member.hpp"
#include "communicator/memory_report.hpp"
#include "communicator/owned_memory.hpp"
#include "communicator/shared_group.hpp"
#include "communicator/team_mapping.hpp"
#include "communicator/wait_policy.hpp"
#include "machine/binding.hpp"
#include "runtime/launch.hpp"
#include "runtime/mismatch.hpp"
#include "runtime/slab.hpp"

namespace vnode {
namespace {

/// Both ends of a movement copy from here on: below, telling each other costs more than is gained.
constexpr std::size_t least_shared = 16 << 10;

/// Longer messages are read where they lie, if their readers run: a line of a channel costs more than a line
/// of their memory.
constexpr std::size_t most_in_lines = 512;

constexpr const char* unpinned = "nodes that are not pinned are near no bank";

}

struct Team::State {
  State(int nodes, const Shape& shape, const TeamOptions& wanted)
      : settings(settings_from_environment(wanted)),
        topology(shape, checked_size(nodes)),
        overrides(Overrides::parse(settings.options.algorithms)),
        machine(Machine::discover()),
        mapping(mapping_for(machine, topology, settings.options)),
        pinning(settings.options.pin && machine.this_system),
        own_core(mapping.own_core && machine.this_system),
        policy(policy_of(settings.options.wait, own_core)),
        port_banks(banks_for_ports()),
        fabric(fabric_options(nodes)),
        profile(make_profile()),
        facts{machine,
              mapping,
              profile,
              overrides,
              costs,
              numbers,
              kinds,
              open_groups,
              settings.options.checked,
              settings.options.deterministic},
        world(std::make_shared<SharedGroup>(facts, topology, fabric.world())),
        pin_failures(static_cast<std::size_t>(nodes)),
        pus_got(static_cast<std::size_t>(nodes), -1) {
    Arenas::let_workers_be_counted();
    if (settings.options.arenas) arenas.emplace(machine, mapping, *settings.options.arenas, pinning);
    for (Rank rank = 0; rank < nodes; ++rank) {
      const int scratch = port_banks ? port_banks->bank_of_all(rank) : any_bank;
      engines.push_back(std::make_unique<Engine>(fabric, rank, policy, settings.options.time_limit,
                                                 placement_on(scratch, settings.options.strict_banks)));
      if (arenas) engines.back()->set_arena(arenas->of(rank), settings.options.arenas_from);
      members.push_back(std::make_shared<Member>(*engines.back(), world, rank));
    }
    crew.emplace(nodes, settings.options.apart, policy, [this](Rank rank) { return pin(rank); });
  }

  FabricOptions fabric_options(int nodes) const {
    FabricOptions options;
    options.nodes = nodes;
    options.boost = settings.options.channel == ChannelEngine::boost;
    options.may_park = policy.parks();
    options.planned = [this](std::uint32_t signature) { return kinds.planned(signature); };
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
    if (wanted && !pinning && settings.options.strict_banks)
      throw SystemError(fmt::format("{} on banks are not to be had: {}", name(*wanted), unpinned));
    if (!pinning || (machine.numas.size() < 2 && !wanted)) return std::nullopt;
    return PortBanks(machine, mapping, topology, wanted.value_or(Banks::owner));
  }

  Profile make_profile() const {
    const TeamOptions& options = settings.options;
    const std::size_t never = std::numeric_limits<std::size_t>::max();
    const std::size_t lines = options.inline_to.value_or(own_core ? most_in_lines : never);
    return {std::min(lines, fabric.max_inline()), std::min(lines, Board::max_inline),
            options.shared_from.value_or(own_core ? least_shared : never)};
  }

  const Pu& pu_of(Rank rank) const {
    return machine.pus[static_cast<std::size_t>(mapping.pu[static_cast<std::size_t>(rank)])];
  }

  /// Pins the calling thread as node `rank`, for as long as what it returns lives.
  std::unique_ptr<PinnedThread> pin(Rank rank) {
    if (!pinning) return nullptr;
    try {
      auto pinned = std::make_unique<PinnedThread>(pu_of(rank).os_index);
      pus_got[static_cast<std::size_t>(rank)] = current_pu();
      return pinned;
    } catch (const SystemError& error) {
      pin_failures[static_cast<std::size_t>(rank)] = error.what();
      return nullptr;
    }
  }

  /// Pins the thread that calls run() until the team ends or another thread calls.
  void pin_caller() {
    if (settings.options.apart) return;
    // The id of a thread that has ended may be another's.
    if (caller_pin != nullptr ? caller_pin->here() : caller == std::this_thread::get_id()) return;
    caller_pin.reset();
    caller_pin = pin(0);
    caller = std::this_thread::get_id();
  }

  std::string unreceived() {
    std::string text = fabric.unreceived();
    for (const auto& engine : engines)
      if (text.empty()) text = engine->endpoint().unreceived();
    return text;
  }

  /// Between runs: in which calls of the last one nodes differ, or nothing.
  std::string difference(const GroupFaults& of_groups) {
    const std::string text = difference_text(fabric, fabric.world());
    return text.empty() ? of_groups.differ : text;
  }
  /// Between runs: what did not match in the last one, which has not failed, or nothing. What is left of it
  /// on boards the next run would take for its own.
  std::string mismatch(const GroupFaults& of_groups) {
    std::string text = difference(of_groups);
    if (text.empty()) text = unreceived();
    if (text.empty()) text = missed_text(fabric, fabric.world());
    return text.empty() ? of_groups.missed : text;
  }

  void reset() {
    fabric.reset();
    for (const auto& member : members) member->reset();
    for (const auto& engine : engines) engine->run_failed();
  }

  Settings settings;
  Topology topology;
  Overrides overrides;
  Machine machine;
  Mapping mapping;
  bool pinning;
  bool own_core;  ///< every node has one, as far as this machine is known
  WaitPolicy policy;
  std::optional<PortBanks> port_banks;  // none: memory lies anywhere
  std::optional<Arenas> arenas;
  Fabric fabric;
  Profile profile;
  CostModel costs = typical_costs;
  bool calibrated = false;
  ContextNumbers numbers;
  CallKinds kinds;
  std::shared_ptr<OpenGroups> open_groups = std::make_shared<OpenGroups>(fabric);
  TeamFacts facts;
  std::shared_ptr<SharedGroup> world;
  std::vector<std::unique_ptr<Engine>> engines;  // by rank
  std::vector<std::shared_ptr<Member>> members;  // of all nodes, by rank
  std::vector<std::string>
      pin_failures;          // by rank; written by the node's own thread before the crew is ready
  std::vector<int> pus_got;  // the same: where it ran when it had been pinned, os indices
  std::thread::id caller;
  std::unique_ptr<PinnedThread> caller_pin;
  std::optional<Crew> crew;  // last: its threads use all of the above
};

Team::Team(int nodes, const Shape& shape, const TeamOptions& options) {
  try {
    state_ = std::make_unique<State>(nodes, shape, options);
  } catch (const std::bad_alloc&) {
    throw SystemError(fmt::format("no memory for a team of {}: take fewer nodes", counted(nodes, "node")));
  }
}

Team::~Team() = default;

int Team::size() const { return state_->topology.nodes(); }
const Topology& Team::topology() const { return state_->topology; }

const CostModel& Team::costs() {
  State& state = *state_;
  if (state.calibrated) return state.costs;
  state.calibrated = true;
  if (state.settings.options.costs) {
    state.costs = *state.settings.options.costs;
  } else if (size() > 1) {
    // As a run of its own, in which everything but the choice of algorithms works as it will.
    struct Calibration {
      State& state;
      CostModel measured;
    } calibration{state, typical_costs};
    run_on_all(
        [](void* argument, Node& node) {
          auto& job = *static_cast<Calibration*>(argument);
          const CostModel measured =
              vnode::calibrated(*job.state.members[static_cast<std::size_t>(node.rank())]);
          if (node.rank() == 0) job.measured = measured;
        },
        &calibration);
    state.costs = calibration.measured;
    state.reset();  // the first call of the user's is number 1
  }
  return state.costs;
}

void Team::run_on_all(void (*call)(void*, Node&), void* body) {
  State& state = *state_;
  costs();
  state.pin_caller();
  struct Job {
    State& state;
    void (*call)(void*, Node&);
    void* body;
  } job{state, call, body};
  for (Rank rank = 0; rank < size(); ++rank)
    state.fabric.presence(rank).left.store(0, std::memory_order_relaxed);
  state.crew->run(
      [](void* argument, Rank rank) {
        Job& run = *static_cast<Job*>(argument);
        const auto at = static_cast<std::size_t>(rank);
        Engine& engine = *run.state.engines[at];
        engine.begin_run();
        run.state.members[at]->begin_run();
        try {
          Node node(run.state.members[at]);
          run.call(run.body, node);
          engine.end_run();
        } catch (const Aborted&) {
          run.state.fabric.abort(std::current_exception(), true);
        } catch (...) {
          run.state.fabric.abort(std::current_exception());
        }
        // Release: who sees that the node has left sees everything that it sent.
        run.state.fabric.presence(rank).left.store(1, std::memory_order_release);
      },
      &job);
  const GroupFaults of_groups = state.open_groups->close();
  if (state.fabric.aborted()) {
    const std::exception_ptr failure = state.fabric.failure();
    const std::string difference = state.difference(of_groups);
    state.reset();
    try {
      std::rethrow_exception(failure);
    } catch (const Mismatch&) {
      // The first calls that differ are the cause of all that could not be completed.
      if (difference.empty()) throw;
      throw Mismatch(difference);
    }
  }
  if (const std::string text = state.mismatch(of_groups); !text.empty()) {
    state.reset();
    throw Mismatch(text);
  }
}

void Team::trace(std::size_t events) {
  costs();  // what measures them is not traced
  try {
    for (const auto& engine : state_->engines) engine->trace(events);
  } catch (const std::bad_alloc&) {
    for (const auto& engine : state_->engines) engine->trace(0);
    throw SystemError(fmt::format("no memory to record {} on each of {}", counted(events, "event"),
                                  counted(size(), "node")));
  }
}

Trace Team::take_trace() {
  std::vector<TraceEvent> events;
  std::size_t dropped = 0;
  for (const auto& engine : state_->engines)
    if (Recorder* const recorder = engine->endpoint().recorder()) dropped += recorder->take(events);
  Trace trace = joined(events);
  trace.dropped = dropped;
  return trace;
}

std::size_t Team::channel_bytes() const { return state_->fabric.channel_bytes(); }

std::size_t Team::scratch_bytes() const {
  std::size_t sum = 0;
  for (const auto& engine : state_->engines) sum += engine->scratch_bytes();
  return sum;
}

std::vector<OwnedMemory> Team::memory() const {
  return owned_memory(state_->fabric, state_->engines, state_->port_banks);
}

std::optional<PortBanks> Team::port_banks() const { return state_->port_banks; }

Pages Team::port_pages(Rank owner, std::size_t count, std::size_t element_bytes, int pieces) const {
  if (owner < 0 || owner >= size())
    throw UsageError(fmt::format("there is no node {}: ranks are 0 to {}", owner, size() - 1));
  return pages_on_ports({owner, count, element_bytes, pieces}, state_->topology, state_->port_banks,
                        state_->settings.options.strict_banks);
}

std::string Team::report() const {
  const State& state = *state_;
  const TeamOptions& options = state.settings.options;
  std::string text = fmt::format("nodes: {} as {}\n", size(), state.topology.text());
  text += fmt::format("machine: {}{}{}\n", state.machine.source, state.machine.model.empty() ? "" : ", ",
                      state.machine.model);
  text +=
      fmt::format("cores: {} used of {} allowed, {} to each node\n", state.mapping.cores_used,
                  state.machine.allowed_cores(), state.mapping.own_core ? "one of its own" : "less than one");
  text += fmt::format("mapping: {}\n", mapping_text(state.machine, size(), options));
  const auto failed =
      std::ranges::find_if(state.pin_failures, [](const std::string& why) { return !why.empty(); });
  if (!options.pin)
    text += "pinning: off\n";
  else if (!state.machine.this_system)
    text += "pinning: none, since the machine is described by a file or a text and is not this one\n";
  else if (failed != state.pin_failures.end())
    text += fmt::format("pinning: failed, {}\n", *failed);
  else
    text += "pinning: each node to one PU\n";
  if (state.arenas) text += fmt::format("arenas: {}\n", state.arenas->report(state.machine));
  if (state.port_banks)
    text += fmt::format("banks: {}{}\n", name(state.port_banks->policy()),
                        options.strict_banks ? ", strictly" : "");
  else if (options.banks)
    text += fmt::format("banks: {} asked for, but {}\n", name(*options.banks), unpinned);
  text += fmt::format("waiting: {}\n", describe(state.policy));
  text += fmt::format("channels: {}, {} lines each, {} bytes in use\n",
                      options.channel == ChannelEngine::boost ? "boost" : "line", state.fabric.capacity(),
                      channel_bytes());
  text += state.calibrated ? fmt::format(
                                 "costs: {:.0f} ns to start a message, per byte {:.3f} ns to take in, {:.3f} "
                                 "to combine, {:.3f} to write\n",
                                 state.costs.t_s * 1e9, state.costs.t_w * 1e9, state.costs.t_op * 1e9,
                                 state.costs.t_put * 1e9)
                           : std::string("costs: not measured before the first run\n");
  text += fmt::format("scratch: {}\n", counted(scratch_bytes(), "byte"));
  if (options.checked) text += "checked: signatures are compared before every call\n";
  if (options.time_limit.count() > 0)
    text += fmt::format("time limit: {} ms\n",
                        std::chrono::duration_cast<std::chrono::milliseconds>(options.time_limit).count());
  if (!options.algorithms.empty()) text += fmt::format("algorithms: {}\n", options.algorithms);
  for (const std::string& variable : state.settings.overrides)
    text += fmt::format("from the environment: {}\n", variable);
  std::vector<NodePlace> nodes;
  for (Rank rank = 0; rank < size(); ++rank) {
    const Pu& pu = state.pu_of(rank);
    nodes.push_back({rank,
                     state.pinning ? pu.os_index : -1,
                     state.pus_got[static_cast<std::size_t>(rank)],
                     state.pinning ? pu.numa : -1,
                     state.port_banks ? state.port_banks->home(rank) : -1,
                     {}});
  }
  for (OwnedMemory& one : memory())
    nodes[static_cast<std::size_t>(one.owner)].memory.push_back(std::move(one));
  return text + placement_table(state.machine, nodes);
}

}
