// Tests schedules that callers bring: one in which faults() finds nothing is carried out, with the right
// result.
#include <doctest/doctest.h>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <vnode/lab/notation.hpp>
#include <vnode/model/select.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "property/execution/operation.hpp"
#include "random_schedule.hpp"

using namespace vnode_test;
using vnode::Collective;

namespace {

/// Describes how messages travel.
struct Carrying {
  bool lines, shared;
  vnode::ChannelEngine engine;
};
constexpr Carrying carryings[] = {{true, false, vnode::ChannelEngine::line},
                                  {false, false, vnode::ChannelEngine::line},
                                  {false, true, vnode::ChannelEngine::line},
                                  {false, true, vnode::ChannelEngine::boost}};

vnode::TeamOptions options_of(const Carrying& carrying) {
  vnode::TeamOptions options;
  options.costs = vnode::typical_costs;
  options.channel = carrying.engine;
  if (!carrying.lines) options.inline_to = 0;
  if (carrying.shared) options.shared_from = 1;
  options.time_limit = std::chrono::seconds(60);
  return options;
}

/// The call by that schedule, in place or not; combining by an operator that is not commutative if
/// `in_order`.
std::size_t wrong(vnode::Team& team, Trial trial, const vnode::OwnSchedule& schedule, bool in_order) {
  trial.options.schedule = &schedule;
  Element element = trial.count % 2 == 0 ? Element::bf16 : Element::complex_f32;
  if (vnode::combines(trial.collective) && in_order) element = Element::matrix;
  std::size_t sum = 0;
  for (const bool in_place : {false, true}) {
    trial.in_place = in_place;
    sum += wrong_in(team, trial, element);
  }
  return sum;
}

}  // namespace

TEST_CASE("every registered schedule may be brought as one's own") {
  for (const int nodes : brief() ? std::vector{2, 5} : std::vector{1, 2, 3, 4, 5, 8}) {
    vnode::Team team(nodes, vnode::shapes::full{}, options_of(carryings[0]));
    for (const vnode::Algorithm& algorithm : vnode::algorithms())
      for (const int segments : {1, 3}) {
        vnode::Demand demand{.collective = algorithm.collective};
        demand.parameters = {.nodes = nodes, .root = nodes / 2, .segments = segments};
        demand.parameters.extents = vnode::mesh_extents(vnode::Topology(vnode::shapes::mesh{}, nodes));
        demand.parameters.shift = 1;
        if ((segments > 1 && !algorithm.segments) || why_not(algorithm, demand.parameters)) continue;
        const vnode::OwnSchedule schedule(algorithm.build(demand.parameters));
        CAPTURE(algorithm.name);
        CAPTURE(nodes);
        CAPTURE(segments);
        demand.parameters.segments = 0;
        REQUIRE(faults(schedule.schedule(), demand) == std::vector<std::string>{});
        demand.parameters.keep_order = true;
        const bool in_order = faults(schedule.schedule(), demand).empty();
        Trial trial{.collective = algorithm.collective, .options = {}};
        trial.root = demand.parameters.root;
        trial.shift = demand.parameters.shift;
        for (const std::size_t count : {std::size_t{1}, std::size_t{50}}) {
          trial.count = count;
          REQUIRE(wrong(team, trial, schedule, in_order) == 0);
        }
      }
  }
}

TEST_CASE("a random schedule is carried out right, or refused for its lists") {
  std::mt19937 random(20261121);
  int carried_out = 0, refused = 0;
  const int times = brief() ? 6 : 40;
  for (int nodes = 2; nodes <= 6; ++nodes) {
    std::vector<std::unique_ptr<vnode::Team>> teams;
    for (const Carrying& carrying : carryings)
      teams.push_back(std::make_unique<vnode::Team>(nodes, vnode::shapes::full{}, options_of(carrying)));
    for (const Collective collective : random_collectives)
      for (int time = 0; time < times; ++time) {
        const vnode::OwnSchedule schedule(random_schedule(collective, nodes, random));
        CAPTURE(vnode::enums::name(collective));
        CAPTURE(to_text(schedule.schedule()));
        vnode::Demand demand{.collective = collective};
        demand.parameters = {.nodes = nodes, .keep_order = vnode::combines(collective)};
        const std::vector<std::string> why = faults(schedule.schedule(), demand);
        if (!why.empty()) {
          CAPTURE(why.front());
          REQUIRE(why.size() == 1);
          REQUIRE(why.front().find("must come in equal lists") != std::string::npos);
          ++refused;
          continue;
        }
        ++carried_out;
        Trial trial{.collective = collective, .options = {}, .form = static_cast<Form>(time % 3)};
        for (const auto& team : teams)
          for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{2000}}) {
            trial.count = count;
            REQUIRE(wrong(*team, trial, schedule, true) == 0);
          }
      }
  }
  std::cout << "own schedules: " << carried_out << " random ones carried out, " << refused << " refused\n";
  CHECK(carried_out > 25 * times);
  if (!brief()) CHECK(refused > 2);
}
