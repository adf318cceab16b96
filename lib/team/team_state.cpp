#include "team/team_state.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/select.hpp>

#include "base/at.hpp"
#include "base/is_a.hpp"
#include "base/sentence.hpp"
#include "team/calibration.hpp"
#include "team/joined_mapping.hpp"
#include "watch/mismatch.hpp"

namespace vnode {
namespace {
/// The eager limit of messages outside of collectives. A node that sends many of them one after the other
/// would prefer a greater one, a node that waits for an answer to each a lesser one.
constexpr std::size_t eager_messages = 512;

/// Returns the faults of a run. Called between runs, before anything of the last one is forgotten: the next
/// run would take for its own what is left on boards and in channels.
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

}  // namespace

Team::State::State(int nodes, const Shape& shape, Settings settled, Machine on, JointBeginning* beginning)
    : settings(std::move(settled)),
      outside(beginning != nullptr ? std::make_optional<ClusterLayout>(*beginning, settings, shape)
                                   : std::nullopt),
      topology(shape, checked_size(nodes)),
      life(std::make_shared<TeamLife>(settings.options.threads, topology.nodes())),
      overrides(Overrides::parse(settings.options.algorithms)),
      machine(std::move(on)),
      live(life, pinning() ? settings.options.share : std::string(share_in_process),
           settings.is_set("VNODE_SHARE")),
      mapping(settle(beginning)),
      pins(pus(), pinning(), settings.options.keep_caller_pinned),
      own_core(outside ? outside->own_core() : mapping.own_core && machine.this_system),
      policy(wait_policy()),
      port_banks(banks_for_ports()),
      fabric(fabric_options(nodes)),
      messages(message_profile()),
      costs(
          unmeasured_costs(), alike_to(), [this] { return within_limits(measured_costs()); },
          [this] { return profile(); }),
      counted_groups(counts() ? std::make_optional<CountedGroups>() : std::nullopt),
      facts{outside ? outside->machines() : machine,
            outside ? outside->mapping() : mapping,
            messages,
            overrides,
            costs,
            numbers,
            groups,
            settings.options.checked,
            settings.options.deterministic,
            counted_groups ? &*counted_groups : nullptr,
            settings.options.checked || counts(),
            !settings.options.checked && !counts() && fabric.world().lowest_of_carriers().empty(),
            outside ? &*outside : nullptr},
      world(std::make_shared<SharedGroup>(facts, topology, fabric.world())) {
  if (!settings.options.profile.empty()) costs.profile();  // what is asked for is refused at once
  Arenas::let_workers_be_counted();
  if (settings.options.arenas) arenas.emplace(machine, mapping, *settings.options.arenas, pinning());
  for (Rank rank = first_here(); rank < first_here() + nodes_here(); ++rank) {
    const int scratch = port_banks ? port_banks->bank_of_all(rank) : any_bank;
    engines.push_back(std::make_unique<Engine>(life, fabric, rank, policy,
                                               placement_on(scratch, settings.options.strict_banks)));
    if (outside) engines.back()->endpoint().connect(outside->transport().wire(rank - first_here()));
    if (arenas) engines.back()->set_arena(arenas->of(rank), settings.options.arenas_from);
    members.push_back(std::make_shared<Member>(*engines.back(), world, rank));
    at_nodes.push_back({Node(members.back())});
  }
  if (outside) joint_end.emplace(outside->transport(), fabric);
  limit_waits(settings.options.time_limit);
  if (counts()) count_calls();
  if (life->of_callers()) {
    roster.emplace(*life, policy, first_here(), nodes_here(), settings.options.time_limit);
  } else {
    if (const auto carried = carried_nodes(); !carried.empty()) {
      carriers.emplace(carried, first_here(), settings.options.stack,
                       IdlePolicy{policy.spin_until, policy.yield_until});
      constexpr std::chrono::nanoseconds at_once{0};
      for (const auto& engine : engines) {
        const Rank rank = engine->endpoint().rank();
        fabric.set_fiber(rank, carriers->fiber(rank));
        engine->set_policy({.spin_until = at_once, .yield_until = at_once});
      }
    }
    const auto free =
        with_process_affinity();  // OpenMP, or a team whose node makes this one, may bind the caller
    crew.emplace(carriers ? carriers->count() : nodes_here(), settings.options.apart, policy,
                 [this](int seat) {
                   return pins.pin(carriers ? carriers->carrier(seat).lowest() : first_here() + seat);
                 });
  }
  if (!settings.statistics_path.empty())
    output.emplace(settings.statistics_path, [this] { return statistics(); });
}

Mapping Team::State::settle(JointBeginning* beginning) {
  const auto map = [this](const Machine& on) {
    return outside ? outside->map(on, settings.options) : mapping_for(on, topology, settings.options);
  };
  // PUs that several processes share out cannot be changed by one of them.
  const bool movable = !outside && may_move(settings.options);
  Mapping here = pinning() ? live.settle(machine, movable, map) : map(machine);
  here.own_core = here.own_core && in_quota();
  if (!outside) return here;
  // What throws does so before a step, in which the others hear of it: nobody waits for this process then.
  std::optional<PinnedThread> where_first_node_is;
  if (pinning()) where_first_node_is.emplace(at(machine.pus, here.pu.front()).os_index);
  outside->agree_on(*beginning, machine, here);
  // If costs are given, they are of messages inside a machine, and the network has typical ones.
  if (!settings.options.costs) outside->measure_network(*beginning);
  return outside->of_all(here);
}

bool Team::State::in_quota() const {
  return within_quota(machine, outside ? outside->nodes_of_machine() : topology.nodes());
}

std::vector<std::vector<Rank>> Team::State::carried_nodes() const {
  if (settings.options.nodes != Nodes::fibers || life->of_callers()) return {};
  std::map<int, std::vector<Rank>> by_pu;
  for (Rank rank = first_here(); rank < first_here() + nodes_here(); ++rank)
    by_pu[at(mapping.pu, rank)].push_back(rank);
  if (std::ssize(by_pu) == nodes_here()) return {};
  std::vector<std::vector<Rank>> nodes;
  for (auto& [pu, ranks] : by_pu) nodes.push_back(std::move(ranks));
  std::ranges::sort(nodes);
  return nodes;
}

/// Returns how the team's threads wait: its nodes, or their carriers, which have a core each.
WaitPolicy Team::State::wait_policy() const {
  const bool fibers = !carried_nodes().empty();
  WaitPolicy chosen =
      policy_of(settings.options, own_core || fibers, fibers ? 1 : nodes_per_core(), in_quota());
  chosen.cores = mapping.cores_used;
  return chosen;
}

std::vector<int> Team::State::pus() const {
  std::vector<int> list;
  for (Rank rank = 0; rank < topology.nodes(); ++rank) list.push_back(pu_of(rank).os_index);
  return list;
}

/// Returns the time after which a wait is long. Then a node looks for messages of all others; on a core that
/// many nodes share, all of them have several turns in that time.
std::chrono::nanoseconds Team::State::long_wait() const {
  return std::max<std::chrono::nanoseconds>(FabricOptions().long_wait,
                                            nodes_per_core() * std::chrono::microseconds(100));
}

FabricOptions Team::State::fabric_options(int nodes) const {
  FabricOptions options;
  options.nodes = nodes;
  options.boost = settings.options.channel == ChannelEngine::boost;
  options.fencing = policy.fencing;
  options.deadlocks = settings.options.deadlocks;
  options.time_limit = settings.options.time_limit;
  options.transport = outside ? &outside->transport() : nullptr;
  options.long_wait = long_wait();
  options.planned = [this](std::uint32_t signature) { return facts.plans->planned(signature); };
  options.nodes_of = [this](std::uint16_t context) { return groups->nodes_of(context); };
  if (const auto carried = carried_nodes(); !carried.empty() && !outside) {
    options.carriers.resize(static_cast<std::size_t>(nodes));
    for (int carrier = 0; carrier < std::ssize(carried); ++carrier)
      for (const Rank node : at(carried, carrier)) at(options.carriers, node) = carrier;
  }
  if (!port_banks) return options;
  for (Rank rank = 0; rank < nodes; ++rank) {
    options.banks.push_back(port_banks->home(rank));
    options.pus.push_back(pu_of(rank).os_index);
  }
  options.bank_between = [this](Rank from, Rank to) { return port_banks->bank_between(from, to); };
  options.strict_banks = settings.options.strict_banks;
  return options;
}

std::optional<PortBanks> Team::State::banks_for_ports() const {
  const std::optional<Banks> wanted = settings.options.banks;
  if (wanted && !pinning() && settings.options.strict_banks)
    throw SystemError(fmt::format("banks={} with strict_banks needs pinned nodes", enums::name(*wanted)));
  if (!pinning() || (machine.numas.size() < 2 && !wanted)) return std::nullopt;
  return PortBanks(machine, mapping, topology, wanted.value_or(Banks::owner));
}

CostModel Team::State::within_limits(CostModel limited) const {
  const TeamOptions& options = settings.options;
  const std::size_t never = std::numeric_limits<std::size_t>::max();
  limited.eager_to =
      std::min(options.inline_to.value_or(own_core ? limited.eager_to : never), fabric.max_inline());
  limited.shared_from = options.shared_from.value_or(own_core ? limited.shared_from : never);
  return limited;
}

bool Team::State::lengths_are_open() const {
  const TeamOptions& options = settings.options;
  return own_core && !outside && !options.costs && !(options.inline_to && options.shared_from);
}

CostModel Team::State::unmeasured_costs() const {
  return within_limits(settings.options.costs.value_or(typical_costs));
}

std::size_t Team::State::alike_to() const {
  return lengths_are_open() ? least_eager : std::numeric_limits<std::size_t>::max();
}

void Team::State::enter(Rank place, const std::vector<int>& affinity, bool last) {
  if (!follows_threads()) return;
  if (at(affinities, place) != affinity) {
    at(affinities, place) = affinity;
    moved = true;
  }
  if (last && moved) follow_threads();
}

void Team::State::follow_threads() {
  mapping = joined_mapping(machine, usual, affinities);
  own_core = mapping.own_core = mapping.own_core && in_quota();
  for (const int pu : mapping.pu) at(machine.pus, pu).allowed = true;  // a thread may ask for more itself
  policy = wait_policy();
  fabric.set_waits(policy.fencing, long_wait());
  roster->set_policy(policy);
  for (const auto& engine : engines) engine->set_policy(policy);
  // A call that is planned keeps its plan, so that others of its kind must have the same.
  if (mapping != planned && life->planned_calls() > 0) return;
  const auto pus_of = [](const Mapping& of) { return std::set<int>(of.pu.begin(), of.pu.end()); };
  const bool other_costs = own_core != planned.own_core || pus_of(mapping) != pus_of(planned);
  if (other_costs) {
    messages = message_profile();
    costs.renew(unmeasured_costs(), alike_to());
  }
  if (mapping != planned) {
    world->renew(other_costs);
    groups->renew(other_costs);
  }
  planned = mapping;
  moved = false;
}

Profile Team::State::message_profile() const {
  CostModel limited = typical_costs;
  limited.eager_to = eager_messages;
  limited = within_limits(limited);
  return {limited.eager_to, 0, limited.shared_from};
}

namespace {

/// Ends the process, since the thread that ends within a node's body carries other nodes, too.
[[noreturn]] void end_by_carrier(Rank rank) {
  fmt::print(
      stderr,
      "vnode: node {} ends its thread (pthread_exit, or a cancellation), which other nodes run on, too: "
      "such a body needs nodes that are threads (TeamOptions::nodes)\n",
      rank);
  std::terminate();
}

}  // namespace

void Team::State::run(void (*call)(void*, Node&), void* body) {
  // The caller's thread may be unwound, as its node: see Crew::run().
  struct End {
    State* state;
    ~End() {
      if (state != nullptr && !state->life->of_parent()) state->end_run();
    }
  } end{this};
  struct Job {
    State& state;
    void (*call)(void*, Node&);
    void* body;
    std::exception_ptr in_child;  // what has left the body of node 0
  } job{*this, call, body, nullptr};
  static constexpr auto run_node = [](void* argument, Rank rank) {
    Job& run = *static_cast<Job*>(argument);
    State& state = run.state;
    const int node = rank - state.first_here();
    std::exception_ptr failure;
    state.life->begin_node(rank);
    try {
      NodeOfTeam& is = at(state.at_nodes, node);
      const RunningNode running(is);
      run.call(run.body, is.node);
    } catch (...) {
      failure = std::current_exception();
      if (!failure && state.carriers) end_by_carrier(rank);
      // No other thread is left to be told.
      if (state.life->of_parent() && !state.carriers && (node > 0 || state.settings.options.apart)) throw;
      if (!failure) {  // pthread_exit or a cancellation unwinds the thread, and nothing stops that
        state.end_node(rank, exception_of<Aborted>([&] {
                         return fmt::format("node {}'s thread has ended within its part of the run", rank);
                       }));
        throw;
      }
    }
    if (state.life->of_parent()) {
      run.in_child = failure;
      return false;
    }
    state.end_node(rank, failure);
    return true;
  };
  crew->run([](void* argument,
               int seat) { return static_cast<Job*>(argument)->state.run_seat(seat, run_node, argument); },
            &job,
            [](void* argument, std::exception_ptr interrupt) {
              // What leaves the caller's WhileWaiting leaves its node.
              State& state = static_cast<Job*>(argument)->state;
              state.fabric.abort(state.first_here(), std::move(interrupt));
            });
  end.state = nullptr;
  if (life->of_parent()) {
    if (job.in_child) std::rethrow_exception(job.in_child);
    throw UsageError(
        "a child of fork() has come to the end of a run that its parent began: it leaves the run by exit() "
        "or _exit()");
  }
  if (const std::exception_ptr wrong = end_run()) std::rethrow_exception(wrong);
}

std::exception_ptr Team::State::end_node(Rank rank, std::exception_ptr failure) noexcept {
  if (failure) fabric.abort(rank, failure, is_a<Aborted>(failure));
  try {
    at(engines, rank - first_here())->end_run();
  } catch (...) {
    failure = std::current_exception();
    fabric.abort(rank, failure);
  }
  life->end_node(rank);
  // Release: a thread that sees that the node has left sees everything that it sent.
  fabric.shared(rank).left.store(1, std::memory_order_release);
  if (fabric.detector().leave()) fabric.ring_one_that_waits();
  return failure;
}

/// Ends the run. It ends even if there is no memory for the text of an error.
std::exception_ptr Team::State::end_run() noexcept {
  std::exception_ptr wrong;
  try {
    wrong = found_wrong();
  } catch (...) {
    const std::exception_ptr failure = fabric.failure();
    wrong = failure ? failure : std::current_exception();
  }
  if (wrong || fabric.aborted()) {
    fabric.reset();
    groups->reset();
    for (const auto& engine : engines) engine->run_failed();
  }
  fabric.end_run();
  return wrong;
}

/// Returns what was wrong in a run that all nodes have come to the end of.
std::exception_ptr Team::State::found_wrong() {
  JointEnd::Compared compared;
  if (joint_end) compared = joint_end->meet();
  Faults faults = run_faults(fabric, engines, *groups);
  if (faults.differ.empty()) faults.differ = compared.differ;
  const bool failed = fabric.aborted();
  std::exception_ptr wrong = fabric.failure();
  // The first calls that differ are the cause of all that could not be completed.
  const bool by_calls =
      is_a<Mismatch>(wrong) || is_a<Deadlock>(wrong) || (compared.ended_by_calls && is_a<Aborted>(wrong));
  if (!faults.differ.empty() && (!failed || by_calls))
    wrong = std::make_exception_ptr(Mismatch(faults.differ));
  else if (!failed && !faults.undone.empty())
    wrong = std::make_exception_ptr(Mismatch(faults.undone));
  return joint_end ? joint_end->conclude(wrong) : wrong;
}

}  // namespace vnode
