#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/machine_domains.hpp>
#include <vnode/model/mapping_policy.hpp>

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
  for (const DomainLevel level : domain_levels()) CHECK(parse_domain_level(enums::name(level)) == level);
  CHECK_THROWS_WITH_AS(parse_domain_level("core"),
                       "there are no domains called \"core\": l3, numa, package, machine are possible",
                       UsageError);
}

TEST_CASE("a domain's PUs are shared among its nodes, each with its own and its core's, one more or less") {
  const Machine machine = Machine::from_synthetic("numa:2 core:3 pu:2");
  const auto shares = [&](std::vector<int> pus) {
    return domain_shares(machine, given_mapping(machine, std::move(pus)), DomainLevel::numa);
  };
  CHECK(shares({0, 6}) == Groups{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}});
  CHECK(shares({4}) == Groups{{0, 1, 2, 3, 4, 5}});
  CHECK(shares({4, 0, 2}) == Groups{{4, 5}, {0, 1}, {2, 3}});
  CHECK(shares({0, 4}) == Groups{{0, 1, 2}, {3, 4, 5}});
  CHECK(shares({0, 1, 2, 3}) == Groups{{0, 4}, {1, 5}, {2}, {3}});
  CHECK(shares({9, 9}) == Groups{{6, 7, 8, 9}, {9, 10, 11}});
  CHECK(shares({0, 1, 2, 3, 4, 5, 5}) == Groups{{0}, {1}, {2}, {3}, {4}, {5}, {5}});
}

TEST_CASE("PUs that the process may not use are in nobody's share") {
  Machine machine = Machine::from_synthetic("numa:2 core:4 pu:1");
  machine.pus[1].allowed = machine.pus[2].allowed = false;
  CHECK(domain_shares(machine, given_mapping(machine, {0, 5}), DomainLevel::numa) ==
        Groups{{0, 3}, {4, 5, 6, 7}});
}

TEST_CASE("on any machine nodes have all of their domains' PUs, and none has two more than another there") {
  for (const char* text : {"pack:2 numa:2 l3:2 core:2 pu:2", "pack:1 core:1 pu:1", "numa:3 core:5 pu:2"})
    for (const DomainLevel level : domain_levels())
      for (const int nodes : {1, 2, 3, 5, 7, 30}) {
        const Machine machine = Machine::from_synthetic(text);
        const Mapping mapping = scatter_mapping(machine, nodes);
        const Groups shares = domain_shares(machine, mapping, level);
        const std::vector<int> domain_of = pu_domains(machine, level);
        for (const std::vector<Rank>& ranks : domains_of(machine, mapping, level)) {
          std::set<int> covered;
          std::size_t least = machine.pus.size(), most = 0;
          for (const Rank rank : ranks) {
            const std::vector<int>& share = shares[static_cast<std::size_t>(rank)];
            covered.insert(share.begin(), share.end());
            least = std::min(least, share.size());
            most = std::max(most, share.size());
          }
          const int domain = domain_of[static_cast<std::size_t>(*covered.begin())];
          CHECK(static_cast<std::ptrdiff_t>(covered.size()) == std::ranges::count(domain_of, domain));
          CHECK(most - least <= 1);
        }
      }
}
