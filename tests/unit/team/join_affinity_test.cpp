// Threads that join bring what they are bound to: where nodes run and how they wait follows from that.
#include <cstddef>
#include <doctest/doctest.h>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/vnode.hpp>

#include "base/at.hpp"
#include "joining.hpp"
#include "machine/binding.hpp"

using namespace vnode_test;
using vnode::at;

namespace {

/// Returns the numbers of the first PUs of two cores that the process may use; none if it may use one.
std::optional<std::vector<int>> two_cores() {
  const vnode::Machine machine = vnode::Machine::discover();
  const std::vector<int> allowed = machine.allowed_pus();
  const vnode::Pu& first = at(machine.pus, allowed.front());
  for (const int pu : allowed)
    if (const vnode::Pu& other = at(machine.pus, pu); other.core != first.core)
      return std::vector{first.os_index, other.os_index};
  return {};
}

/// Two threads bound to these PUs join and call; returns the team's report afterwards.
std::string report_by(vnode::Team& team, const std::vector<int>& pus) {
  on_threads(2, [&](int i) {
    REQUIRE(vnode::set_thread_affinity({at(pus, i)}));
    vnode::Membership me = team.join(i);
    CHECK(works(*me));
  });
  return team.report();
}

bool report_says(const std::string& report, const std::string& text) {
  return report.find(text) != report.npos;
}

/// Returns whether nodes that share a core, or have one each, are told to.
bool as_on_one_core(const std::string& report) {
  return report_says(report, "cores: 1 used of ") && report_says(report, ", less than one to each node\n") &&
         report_says(report, "mapping: by what the threads that joined last are bound to\n") &&
         report_says(report, "waiting: yield for 1000 us, then park ");
}
bool as_on_two_cores(const std::string& report) {
  return report_says(report, "cores: 2 used of ") && report_says(report, ", one of its own to each node\n");
}

}  // namespace

TEST_CASE("a team of callers follows its threads from run to run") {
  const auto pus = two_cores();
  if (!pus) return;  // there is but one place to be
  const int first = pus->front(), second = pus->back();
  vnode::Team team = joined_by(2);
  const std::string before = team.report();
  CHECK(as_on_two_cores(before));
  CHECK(report_says(before, "mapping: compact\n"));
  for (int round = 0; round < 2; ++round) {
    CHECK(as_on_two_cores(report_by(team, {first, second})));
    CHECK(as_on_one_core(report_by(team, {second, second})));
    CHECK(as_on_two_cores(report_by(team, {second, first})));
    CHECK(as_on_one_core(report_by(team, {first, first})));
  }
  // Threads that nobody binds are where the options have them.
  CHECK(still_works(team));
  CHECK(as_on_two_cores(team.report()));
  CHECK(report_says(team.report(), "mapping: compact\n"));
}

TEST_CASE("what the thread that makes a team of callers is bound to does not matter, and is told") {
  const auto pus = two_cores();
  if (!pus) return;
  std::thread([&] {
    REQUIRE(vnode::set_thread_affinity({pus->back()}));
    vnode::Team team = joined_by(2);
    CHECK(as_on_two_cores(team.report()));
    CHECK(report_says(team.report(), "affinity: the thread that made the team is bound to PU " +
                                         std::to_string(pus->back()) +
                                         ", the team uses what the process may: PUs "));
    const vnode::TeamOptions own = patient();
    vnode::Team with_threads{2, own};
    CHECK(as_on_two_cores(with_threads.report()));
    // Its threads are not bound as the caller is, where they are not pinned either.
    vnode::TeamOptions free = own;
    free.pin = false;
    vnode::Team not_pinned{2, free};
    std::vector<int> of_second;
    not_pinned.run([&](vnode::Node& me) {
      if (me.rank() == 1) of_second = vnode::thread_affinity();
    });
    CHECK(of_second == vnode::process_affinity());
    CHECK(vnode::thread_affinity() == std::vector{pus->back()});
  }).join();
}

TEST_CASE("threads that ask to be pinned are, wherever they were bound before") {
  const auto pus = two_cores();
  if (!pus) return;
  std::thread([&] {
    REQUIRE(vnode::set_thread_affinity({pus->front()}));
    vnode::TeamOptions options = callers();
    options.pin = true;
    options.mapping = std::to_string(pus->back()) + "," + std::to_string(pus->front());
    vnode::Team team{2, options};
    on_threads(2, [&](int i) {
      {
        vnode::Membership me = team.join(i);
        CHECK(vnode::thread_affinity() == std::vector{i == 0 ? pus->back() : pus->front()});
        CHECK(works(*me));
      }
      CHECK(vnode::thread_affinity() == std::vector{pus->front()});
    });
    CHECK(as_on_two_cores(team.report()));
    CHECK(report_says(team.report(), "pinning: each node to one PU\n"));
  }).join();
}

