// Tests several machines as one value.
#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

using namespace vnode;

TEST_CASE("joined machines have the parts of one after those of another, and PUs know whose they are") {
  const std::vector<Machine> machines{Machine::from_synthetic("pack:2 l3:1 core:2 pu:1"),
                                      Machine::from_synthetic("l3:1 core:3 pu:2")};
  const Machine all = joined(machines);
  CHECK(all.machines() == 2);
  CHECK(all.source == "pack:2 l3:1 core:2 pu:1, l3:1 core:3 pu:2");
  CHECK_FALSE(all.this_system);
  REQUIRE(all.pus.size() == 10);
  for (std::size_t i = 0; i < all.pus.size(); ++i) {
    const bool first = i < 4;
    Pu own = first ? machines[0].pus[i] : machines[1].pus[i - 4];
    own.machine = first ? 0 : 1;
    own.core += first ? 0 : 4;
    own.numa += first ? 0 : 1;
    own.package += first ? 0 : 2;
    CHECK(all.pus[i] == own);
  }
  for (int pu = 0; pu < 10; ++pu) {
    const Pu& own = all.pus[static_cast<std::size_t>(pu)];
    const auto has = [&](const auto& parts, int number) {
      return std::ranges::count(parts[static_cast<std::size_t>(number)].pus, pu) == 1;
    };
    CHECK(has(all.cores, own.core));
    CHECK(has(all.numas, own.numa));
    CHECK(has(all.packages, own.package));
  }
  CHECK(all.cores.size() == 7);
  std::vector<std::vector<int>> l3s;
  for (const Cache& cache : all.caches)
    if (cache.level == 3) l3s.push_back(cache.pus);
  CHECK(l3s == std::vector<std::vector<int>>{{0, 1}, {2, 3}, {4, 5, 6, 7, 8, 9}});
}

TEST_CASE("a machine alone is one, joined or not, and equal ones are counted") {
  const Machine machine = Machine::from_synthetic("numa:2 core:2 pu:1");
  CHECK(machine.machines() == 1);
  CHECK(joined(std::vector{machine}).machines() == 1);
  CHECK(joined(std::vector{machine}).pus == machine.pus);
  CHECK(joined(std::vector(3, machine)).source == "3 x numa:2 core:2 pu:1");
  CHECK_THROWS_WITH_AS(joined(std::vector<Machine>{}), "no machines cannot be joined: at least one is needed",
                       UsageError);
}

TEST_CASE("distances, which are of one machine, are left out of several") {
  Machine machine = Machine::from_synthetic("numa:2 core:2 pu:1");
  machine.distances = {{10, 20}, {20, 10}};
  CHECK(joined(std::vector{machine, machine}).distances.empty());
}
