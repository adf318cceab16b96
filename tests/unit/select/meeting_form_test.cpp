#include "select/meeting_form.hpp"

#include <cstddef>
#include <doctest/doctest.h>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/select.hpp>

using namespace vnode;

TEST_CASE("nodes meet only where they share PUs, in one process, and lines carry what they bring") {
  const auto form = [](const char* name, std::size_t bytes, const CostModel& costs, bool meets = true) {
    Demand demand{.collective = algorithm(name).collective, .parameters = {.nodes = 16}, .bytes = bytes};
    demand.meets = meets;
    return meeting_form(algorithm(name), demand, demand.parameters, costs);
  };
  CostModel fibers = typical_costs;
  fibers.nodes_per_pu = 8;
  fibers.turn = 40e-9;
  CHECK(form("all_reduce_central", 8, fibers) == MeetingForm::combined);
  CHECK(form("reduce_scatter_direct", 8, fibers) == MeetingForm::combined);
  CHECK(form("all_gather_direct", 8, fibers) == MeetingForm::gathered);
  CHECK(form("all_gather_direct", 8000, fibers) == MeetingForm::exchange);
  CHECK(form("all_to_all_direct", 100, fibers) == MeetingForm::exchange);
  CHECK(form("all_to_all_direct", 8, fibers) == MeetingForm::none);  // fits into a slot of a board
  CHECK(form("all_reduce_ring", 8, fibers) == MeetingForm::none);
  CHECK(form("all_reduce_central", 8, fibers, false) == MeetingForm::none);
  CostModel threads = fibers, one_on_each = fibers, no_lines = fibers;
  threads.turn = 0;
  CHECK(form("all_reduce_central", 8, threads) == MeetingForm::combined);
  CHECK(form("all_reduce_central", 1000, fibers) == MeetingForm::combined);
  CHECK(form("all_reduce_central", 1000, threads) == MeetingForm::none);
  one_on_each.nodes_per_pu = 1;
  CHECK(form("all_to_all_direct", 100, one_on_each) == MeetingForm::none);
  no_lines.eager_to = 0;
  CHECK(form("all_reduce_central", 8, no_lines) == MeetingForm::none);
}
