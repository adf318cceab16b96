#include <algorithm>
#include <chrono>
#include <cstddef>
#include <doctest/doctest.h>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <vnode/model/machine_domains.hpp>
#include <vnode/vnode.hpp>

#include "place_of.hpp"
#include "sentence.hpp"

using namespace vnode;

namespace {

TeamOptions with_arenas(DomainLevel level) {
  TeamOptions options = vnode_test::patient();
  options.arenas = level;
  options.arenas_from = 0;
  return options;
}

/// Describes what threads of an arena have said of where they are.
struct Seen {
  std::set<unsigned> pus, numas;
  std::set<std::thread::id> threads;
  std::mutex mutex;

  void here() {
    const kernel::Place place = kernel::here();
    const std::lock_guard lock(mutex);
    pus.insert(place.pu);
    numas.insert(place.numa);
    threads.insert(std::this_thread::get_id());
  }
};

/// Until a worker has come; it has a minute.
void look_around(Arena& arena, Seen& seen) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  do {
    arena.parallel_for(0, 64, [&](std::size_t, std::size_t) {
      seen.here();
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    });
  } while (seen.threads.size() < 2 && std::chrono::steady_clock::now() < end);
}

}  // namespace

TEST_CASE("the workers of every node's arena run on the PUs of its NUMA node, and no two nodes' on one") {
  const int numas = static_cast<int>(allowed_domains(Machine::discover(), DomainLevel::numa).size());
  Team team(numas, shapes::full{}, with_arenas(DomainLevel::numa));
  std::vector<Seen> seen(static_cast<std::size_t>(numas));
  team.run([&](Node& me) {
    Seen& mine = seen[static_cast<std::size_t>(me.rank())];
    const kernel::Place node = kernel::here();
    const std::vector<int> near = kernel::pus_of(static_cast<int>(node.numa));
    CHECK(me.arena().concurrency() == static_cast<int>(near.size()));
    if (near.size() > 1) {
      look_around(me.arena(), mine);
      CHECK(mine.threads.size() > 1);
    } else {
      mine.here();
    }
    CHECK(mine.numas == std::set{node.numa});
    for (const unsigned pu : mine.pus) CHECK(std::ranges::find(near, static_cast<int>(pu)) != near.end());
    CHECK(kernel::here() == node);  // the node is where it was
  });
  std::set<unsigned> all;
  std::size_t sum = 0;
  for (const Seen& one : seen) {
    all.insert(one.pus.begin(), one.pus.end());
    sum += one.pus.size();
  }
  CHECK(all.size() == sum);
}

TEST_CASE("pages that an arena touches first lie on its NUMA node's bank") {
  constexpr std::size_t bytes = std::size_t{6} << 20;
  const int numas = static_cast<int>(allowed_domains(Machine::discover(), DomainLevel::numa).size());
  Team team(numas, shapes::full{}, with_arenas(DomainLevel::numa));
  team.run([&](Node& me) {
    PlacedBuffer<double> x(bytes / sizeof(double));
    me.arena().fill(x, me.rank());
    CHECK(kernel::all_on(kernel::here().numa, reinterpret_cast<const std::byte*>(x.data()), bytes));
    std::vector<double> sum(x.size());
    me.all_reduce(x, sum, std::plus<>{});
    CHECK(std::ranges::count(sum, me.size() * (me.size() - 1) / 2) ==
          static_cast<std::ptrdiff_t>(sum.size()));
  });
}

TEST_CASE("several nodes of a NUMA node share its PUs") {
  const Machine machine = Machine::discover();
  const int pus = static_cast<int>(machine.allowed_pus().size());
  Team team(pus, shapes::full{}, with_arenas(DomainLevel::package));
  team.run([&](Node& me) {
    CHECK(me.arena().concurrency() == 1);
    const kernel::Place node = kernel::here();
    me.arena().parallel_for(0, 64, [&](std::size_t, std::size_t) { CHECK(kernel::here() == node); });
  });
}
