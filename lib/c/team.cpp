#include "c/team.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include <vnode/cost_model.hpp>

#include "c/topology.hpp"
#include "c/untyped.hpp"
#include "team/team_state.hpp"

namespace vnode {
namespace {

CostModel costs_from(const vnode_cost_model& given) {
  CostModel costs{.t_s = given.t_s, .t_w = given.t_w, .t_op = given.t_op, .t_put = given.t_put, .o = given.o};
  if (given.nodes_per_pu != 0) costs.nodes_per_pu = given.nodes_per_pu;
  if (given.eager_to != 0) costs.eager_to = given.eager_to;
  if (given.shared_from != 0) costs.shared_from = given.shared_from;
  return costs;
}

std::optional<DomainLevel> arenas_from(int domain) {
  switch (domain) {
    case VNODE_DOMAIN_NONE:
      return std::nullopt;
    case VNODE_DOMAIN_L3:
      return DomainLevel::l3;
    case VNODE_DOMAIN_NUMA:
      return DomainLevel::numa;
    case VNODE_DOMAIN_PACKAGE:
      return DomainLevel::package;
    case VNODE_DOMAIN_MACHINE:
      return DomainLevel::machine;
    default:
      throw WrongArgument(fmt::format(
          "there are no arenas on domains of {}: VNODE_DOMAIN_L3, _NUMA, _PACKAGE and _MACHINE have them",
          domain));
  }
}

/// Rounded up, so that a time that is not zero stays one.
std::chrono::nanoseconds time_from(const char* name, double seconds) {
  constexpr double most = 9e9;  // what nanoseconds in 64 bits hold, some 285 years
  if (!(std::abs(seconds) <= most))
    throw WrongArgument(fmt::format("{} is {} s: it is a time of 0 to 9e9 s", name, seconds));
  return std::chrono::nanoseconds(std::llround(std::copysign(std::ceil(std::abs(seconds) * 1e9), seconds)));
}

TeamOptions options_from(const vnode_team_options& given) {
  TeamOptions options;
  options.threads = enumerated<Threads>(given.threads, 2, "vnode_threads");
  options.wait = enumerated<Wait>(given.wait, static_cast<int>(waits().size()), "vnode_waiting");
  options.channel = enumerated<ChannelEngine>(given.channel, 2, "vnode_channel");
  if (const int pin = enumerated<int>(given.pin, 3, "vnode_choice"); pin != VNODE_CHOICE_DEFAULT)
    options.pin = pin == VNODE_CHOICE_ON;
  options.keep_caller_pinned = given.keep_caller_pinned != 0;
  options.mapping = text_or_empty(given.mapping);
  if (given.pus_count > 0)
    options.pus.assign(&needed(given.pus, "the list of PUs"), given.pus + given.pus_count);
  if (given.banks != VNODE_BANKS_DEFAULT)
    options.banks = static_cast<Banks>(enumerated<int>(given.banks, 6, "vnode_banks") - 1);
  options.strict_banks = given.strict_banks != 0;
  options.arenas = arenas_from(given.arenas);
  if (given.arenas_from != 0) options.arenas_from = given.arenas_from;
  options.apart = given.apart != 0;
  options.checked = given.checked != 0;
  options.deterministic = given.deterministic != 0;
  options.statistics = given.statistics != 0;
  options.deadlocks = enumerated<int>(given.deadlocks, 3, "vnode_choice") != VNODE_CHOICE_OFF;
  if (given.share != nullptr) options.share = given.share;
  options.profile = text_or_empty(given.profile);
  if (const int nodes = enumerated<int>(given.nodes, 3, "vnode_nodes"); nodes != VNODE_NODES_DEFAULT)
    options.nodes = static_cast<Nodes>(nodes - VNODE_NODES_THREADS);
  if (given.stack != 0) options.stack = given.stack;
  options.time_limit = time_from("time_limit", given.time_limit);
  if (given.spin != nullptr)
    options.spin = *given.spin == HUGE_VAL ? std::chrono::nanoseconds::max() : time_from("spin", *given.spin);
  options.algorithms = text_or_empty(given.algorithms);
  if (given.costs != nullptr) options.costs = costs_from(taken(given.costs, "vnode_cost_model"));
  if (given.inline_to != nullptr) options.inline_to = *given.inline_to;
  if (given.shared_from != nullptr) options.shared_from = *given.shared_from;
  return options;
}

}  // namespace

void Untyped::end(const Team& team, std::string_view function) {
  team.existing().life->end_between_runs(function);
}

}  // namespace vnode

