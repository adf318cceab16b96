// Tests the machines that have names.
#include <doctest/doctest.h>
#include <map>
#include <set>
#include <string>

#include <vnode/model/machine.hpp>

using namespace vnode;

TEST_CASE("machines of the gallery have the parts that they say") {
  struct Parts {
    std::size_t packages, numas, cores, pus;
    bool operator==(const Parts&) const = default;
  };
  const std::map<std::string_view, Parts> expected{
      {"epyc_7773x", {1, 1, 64, 128}},      {"epyc_7r13", {2, 2, 96, 192}},
      {"dual_epyc_7742", {2, 2, 128, 256}}, {"dual_epyc_7742_nps4", {2, 8, 128, 256}},
      {"dual_epyc_9654", {2, 8, 192, 384}}, {"dual_xeon_gold_6242", {2, 2, 32, 64}},
      {"xeon_8375c", {2, 2, 64, 128}},      {"quad_xeon_8280", {4, 4, 112, 224}},
      {"graviton3", {1, 1, 64, 64}},        {"kunpeng_920_6426", {1, 2, 64, 64}},
      {"dual_altra_max", {2, 2, 256, 256}},
  };
  CHECK(described_machines().size() == expected.size());
  for (const DescribedMachine& known : described_machines()) {
    const std::string name(known.name);
    CAPTURE(name);
    const Machine machine = Machine::parse(name);
    CHECK(Parts{machine.packages.size(), machine.numas.size(), machine.cores.size(), machine.pus.size()} ==
          expected.at(known.name));
    CHECK(machine.source == name);
    CHECK(machine.model == known.about);
    CHECK(!machine.this_system);
    // The hyper-threads of core 0 are PU 0 and the first one after all cores' first, as Linux numbers them.
    std::set<int> of_core;
    for (const int pu : machine.cores.front().pus)
      of_core.insert(machine.pus[static_cast<std::size_t>(pu)].os_index);
    CHECK(of_core == (machine.pus.size() > machine.cores.size()
                          ? std::set{0, static_cast<int>(machine.cores.size())}
                          : std::set{0}));
  }
}
