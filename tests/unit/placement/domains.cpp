#include <doctest/doctest.h>

#include <vnode/domains.hpp>
#include <vnode/error.hpp>

using namespace vnode;

namespace {

using Groups = std::vector<std::vector<int>>;

}  // namespace

TEST_CASE("domains are L3s, NUMA nodes or packages, in the order of the machine") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 l3:2 core:2 pu:1");
  CHECK(allowed_domains(machine, DomainLevel::l3) ==
        Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}});
  CHECK(allowed_domains(machine, DomainLevel::numa) ==
        Groups{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}});
  CHECK(allowed_domains(machine, DomainLevel::package) ==
        Groups{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}});
}

TEST_CASE("PUs without an L3 are one domain with the others of their NUMA node that have none") {
  Machine machine = Machine::from_synthetic("numa:2 l3:2 core:2 pu:1");
  std::erase_if(machine.caches, [](const Cache& cache) { return cache.pus.front() >= 4; });
  CHECK(allowed_domains(machine, DomainLevel::l3) == Groups{{0, 1}, {2, 3}, {4, 5, 6, 7}});
  CHECK(allowed_domains(Machine::from_synthetic("numa:2 core:2 pu:1"), DomainLevel::l3) ==
        Groups{{0, 1}, {2, 3}});
}

TEST_CASE("a domain without an allowed PU is none") {
  Machine machine = Machine::from_synthetic("numa:3 core:2 pu:1");
  machine.pus[2].allowed = machine.pus[3].allowed = machine.pus[4].allowed = false;
  CHECK(allowed_domains(machine, DomainLevel::numa) == Groups{{0, 1}, {5}});
  CHECK(pu_domains(machine, DomainLevel::numa) == std::vector{0, 0, 1, 1, 2, 2});
}

TEST_CASE("a NUMA node without PUs has no domain, and a hole in the numbering is none") {
  Machine machine = Machine::from_synthetic("numa:2 core:2 pu:1");
  NumaNode far;
  far.os_index = 7;
  far.bytes = 1 << 30;
  machine.numas.insert(machine.numas.begin(), far);
  for (Pu& pu : machine.pus) {
    ++pu.numa;
    pu.os_index += 10;
  }
  CHECK(allowed_domains(machine, DomainLevel::numa) == Groups{{0, 1}, {2, 3}});
}

TEST_CASE("ranks are divided as their PUs are, in the order of the lowest ranks") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:2 pu:1");
  const Mapping mapping{.pu = {6, 0, 7, 2, 0}, .own_core = false, .cores_used = 4};
  CHECK(domains_of(machine, mapping, DomainLevel::numa) == Groups{{0, 2}, {1, 4}, {3}});
  CHECK(domains_of(machine, mapping, DomainLevel::package) == Groups{{0, 2}, {1, 3, 4}});
  CHECK_THROWS_WITH_AS(domains_of(machine, {.pu = {0, 8}}, DomainLevel::numa),
                       "node 1 is mapped to PU 8, the machine has 8", UsageError);
}

TEST_CASE("levels have names") {
  for (const DomainLevel level : domain_levels()) CHECK(parse_domain_level(name(level)) == level);
  CHECK_THROWS_WITH_AS(parse_domain_level("core"),
                       "there are no domains called \"core\": l3, numa, package are possible", UsageError);
}