using namespace vnode;

int vnode_team_create(vnode_team** team, int nodes, const char* shape, const vnode_team_options* options) {
  return entry([&] {
    needed(team, "the address of the handle") = nullptr;
    put_handle(
        team,
        Team(nodes, shape != nullptr ? Shape::parse(shape) : Shape(shapes::full{}),
             options_from(taken(options, "vnode_team_options", offsetof(vnode_team_options, statistics)))));
  });
}

int vnode_team_free(vnode_team** team) {
  return entry([&] {
    if (needed(team, "the address of the handle") != nullptr)
      Untyped::end(at_handle(*team).is, "vnode_team_free()");
    end_handle(team);
  });
}

int vnode_team_run(vnode_team* team, vnode_body body, void* user) {
  return entry([&] {
    vnode_team& own = at_handle(team);
    if (body == nullptr) throw WrongArgument("the body is NULL");
    own.is.run([&](Node& node) {
      const FailureOfNode failure;
      if (const int code = body(handle_of_this_node(), user); code != VNODE_OK)
        throw_code(code, fmt::format("the body of node {}", node.rank()));
    });
  });
}

int vnode_this_node(vnode_node** me) {
  return entry([&] { needed(me, "me") = handle_of_this_node(); });
}

int vnode_yield(vnode_node* me) {
  return entry([&] { node_of(me).yield(); });
}

int vnode_team_join(vnode_team* team, int rank, vnode_membership** membership, vnode_node** me) {
  return entry([&] {
    needed(membership, "the address of the handle") = nullptr;
    if (me != nullptr) *me = nullptr;
    vnode_team& own = at_handle(team);
    const vnode_membership& made =
        put_handle(membership, rank == VNODE_ANY_RANK ? own.is.join() : own.is.join(rank));
    if (me != nullptr) *me = made.node;
  });
}

int vnode_membership_node(const vnode_membership* membership, vnode_node** me) {
  return entry([&] { needed(me, "me") = at_handle(membership).node; });
}

int vnode_membership_leave(vnode_membership** membership) {
  return entry([&] {
    vnode_membership* const own = needed(membership, "the address of the handle");
    if (own == nullptr) return;
    Membership& leaving = at_handle(own).is;
    try {
      leaving.leave();
    } catch (...) {
      if (!leaving.left()) throw;
      end_handle(membership);
      throw;
    }
    end_handle(membership);
  });
}

int vnode_membership_abort(vnode_membership** membership, const char* reason) {
  return entry([&] {
    vnode_membership* const own = needed(membership, "the address of the handle");
    if (own == nullptr) return;
    Membership& leaving = at_handle(own).is;
    leaving.abort(std::make_exception_ptr(
        std::runtime_error(reason != nullptr ? reason : fmt::format("node {} has failed", leaving->rank()))));
    end_handle(membership);
  });
}

int vnode_team_size(const vnode_team* team) {
  return entry([&] { return at_handle(team).is.size(); });
}

int vnode_team_topology(const vnode_team* team, vnode_topology** topology) {
  return entry([&] { put_handle(topology, at_handle(team).is.topology()); });
}

int vnode_team_costs(vnode_team* team, vnode_cost_model* costs) {
  return entry([&] {
    check_size("vnode_cost_model", needed(costs, "costs").size, sizeof *costs, sizeof *costs);
    const CostModel& of = at_handle(team).is.costs();
    *costs = {.size = sizeof *costs,
              .t_s = of.t_s,
              .t_w = of.t_w,
              .t_op = of.t_op,
              .t_put = of.t_put,
              .o = of.o,
              .nodes_per_pu = of.nodes_per_pu,
              .eager_to = of.eager_to,
              .shared_from = of.shared_from};
  });
}

int vnode_team_report(const vnode_team* team, char** text) {
  return entry([&] { put_text(text, at_handle(team).is.report()); });
}

int vnode_team_bytes(const vnode_team* team, size_t* channels, size_t* scratch) {
  return entry([&] {
    const Team& of = at_handle(team).is;
    if (channels != nullptr) *channels = of.channel_bytes();
    if (scratch != nullptr) *scratch = of.scratch_bytes();
  });
}
