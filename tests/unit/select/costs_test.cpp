#include "select/costs.hpp"

#include <doctest/doctest.h>
#include <functional>
#include <string>

#include <vnode/cost_model.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/node.hpp>
#include <vnode/team.hpp>

#include "channel/line.hpp"
#include "sentence.hpp"
#include "team/calibration.hpp"

using namespace vnode;

TEST_CASE("the eager limit is where a message in lines takes as long as one that is announced") {
  const Carried eager{.short_exchange = 100, .long_exchange = 600};  // 0.5 a byte
  const auto limit = [&](double rendezvous) {
    return eager_limit(eager, {.short_exchange = 200, .long_exchange = rendezvous});
  };
  CHECK(limit(600) == max_inline);
  CHECK(limit(900) == max_inline);
  CHECK(limit(420) == 640);  // whole lines
  CHECK(limit(120) == least_eager);
  CHECK(limit(90) == least_eager);
  CHECK(eager_limit({.short_exchange = 100, .long_exchange = 100}, {.long_exchange = 50}) == max_inline);
}

TEST_CASE("both ends copy from the least length at which that is quicker") {
  const Carried alone{.told = {10, 20, 40}};
  CHECK(shared_limit(alone, {.told = {9, 30, 30}}) == 4096);
  CHECK(shared_limit(alone, {.told = {11, 19, 50}}) == 8192);
  CHECK(shared_limit(alone, {.told = {11, 21, 39}}) == 16384);
  CHECK(shared_limit(alone, {.told = {11, 21, 41}}) == 32768);
}

TEST_CASE("costs are measured once, for calls that leave the choice or the way of messages open") {
  int measured = 0;
  CostModel unmeasured, there;
  there.eager_to = 640;
  Costs costs(unmeasured, 256, [&] {
    ++measured;
    return there;
  });
  CHECK(costs.of_call(false, 256).eager_to == unmeasured.eager_to);
  CHECK(costs.known() == nullptr);
  CHECK(costs.of_call(false, 257).eager_to == 640);
  CHECK(costs.of_call(true, 8).eager_to == 640);
  CHECK(costs.get().eager_to == 640);
  CHECK(measured == 1);
  REQUIRE(costs.known() != nullptr);
}

TEST_CASE("where measuring takes too long typical costs do") {
  // Two that spin on one PU take a time slice for each message; to measure takes thousands of them.
  const int pu = Machine::discover().allowed_pus().front();
  TeamOptions options = vnode_test::patient();
  options.pus = {pu, pu};
  options.wait = Wait::spin;
  Team team(2, shapes::full{}, options);
  team.run([](Node& me) { CHECK(me.all_reduce(me.rank(), std::plus<>{}) == 1); });
  CAPTURE(team.report());
  CHECK(team.report().find("costs, typical: 150 ns to start a message, per byte 0.100 ns") !=
        std::string::npos);
}
