#include "machines.hpp"

#include <random>
#include <string>

#include "../../unit/placement/machines.hpp"

using namespace vnode;

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  int between(int least, int most) {
    return least + static_cast<int>(engine_() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool once_in(int times) { return between(1, times) == 1; }

 private:
  std::mt19937_64 engine_;
};

void random_distances(Machine& machine, Random& random) {
  const std::size_t size = machine.numas.size();
  machine.distances.assign(size, std::vector<std::uint64_t>(size, 10));
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < size; ++b)
      if (a != b) machine.distances[a][b] = static_cast<std::uint64_t>(random.between(11, 80));
}

/// Takes the numbers of PUs away from the parts that have them, and numbers the others anew.
void remove_second_pus(Machine& machine, Random& random) {
  std::vector<int> renamed(machine.pus.size(), -1);
  std::vector<Pu> pus;
  for (Core& core : machine.cores) {
    if (core.pus.size() > 1 && random.once_in(2)) core.pus.pop_back();
    for (const int pu : core.pus) {
      renamed[static_cast<std::size_t>(pu)] = static_cast<int>(pus.size());
      pus.push_back(machine.pus[static_cast<std::size_t>(pu)]);
    }
  }
  machine.pus = pus;
  const auto rename = [&](auto& parts) {
    for (auto& part : parts) {
      std::vector<int> left;
      for (const int pu : part.pus)
        if (renamed[static_cast<std::size_t>(pu)] >= 0) left.push_back(renamed[static_cast<std::size_t>(pu)]);
      part.pus = left;
    }
  };
  rename(machine.cores);
  rename(machine.caches);
  rename(machine.numas);
  rename(machine.packages);
}

Machine hybrid() {
  Assembly machine("4 fast cores, 8 slow ones, 2 without an L3");
  for (int fast = 0; fast < 4; ++fast) machine.core(0, 0, 0, fast, 2);
  for (int slow = 0; slow < 8; ++slow) machine.core(0, 0, 0, 4 + slow / 4, 1);
  return machine.core(0, 0, -1, 6, 1).core(0, 0, -1, 6, 1);
}

Machine tiles_with_fast_memory() {
  Assembly machine("quarters of 5 tiles of 2 cores of 4 PUs, each with two memories");
  for (int quarter = 0; quarter < 4; ++quarter)
    for (int tile = 0; tile < 5; ++tile)
      machine.core(0, 2 * quarter, -1, 5 * quarter + tile, 4).core(0, 2 * quarter, -1, 5 * quarter + tile, 4);
  Machine tiles = machine;
  tiles.numas.resize(8);
  for (std::size_t fast = 1; fast < 8; fast += 2) {
    tiles.numas[fast] = tiles.numas[fast - 1];
    tiles.numas[fast].os_index = static_cast<int>(4 + fast / 2);
  }
  return in_a_row(tiles, {10, 15, 20, 25, 30, 35, 40, 45});
}

Machine with_holes() {
  Machine machine = Assembly("holes in all numbers").cores(3, 0, 0, 0, 2).cores(3, 1, 1, 1, 2);
  for (std::size_t pu = 0; pu < machine.pus.size(); ++pu)
    machine.pus[pu].os_index = static_cast<int>(100 - 7 * pu);
  for (Core& core : machine.cores) core.os_index = 5 * core.os_index + 2;
  machine.numas[0].os_index = 8;
  machine.packages[1].os_index = 36;
  return machine;
}

Machine with_allowed(Machine machine, const std::vector<int>& allowed) {
  machine.source += ", few PUs allowed";
  for (Pu& pu : machine.pus) pu.allowed = false;
  for (const int pu : allowed) machine.pus[static_cast<std::size_t>(pu)].allowed = true;
  return machine;
}

Machine with_bank_alone() {
  Machine machine =
      Assembly("a NUMA node without PUs between others").cores(4, 0, 0, 0, 1).cores(4, 1, 2, 1, 1);
  return in_a_row(machine, {10, 17, 24});
}

Machine without_banks() {
  Machine machine = Assembly("PUs without a NUMA node").cores(3, 0, 0, 0, 2).cores(4, 1, 1, 1, 1);
  machine.numas[1].os_index = -1;
  machine.packages[1].os_index = -1;
  return machine;
}

Machine without_banks_in_two_packages() {
  Machine machine = Assembly("PUs of two packages without a NUMA node")
                        .cores(3, 0, 0, 0, 2)
                        .cores(4, 1, 1, 1, 1)
                        .cores(2, 2, 2, 2, 2);
  for (const std::size_t numa : {1u, 2u}) machine.numas[numa].os_index = -1;
  return machine;
}

}  // namespace

Machine random_machine(std::uint64_t seed, int most_pus) {
  Random random(seed);
  int packages, numas, l3s, cores, pus;
  do {
    packages = random.between(1, 8);
    numas = random.between(1, 8);
    l3s = random.between(1, 3);
    cores = random.between(1, 16);
    pus = random.between(1, 2);
  } while (packages * numas * l3s * cores * pus > most_pus);
  std::string text = "pack:" + std::to_string(packages) + " numa:" + std::to_string(numas);
  if (!random.once_in(3)) text += " l3:" + std::to_string(l3s);
  if (random.once_in(3)) text += " l2:2";
  Machine machine =
      Machine::from_synthetic(text + " core:" + std::to_string(cores) + " pu:" + std::to_string(pus));
  if (random.once_in(3)) random_distances(machine, random);
  if (random.once_in(4)) remove_second_pus(machine, random);
  if (random.once_in(3)) {
    for (Pu& pu : machine.pus) pu.allowed = !random.once_in(3);
    machine.pus[static_cast<std::size_t>(random.between(0, static_cast<int>(machine.pus.size()) - 1))]
        .allowed = true;
  }
  return machine;
}

std::vector<Machine> irregular_machines() {
  const Machine whole = Assembly("three packages of 6, 3 and 1 cores")
                            .cores(4, 0, 0, 0, 2)
                            .cores(2, 0, 1, 1, 2)
                            .cores(3, 1, 2, 2, 1)
                            .cores(1, 2, 3, 3, 4);
  return {
      whole,
      with_allowed(whole, {1, 3, 4, 12, 14, 16}),
      with_allowed(whole, {15}),
      with_bank_alone(),
      without_banks(),
      without_banks_in_two_packages(),
      with_holes(),
      hybrid(),
      with_allowed(hybrid(), {0, 1, 3, 9, 14, 17}),
      tiles_with_fast_memory(),
      Assembly("one core").cores(1, 0, 0, 0, 1),
      Assembly("one core of 8 PUs").cores(1, 0, 0, -1, 8),
      Assembly("an L3 across two NUMA nodes").cores(3, 0, 0, 0, 1).cores(3, 0, 1, 0, 1).cores(2, 0, 2, 1, 1),
      Assembly("a NUMA node across two packages")
          .cores(3, 0, 0, 0, 2)
          .cores(3, 1, 0, 1, 2)
          .cores(2, 2, 1, 2, 2)};
}
