#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <vnode/error.hpp>
#include <vnode/model/latencies.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/profile.hpp>

#include "repository.hpp"

using namespace vnode;

namespace {

const std::filesystem::path data = repository() / "tests/data/latencies";

Latencies read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return latencies_from_csv(text.str());
}

/// Returns a machine of cores with two PUs each, of which the system numbers all first ones first.
Machine hyper_threaded(int packages, int cores_of_each) {
  std::string numbers;
  const int cores = packages * cores_of_each;
  for (int core = 0; core < cores; ++core)
    numbers += fmt::format("{}{},{}", core > 0 ? "," : "", core, core + cores);
  return Machine::from_synthetic(
      fmt::format("pack:{} numa:1 l3:1 core:{} pu:2(indexes={})", packages, cores_of_each, numbers));
}

double ns(const MachineProfile& profile, PairClass pair_class) {
  return profile.costs(pair_class).L.value * 1e9;
}

}  // namespace

TEST_CASE("a matrix is read square or as its lower triangle, and written as a triangle") {
  const Latencies square = latencies_from_csv("0, 10, 30\n12, 0, 40\r\n31,42,0\n");
  CHECK(square.pus() == 3);
  CHECK(square.between(0, 1) == doctest::Approx(11e-9));
  CHECK(square.between(2, 1) == doctest::Approx(41e-9));
  CHECK(square.between(1, 1) == 0);
  const Latencies triangle = latencies_from_csv("\n11\n30.5,\n");
  CHECK(triangle.between(2, 0) == doctest::Approx(30.5e-9));
  CHECK(triangle.between(2, 1) == 0);  // not measured
  CHECK(latencies_from_csv(to_csv(square)).between(0, 2) == doctest::Approx(30.5e-9));
  CHECK(latencies_from_csv("\n11\n30.5,\n\n\n") == triangle);
  CHECK_THROWS_AS(triangle.between(3, 0), std::out_of_range);
  CHECK(to_csv(triangle) == ",,\n11.0,,\n30.5,,\n");
}

TEST_CASE("what is no matrix of latencies is refused with its line") {
  CHECK_THROWS_WITH_AS(latencies_from_csv("\nx\n"), "latencies, line 2: 'x' is no number of nanoseconds",
                       UsageError);
  CHECK_THROWS_WITH_AS(latencies_from_csv("\n-3\n"), doctest::Contains("line 2"), UsageError);
  CHECK_THROWS_WITH_AS(latencies_from_csv("0,1,2\n1,0\n"),
                       "latencies, line 1: 3 fields, but there are 2 lines: one for each PU", UsageError);
  CHECK_THROWS_WITH_AS(latencies_from_csv(""), doctest::Contains("two PUs at least"), UsageError);
}

TEST_CASE("classes of PUs cost what the median of their latencies says, unless they were measured") {
  const Machine machine = hyper_threaded(2, 2);  // PUs 0, 4 | 1, 5 || 2, 6 | 3, 7
  Latencies latencies;
  for (int a = 0; a < 8; ++a) {
    auto& row = latencies.below.emplace_back();
    for (int b = 0; b < a; ++b) row.push_back((a - b == 4 ? 10 : a % 4 / 2 == b % 4 / 2 ? 40 : 125) * 1e-9);
  }
  const MachineProfile typical = typical_profile(machine);
  const MachineProfile made = with_latencies(typical, machine, latencies);
  // Typical costs of an L3 have L = 100 ns where a line takes 50.
  CHECK(ns(made, PairClass::same_core) == doctest::Approx(20));
  CHECK(ns(made, PairClass::same_l3) == doctest::Approx(80));
  CHECK(ns(made, PairClass::across_packages) == doctest::Approx(250));
  CHECK(made.costs(PairClass::same_l3).L.origin == Origin::latencies);
  CHECK(made.costs(PairClass::across_packages).t_s.value ==
        doctest::Approx(2.5 * typical.costs(PairClass::same_l3).t_s.value));
  CHECK(profile_from_json(to_json(made)) == made);

  MachineProfile measured = typical;
  measured.pairs[static_cast<std::size_t>(PairClass::same_l3)]->t_s = {1e-6, Origin::measured};
  CHECK(with_latencies(measured, machine, latencies).costs(PairClass::same_l3) ==
        measured.costs(PairClass::same_l3));

  latencies.below.pop_back();
  CHECK_THROWS_WITH_AS(with_latencies(typical, machine, latencies), doctest::Contains("is of 7 PUs, but"),
                       UsageError);
}

TEST_CASE("a class is measured on its median pair") {
  const Machine machine = Machine::from_synthetic("pack:1 numa:1 l3:1 core:4 pu:1");
  const Latencies latencies = latencies_from_csv("\n10\n30,50\n20,60,40\n");
  const std::vector<ClassExample> examples = median_examples(machine, latencies);
  REQUIRE(examples.size() == 1);
  CHECK(latencies.between(examples.front().a, examples.front().b) == doctest::Approx(30e-9));
}

TEST_CASE("matrices of real machines are read, and order their classes") {
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(data)) {
    if (file.path().extension() != ".csv") continue;
    CAPTURE(file.path().string());
    CHECK(read(file.path()).pus() >= 64);
    ++files;
  }
  CHECK(files >= 7);
  const MachineProfile gold =
      with_latencies({}, hyper_threaded(2, 16), read(data / "dual_xeon_gold_6242.csv"));
  CHECK(ns(gold, PairClass::same_core) < ns(gold, PairClass::same_l3));
  CHECK(ns(gold, PairClass::across_packages) > 2 * ns(gold, PairClass::same_l3));
  const MachineProfile graviton = with_latencies(
      {}, Machine::from_synthetic("pack:1 numa:1 l3:1 core:64 pu:1"), read(data / "graviton3.csv"));
  CHECK(ns(graviton, PairClass::same_l3) == doctest::Approx(93).epsilon(0.05));
}

TEST_CASE("with latencies a pair costs as much more than its class as its way is longer than the median") {
  const Machine machine = Machine::from_synthetic("pack:1 numa:1 l3:1 core:4 pu:1");
  const Latencies latencies = latencies_from_csv("\n10\n30,50\n20,60,40\n");
  const MachineProfile profile = with_latencies({}, machine, latencies);
  CHECK(profile.latencies == latencies);
  const std::vector<int> pus{3, 1, 0, 3};
  const auto costs_of = pair_costs(profile, machine, pus);
  const double usual = profile.costs(PairClass::same_l3).t_s.value;  // of 30 ns
  CHECK(costs_of(0, 1).t_s == doctest::Approx(2 * usual));
  CHECK(costs_of(1, 0).t_s == doctest::Approx(2 * usual));
  CHECK(costs_of(1, 2).t_s == doctest::Approx(usual / 3));
  CHECK(costs_of(1, 2).t_w == doctest::Approx(profile.costs(PairClass::same_l3).t_w.value / 3));
  CHECK(costs_of(0, 3).t_s == profile.costs(PairClass::same_core).t_s.value);  // one PU
  CHECK(profile_from_json(to_json(profile)) == profile);
}
