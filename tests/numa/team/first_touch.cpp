#include <algorithm>
#include <cstddef>
#include <doctest/doctest.h>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/vnode.hpp>

#include "numa/kernel.hpp"
#include "sentence.hpp"

using namespace vnode;

namespace {

int all_pus() { return static_cast<int>(Machine::discover().pus.size()); }

/// This process's memory that is bound to one NUMA node or prefers it: that node, and where its pages are.
struct Area {
  int wanted = -1;
  std::set<int> numas;
};
std::vector<Area> bound_areas() {
  std::vector<Area> areas;
  std::ifstream maps("/proc/self/numa_maps");
  for (std::string line; std::getline(maps, line);) {
    // "7f2a5c000000 prefer (many):3 anon=16 dirty=16 N3=16 kernelpagesize_kB=4"
    const std::size_t policy = line.find(' ') + 1, numa = line.find(':') + 1;
    if (line.compare(policy, 6, "prefer") != 0 && line.compare(policy, 5, "bind:") != 0) continue;
    Area area{.wanted = std::stoi(line.substr(numa)), .numas = {}};
    std::istringstream words(line.substr(numa));
    for (std::string word; words >> word;)
      if (word[0] == 'N' && word.find('=') != word.npos) area.numas.insert(std::stoi(word.substr(1)));
    areas.push_back(area);
  }
  return areas;
}

}  // namespace

TEST_CASE("what a node touches first lies on its own NUMA node") {
  constexpr std::size_t bytes = std::size_t{3} << 20;
  Team team(all_pus(), shapes::full{}, vnode_test::patient());
  team.run([&](Node&) {
    const kernel::Untouched memory(bytes);
    CHECK(std::ranges::all_of(kernel::numas_of_pages(memory.begin(), bytes),
                              [](int page) { return page < 0; }));
    std::fill_n(memory.begin(), bytes, std::byte{1});
    CHECK(kernel::all_on(kernel::here().numa, memory.begin(), bytes));
  });
}

TEST_CASE("what a neighbour has touched first stays on the neighbour's NUMA node") {
  constexpr std::size_t bytes = std::size_t{2} << 20;
  std::vector<int> one_per_numa;
  for (const Package& package : Machine::discover().packages) one_per_numa.push_back(package.pus.front());
  std::vector<std::unique_ptr<kernel::Untouched>> memory;
  for (std::size_t i = 0; i < one_per_numa.size(); ++i)
    memory.push_back(std::make_unique<kernel::Untouched>(bytes));
  TeamOptions options = vnode_test::patient();
  options.pus = one_per_numa;
  Team team(static_cast<int>(one_per_numa.size()), shapes::ring{}, options);
  team.run([&](Node& me) {
    std::byte* const own = memory[static_cast<std::size_t>(me.rank())]->begin();
    std::byte* const next = memory[static_cast<std::size_t>((me.rank() + 1) % me.size())]->begin();
    std::fill_n(own, bytes, std::byte{1});
    me.barrier();
    std::fill_n(next, bytes, std::byte{2});
    me.barrier();
    CHECK(kernel::all_on(kernel::here().numa, own, bytes));
  });
}

TEST_CASE("a team's memory that is bound to a NUMA node lies there, and every node's has some") {
  Team team(all_pus(), shapes::full{}, vnode_test::patient());
  std::vector<Area> areas;
  std::set<int> homes;
  team.run([&](Node& me) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{1000}, std::size_t{100'000}}) {
      std::vector<float> x(count, 1);
      me.all_reduce(x, std::plus<>{});
      me.broadcast(x, 1);
      std::vector<float> all(count * static_cast<std::size_t>(me.size()));
      me.all_gather(x, all);
      CHECK(all.back() == static_cast<float>(me.size()));
    }
    if (me.rank() == 0) areas = bound_areas();
  });
  for (const Area& area : areas) {
    CAPTURE(area.wanted);
    homes.insert(area.wanted);
    CHECK((area.numas.empty() || area.numas == std::set{area.wanted}));
  }
  CHECK(homes == std::set{0, 1, 2, 3});
}
