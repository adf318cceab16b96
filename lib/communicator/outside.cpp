#include "communicator/outside.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/topology.hpp>

#include "base/at.hpp"
#include "base/is_a.hpp"
#include "base/said.hpp"
#include "communicator/network_costs.hpp"
#include "communicator/team_mapping.hpp"
#include "communicator/told_machine.hpp"
#include "machine/system.hpp"
#include "runtime/joint_standstill.hpp"
#include "runtime/last_wait.hpp"
#include "runtime/mismatch.hpp"

namespace vnode {
namespace {

/// An option, as a process has it.
struct Told {
  std::string_view option;
  std::string value;
};

std::string text_of(const std::optional<std::size_t>& bytes) {
  return bytes ? fmt::to_string(*bytes) : "not given";
}

/// What all processes must agree on.
std::vector<Told> told(const Settings& settings, const Shape& shape) {
  const TeamOptions& options = settings.options;
  const auto on = [](bool value) { return value ? "on" : "off"; };
  return {{"the shape", shape.text()},
          {"TeamOptions::checked or VNODE_CHECKED", on(options.checked)},
          {"TeamOptions::deadlocks or VNODE_DEADLOCKS", on(options.deadlocks)},
          {"TeamOptions::deterministic", on(options.deterministic)},
          {"TeamOptions::algorithms or VNODE_ALGORITHM", options.algorithms},
          {"TeamOptions::inline_to", text_of(options.inline_to)},
          {"TeamOptions::shared_from", text_of(options.shared_from)},
          {"TeamOptions::costs",
           options.costs
               ? fmt::format("t_s {} t_w {} t_op {} t_put {} o {}, limits {} and {}", options.costs->t_s,
                             options.costs->t_w, options.costs->t_op, options.costs->t_put, options.costs->o,
                             options.costs->eager_to, options.costs->shared_from)
               : "not given"}};
}

std::string sentence_of(const std::exception_ptr& exception) try {
  if (!exception) return {};
  std::rethrow_exception(exception);
} catch (const std::exception& error) {
  return error.what();
} catch (...) {
  return "an exception that is no std::exception";
}

}  // namespace

Outside::Outside(Transport& transport, const Settings& settings, const Shape& shape)
    : transport_(transport), processes_(transport) {
  Said own;
  const std::vector<Told> options = told(settings, shape);
  for (const Told& one : options) own.add(one.value);
  own.add(number_ranges(Machine::discover().allowed_pus()));
  own.add(system_number());
  std::vector<Bytes> all = exchange(own.bytes());
  std::vector<std::string> first, pus, systems;
  for (int process = 0; process < processes_.count(); ++process) {
    Said said(at(all, process));
    for (std::size_t i = 0; i < options.size(); ++i) {
      std::string value = said.text();
      if (process == 0)
        first.push_back(std::move(value));
      else if (value != first[i])
        throw UsageError(
            fmt::format("the processes of a cluster make one team: {} is \"{}\" in {} and \"{}\" in {}",
                        options[i].option, first[i], processes_.text(0), value, processes_.text(process)));
    }
    pus.push_back(said.text());
    systems.push_back(said.text());
  }
  const int here = processes_.here();
  for (int process = 0; process < processes_.count(); ++process) {
    int first_of_system = 0;
    while (processes_.machine(first_of_system) != processes_.machine(process) &&
           (at(systems, process).empty() || at(systems, first_of_system) != at(systems, process)))
      ++first_of_system;
    systems_.push_back(first_of_system);
  }
  for (int process = 0; process < processes_.count(); ++process)
    if (process != here && at(systems_, process) == at(systems_, here) && at(pus, process) == at(pus, here))
      neighbours_.push_back({processes_.last(process) - processes_.first(process), process < here});
  if (!settings.options.costs) network_ = measured_network(transport);
}

std::vector<Outside::Bytes> Outside::exchange(const Bytes& own, const std::function<void()>& look) {
  return transport_.exchange(own, look);
}

Mapping Outside::map(const Machine& machine, const TeamOptions& options) const {
  const int own = nodes_here();
  if (!options.pus.empty() || neighbours_.empty())
    return mapping_for(machine, Topology(shapes::full{}, own), options);
  int before = 0, all = own;
  for (const Neighbour& neighbour : neighbours_) {
    all += neighbour.nodes;
    if (neighbour.before) before += neighbour.nodes;
  }
  Mapping mapping = mapping_for(machine, Topology(shapes::full{}, all), options);
  mapping.pu = {mapping.pu.begin() + before, mapping.pu.begin() + before + own};
  return mapping;
}

Mapping Outside::of_all(const Mapping& here) const {
  Mapping all = here;
  all.pu.assign(static_cast<std::size_t>(nodes()), here.pu.front());
  std::ranges::copy(here.pu, all.pu.begin() + first());
  return all;
}

void Outside::agree_on(const Machine& machine, const Mapping& here) {
  std::vector<int> pus;
  for (const int pu : here.pu) pus.push_back(at(machine.pus, pu).os_index);
  Said own;
  own.add(int{here.own_core});
  own.add(pus);
  if (is_first_of_machine(processes_.here())) tell(own, machine);
  own_core_ = true;
  std::vector<Machine> machines;
  std::vector<ProcessNodes> nodes;
  const std::vector<Bytes> all = exchange(own.bytes());
  for (int process = 0; process < processes_.count(); ++process) {
    Said said(at(all, process));
    own_core_ = said.integer() != 0 && own_core_;
    pus = said.list();
    for (const int pu : pus) real_pus_.emplace_back(at(systems_, process), pu);
    if (is_first_of_machine(process)) machines.push_back(told_machine(said));
    const std::vector<Pu>& there = at(machines, processes_.machine(process)).pus;
    // A PU that the machine's first process does not see is taken for that one's first.
    for (int& pu : pus) {
      const auto found = std::ranges::find(there, pu, &Pu::os_index);
      pu = found != there.end() ? static_cast<int>(found - there.begin()) : 0;
    }
    nodes.push_back({processes_.machine(process), {.pu = std::move(pus)}});
  }
  machines_ = joined(machines);
  mapping_ = joined(machines, nodes);
}

double Outside::nodes_per_pu(std::span<const Rank> nodes) const {
  std::set<std::pair<int, int>> used;
  for (const Rank node : nodes) used.insert(at(real_pus_, node));
  return static_cast<double>(nodes.size()) / static_cast<double>(used.size());
}

bool Outside::is_first_of_machine(int process) const {
  for (int other = 0; other < process; ++other)
    if (processes_.machine(other) == processes_.machine(process)) return false;
  return true;
}

void Outside::made(std::exception_ptr failure) {
  Said own;
  own.add(sentence_of(failure));
  const std::vector<Bytes> all = exchange(own.bytes());
  if (failure) std::rethrow_exception(failure);
  for (int process = 0; process < processes_.count(); ++process)
    if (const std::string why = Said(at(all, process)).text(); !why.empty())
      throw SystemError(
          fmt::format("{} cannot make its part of the team: {}", processes_.text(process), why));
}

namespace {

/// At the end of a run, and while it waits for the others: lets messages come and go. True when none is on
/// its way.
bool take_in(const std::vector<std::unique_ptr<Engine>>& engines) {
  bool all = true;
  for (const auto& engine : engines) all = engine->endpoint().remote()->take_in() && all;
  return all;
}

void poll(const std::vector<std::unique_ptr<Engine>>& engines) {
  for (const auto& engine : engines) engine->endpoint().remote()->poll();
}

}  // namespace

Outside::Compared Outside::end_run(Fabric& fabric, const std::vector<std::unique_ptr<Engine>>& engines) {
  std::optional<LastWait> wait;
  // Who has failed waits until the others have taken what it has sent them.
  const std::function<void()> look = [&] {
    if (!fabric.aborted()) {
      poll(engines);
      return fabric.joint_standstill()->look_at_end();
    }
    static_cast<void>(take_in(engines));
    if (!wait) wait.emplace(*engines.front()->endpoint().remote());
    wait->look();
  };
  const auto sum = [&](auto count, int process) {
    return std::accumulate(engines.begin(), engines.end(), std::uint64_t{0},
                           [&](std::uint64_t so_far, const auto& engine) {
                             return so_far + (engine->endpoint().remote()->wire().*count)(process);
                           });
  };
  // What has interrupted the caller of the run is nobody's exception.
  if (fabric.aborted()) engines.front()->endpoint().remote()->tell_abort();
  const auto history = [&](Rank node) {
    return fabric.world().station(node).history.load(std::memory_order_relaxed);
  };
  Said own;
  own.add(std::uint64_t{fabric.aborted()});
  own.add(std::uint64_t{is_a<Mismatch>(fabric.failure()) || is_a<Deadlock>(fabric.failure())});
  own.add(sentence_of(fabric.failure()));
  for (int process = 0; process < processes_.count(); ++process) own.add(sum(&Wire::sent, process));
  for (Rank node = first(); node < first() + nodes_here(); ++node) own.add(history(node));
  const std::vector<Bytes> all = exchange(own.bytes(), look);
  Compared compared;
  bool failed = false, alike = true;
  std::optional<std::uint64_t> any;
  for (int process = 0; process < processes_.count(); ++process) {
    Said said(at(all, process));
    const bool has_failed = said.number() != 0;
    failed = failed || has_failed;
    compared.ended_by_calls = said.number() != 0 || compared.ended_by_calls;
    std::string why = said.text();
    const bool here = process == processes_.here();
    if (has_failed && !here)
      fabric.abort_from_outside(why.empty() ? processes_.text(process) + " has failed" : why);
    std::uint64_t sent = 0;
    for (int to = 0; to < processes_.count(); ++to)
      if (const std::uint64_t count = said.number(); to == processes_.here()) sent = count;
    for (Rank node = processes_.first(process); node < processes_.last(process); ++node) {
      const std::uint64_t told = said.number();
      alike = alike && told == any.value_or(told);
      any = told;
      if (!here) fabric.world().station(node).learn(told);
    }
    while (!here && sum(&Wire::received, process) < sent) {
      look();
      std::this_thread::yield();
    }
  }
  if (compared.ended_by_calls || (!failed && !alike)) compared.differ = compare_calls(fabric, look);
  return compared;
}

/// Exchanges what the journals of all nodes know, and which calls were found to be different. All processes
/// say the same of them: those that the first has found which has found any.
std::string Outside::compare_calls(Fabric& fabric, const std::function<void()>& look) {
  told_.clear();
  Said own;
  const std::optional<DifferentCalls> found = fabric.different();
  const auto [me, peer, context, call] = found.value_or(DifferentCalls{});
  for (const std::uint64_t value :
       {std::uint64_t{found.has_value()}, static_cast<std::uint64_t>(me), static_cast<std::uint64_t>(peer),
        std::uint64_t{context}, std::uint64_t{call}})
    own.add(value);
  for (Rank node = first(); node < first() + nodes_here(); ++node)
    ToldCalls::tell(own, fabric.presence(node).journal);
  std::optional<DifferentCalls> first_found;
  for (int process = 0; const Bytes& bytes : exchange(own.bytes(), look)) {
    Said said(bytes);
    const bool has = said.number() != 0;
    DifferentCalls different{};
    different.me = static_cast<Rank>(said.number());
    different.peer = static_cast<Rank>(said.number());
    different.context = static_cast<std::uint16_t>(said.number());
    different.call = static_cast<std::uint32_t>(said.number());
    if (has && !first_found) first_found = different;
    if (process != processes_.here())
      for (Rank node = processes_.first(process); node < processes_.last(process); ++node)
        told_.hear(said, fabric.presence(node).journal);
    ++process;
  }
  if (!first_found) return {};
  const auto& [one, other, in, number] = *first_found;
  return mismatch_text(fabric, one, other, in, number);
}

std::exception_ptr Outside::conclude(std::exception_ptr wrong, Fabric& fabric,
                                     const std::vector<std::unique_ptr<Engine>>& engines) {
  LastWait wait(*engines.front()->endpoint().remote());
  const auto look = [&] {
    if (fabric.aborted()) wait.look();
  };
  for (; !take_in(engines); look()) std::this_thread::yield();
  Said own;
  own.add(sentence_of(wrong));
  // Who is through may have begun the next run: what it sends is not looked for before this one is forgotten.
  const std::vector<Bytes> all = exchange(own.bytes(), look);
  for (const auto& engine : engines) engine->endpoint().remote()->end_run();
  fabric.joint_standstill()->end_run();
  if (wrong) return wrong;
  for (const Bytes& bytes : all)
    if (const std::string why = Said(bytes).text(); !why.empty())
      return std::make_exception_ptr(Mismatch(why));
  return nullptr;
}

}  // namespace vnode