TEST_CASE("costs and plans follow threads that move, in groups too, but not while a planned call is held") {
  const auto pus = two_cores();
  if (!pus) return;
  vnode::TeamOptions options = callers();
  options.costs = vnode::CostModel{1e-7, 1e-10, 1e-10, 1e-10};
  std::vector<std::optional<vnode::Group>> groups(2);
  std::vector<vnode::Persistent> planned(2);
  std::vector<int> in(2), out(2);
  // The algorithms that all nodes and a group of them choose, where threads are there.
  const auto chosen = [&](vnode::Team& team, const std::vector<int>& there, bool plans = false) {
    std::string names;
    on_threads(2, [&](int i) {
      REQUIRE(vnode::set_thread_affinity({at(there, i)}));
      vnode::Membership me = team.join(i);
      if (plans)
        at(planned, i) =
            me->persistent().all_reduce(std::span(&at(in, i), 1), std::span(&at(out, i), 1), std::plus<>{});
      if (!at(groups, i)) at(groups, i) = me->split(0);
      std::vector<int> x(4096, 1);
      me->all_reduce(x, std::plus<>{});
      at(groups, i)->all_reduce(x, std::plus<>{});
      CHECK(x == std::vector<int>(4096, 4));
      if (i == 0)
        names = std::string(me->last_algorithm()) + " " + std::string(at(groups, i)->last_algorithm());
    });
    return names;
  };
  const std::vector<int> apart = *pus, together{pus->front(), pus->front()};
  const auto of_new_team = [&](const std::vector<int>& there) {
    vnode::Team team{2, options};
    const std::string names = chosen(team, there);
    groups.assign(2, std::nullopt);
    return names;
  };
  const std::string by_two = of_new_team(apart), by_one = of_new_team(together);
  REQUIRE(by_two != by_one);
  vnode::Team team{2, options};
  const vnode::CostModel costs = team.costs();
  for (int round = 0; round < 2; ++round) {
    CHECK(chosen(team, apart) == by_two);
    CHECK(team.costs() == costs);
    CHECK(chosen(team, together) == by_one);
    CHECK(team.costs().nodes_per_pu == costs.nodes_per_pu);  // as given
    CHECK(team.costs().eager_to > costs.eager_to);
    CHECK(team.costs().shared_from > costs.shared_from);
  }
  CHECK(chosen(team, apart, true) == by_two);
  CHECK(chosen(team, together) == by_two);
  planned = std::vector<vnode::Persistent>(2);
  CHECK(chosen(team, together) == by_one);
}

TEST_CASE("groups and planned calls of earlier runs work when threads have moved") {
  const auto pus = two_cores();
  if (!pus) return;
  vnode::Team team = joined_by(2);
  std::vector<std::optional<vnode::Group>> groups(2);
  std::vector<vnode::Persistent> planned(2);
  std::vector<std::vector<int>> in(2, std::vector<int>(5000, 1)), out(2, std::vector<int>(5000));
  const std::vector<std::vector<int>> places{{pus->front(), pus->back()},
                                             {pus->front(), pus->front()},
                                             {pus->back(), pus->front()},
                                             {pus->back(), pus->back()}};
  for (std::size_t round = 0; round < 4 * places.size(); ++round)
    on_threads(2, [&](int i) {
      REQUIRE(vnode::set_thread_affinity({at(places[round % places.size()], i)}));
      vnode::Membership me = team.join(i);
      std::optional<vnode::Group>& group = at(groups, i);
      if (!group) group = me->split(0, 1 - i);
      // Planned in one run, used in the next two, and then given up, by one node before the other.
      vnode::Persistent& call = at(planned, i);
      if (round % 4 == 0) call = me->persistent().all_reduce(at(in, i), at(out, i), std::plus<>{});
      if (round % 4 < 3) {
        call.start();
        call.wait();
        CHECK(at(out, i) == std::vector<int>(5000, 2));
      }
      if (round % 4 == 2 + static_cast<std::size_t>(i)) call = {};
      for (const std::size_t count : {std::size_t{1}, std::size_t{100}, std::size_t{5000}}) {
        std::vector<int> x(count, i);
        me->all_reduce(x, std::plus<>{});
        CHECK(x == std::vector<int>(count, 1));
        group->broadcast(x, static_cast<vnode::Rank>(round % 2));
        std::vector<int> sent(count, i), got(count);
        me->sendrecv(sent, 1 - i, got, 1 - i);
        CHECK(got == std::vector<int>(count, 1 - i));
      }
      CHECK(works(*me));
    });
}
