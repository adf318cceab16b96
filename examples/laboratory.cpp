// A broadcast of one's own: made as a value, proved, looked at, simulated, turned into a reduction, and run.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <vnode/lab/link_loads.hpp>
#include <vnode/lab/mutants.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/simulate.hpp>
#include <vnode/model/compose.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/verify.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/vnode.hpp>

namespace {

// Both ways round a ring from node 0: to the right at once, to the left a round later.
vnode::Schedule both_ways(int p) {
  vnode::Schedule schedule(p, 1);
  const int right = p / 2, left = p - 1 - right;
  for (int t = 0; t < std::max(right, left + 1); ++t) {
    vnode::Round& round = schedule.next_round();
    if (t < right) round.push_back({t, t + 1, vnode::Blocks::whole});
    if (t > 0 && t <= left) round.push_back({(p - t + 1) % p, p - t, vnode::Blocks::whole});
  }
  return schedule;
}

}  // namespace

int main() {
  constexpr int p = 8;
  const vnode::Schedule schedule = both_ways(p);
  std::puts(vnode::picture(schedule).c_str());

  // Proved by replay. It promises that neighbours talk only: then every fault that is put in is found.
  const vnode::Contract contract = vnode::broadcast_contract(p, 1, 0);
  const vnode::Promises promises{.rounds = p / 2, .peers = [](int, vnode::Rank from, vnode::Rank to) {
                                   return (from + 1) % p == to || (to + 1) % p == from;
                                 }};
  std::vector<std::string> wrong = vnode::verify(schedule, contract, promises);
  const vnode::MutantFindings mutants = vnode::verify_mutants(schedule, contract, promises);
  std::printf("%ld mutants, %zu of them right\n", mutants.mutants, mutants.survivors.size());

  // Contention-free on a ring; 1 MiB takes so long where a message costs 1 us and a byte 0.1 ns.
  const vnode::Topology ring(vnode::shapes::ring{}, p);
  const int load = vnode::greatest_load(vnode::link_loads(schedule, ring, ring.default_routing()));
  const vnode::Simulation simulated =
      vnode::simulate(schedule, {1 << 20, 1}, ring, {.costs = vnode::Hockney{1e-6, 1e-10}});
  std::printf("load %d, %.1f us\n", load, simulated.seconds * 1e6);

  // Backwards it is a reduction, though not in rank order.
  const vnode::Schedule reduction = vnode::compose::dual(schedule);
  for (const std::string& fault : vnode::verify(reduction, vnode::reduce_contract(p, 1, 0)))
    wrong.push_back(fault);
  std::printf("in rank order: %s\n",
              vnode::keeps_order(reduction, vnode::reduce_contract(p, 1, 0)) ? "yes" : "no");

  // On threads.
  const vnode::OwnSchedule own(reduction, "both_ways_back");
  vnode::Team team{p, vnode::shapes::ring{}};
  double sum = 0;
  team.run([&](vnode::Node& me) {
    std::vector<double> x(1000, me.rank());
    me.reduce(x, std::plus<>{}, 0, {.schedule = &own});
    if (me.rank() == 0) sum = x[999];
  });
  std::printf("sum %g\n", sum);
  for (const std::string& sentence : wrong) std::puts(sentence.c_str());
  return wrong.empty() && mutants.survivors.empty() && load == 1 && sum == p * (p - 1) / 2 ? 0 : 1;
}
