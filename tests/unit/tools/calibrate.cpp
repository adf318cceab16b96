#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <vnode/model/latencies.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/profile.hpp>

#include "base/read_file.hpp"
#include "folder.hpp"
#include "program.hpp"
#include "repository.hpp"

using namespace vnode;

namespace {

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

const std::string two_packages = (repository() / "tests/data/two_packages.xml").string();

void check_measured(const MachineProfile& profile) {
  const Machine machine = Machine::discover();
  for (const ClassExample& pair : class_examples(machine)) {
    CAPTURE(enums::name(pair.pair_class));
    const auto& costs = profile.pairs[static_cast<std::size_t>(pair.pair_class)];
    REQUIRE(costs);
    for (const auto part : {&PairCosts::t_s, &PairCosts::t_w, &PairCosts::L, &PairCosts::o, &PairCosts::g,
                            &PairCosts::G, &PairCosts::t_op, &PairCosts::t_put})
      CHECK(((*costs).*part).origin == Origin::measured);
    for (const auto part :
         {&PairCosts::t_s, &PairCosts::o, &PairCosts::g, &PairCosts::t_op, &PairCosts::t_put})
      CHECK(((*costs).*part).value > 0);
    CHECK(costs->g.value >= costs->o.value);
  }
  CHECK(profile.banks.size() == machine.numas.size());
}

}  // namespace

TEST_CASE("calibrate measures every class of pairs and keeps a profile where others look for it") {
  const ConfigFolder folder;
  const Ran ran = run("calibrate --quick");
  CAPTURE(ran.errors);
  REQUIRE(ran.status == 0);
  const std::string file = folder.path("vnode/profile.json");
  const MachineProfile profile = profile_from_json(read_file(file));
  CHECK(profile.name == "profile");
  CHECK(profile.when.size() == 20);
  check_measured(profile);
  CHECK_FALSE(profile.banks.front());
  CHECK(ran.output.find("written to " + file) != std::string::npos);
  for (const ClassExample& pair : class_examples(Machine::discover()))
    CHECK(ran.output.find('\n' + std::string(enums::name(pair.pair_class))) != std::string::npos);
  CHECK(run("compare --collective broadcast --nodes 2 --bytes 8").output.find("costs, from " + file) !=
        std::string::npos);
  CHECK(run("explain broadcast --nodes 2 --profile profile").output.find("costs, from " + file) !=
        std::string::npos);
}

TEST_CASE("calibrate reads the banks, and writes the file and the JSON that it is asked for") {
  const ConfigFolder folder;
  const std::string file = folder.path("new/folder/mine.json");
  const Ran ran = run("calibrate --name mine --output " + file + " --format json");
  CAPTURE(ran.errors);
  REQUIRE(ran.status == 0);
  CHECK(ran.output == read_file(file));
  const MachineProfile profile = profile_from_json(ran.output);
  CHECK(profile.name == "mine");
  check_measured(profile);
  const Machine machine = Machine::discover();
  for (const Pu& pu : machine.pus)
    if (pu.allowed) CHECK(profile.banks[static_cast<std::size_t>(pu.numa)]);
  CHECK_FALSE(std::filesystem::exists(folder.path("vnode/profile.json")));
}

TEST_CASE("one PU has no pairs: calibrate says so, and its costs are typical") {
  const ConfigFolder folder;
  const int pu =
      Machine::discover().pus[static_cast<std::size_t>(Machine::discover().allowed_pus().front())].os_index;
  const Ran ran = run("--version; taskset -c " + std::to_string(pu) + " " VNODE_PROGRAM " calibrate --quick");
  CAPTURE(ran.errors);
  CHECK(ran.status == 0);
  CHECK(ran.output.find("the process may use one PU only") != std::string::npos);
  const MachineProfile profile = profile_from_json(read_file(folder.path("vnode/profile.json")));
  CHECK(profile.costs(PairClass::same_core).t_s.origin == Origin::typical);
}

TEST_CASE(
    "calibrate imports the distances of another machine, marks what follows from them, and keeps it if "
    "asked") {
  const ConfigFolder folder;
  const Ran ran = run("calibrate --machine " + two_packages);
  CAPTURE(ran.errors);
  REQUIRE(ran.status == 0);
  CHECK(ran.output.find("\nd: hwloc distances\n") != std::string::npos);
  CHECK(ran.output.find("not written") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path("vnode")));
  REQUIRE(run("calibrate --machine " + two_packages + " --output " + folder.path("two.json")).status == 0);
  const MachineProfile two = profile_from_json(read_file(folder.path("two.json")));
  const PairCosts &inside = two.costs(PairClass::same_numa), &across = two.costs(PairClass::across_packages);
  CHECK(across.t_s.origin == Origin::distances);
  CHECK(across.t_s.value == doctest::Approx(inside.t_s.value * 2.05));  // 21 and 20 over 10
  CHECK(across.o == inside.o);
  const Ran from = run("calibrate --machine " + two_packages + " --profile " + folder.path("two.json"));
  CHECK(from.status == 0);
  CHECK(run("compare --collective broadcast --nodes 2 --bytes 8 --profile " + folder.path("two.json"))
            .output.find(", of another machine: " + two.machine) != std::string::npos);
}

TEST_CASE("calibrate keeps what a cluster has measured between machines, for predictions, beside all else") {
  const ConfigFolder folder;
  REQUIRE(run("calibrate --network 20000,0.9,4000").status == 0);
  const std::string file = folder.path("vnode/profile.json");
  const auto between_machines = [](const std::string& path) {
    return profile_from_json(read_file(path)).pairs[static_cast<std::size_t>(PairClass::across_machines)];
  };
  REQUIRE(between_machines(file));
  CHECK(between_machines(file)->t_s == Quantity{20000 * 1e-9, Origin::given});
  CHECK(between_machines(file)->o == Quantity{4000 * 1e-9, Origin::given});
  REQUIRE(run("calibrate --network 30000,1,5000 --name other --profile profile").status == 0);
  const auto network = [](const std::string& more) {
    return json_of("explain broadcast --machines 2 --nodes 4 " + more)["network"]["t_s"].get<double>();
  };
  CHECK(network("") == doctest::Approx(20e-6));  // those inside are measured
  CHECK(network("--ts 100 --tw 0.1 --top 0.03 --tput 0.03") == doctest::Approx(20e-6));
  CHECK(network("--profile other") == doctest::Approx(30e-6));
  const auto costs = [](const std::string& command) {
    return json_of(command + " --machines 2 --nodes 4 --bytes 8")["costs"]["t_s"].get<double>();
  };
  CHECK(costs("simulate broadcast_binomial") == doctest::Approx(20e-6));
  CHECK(costs("simulate broadcast_binomial --ts 100") == doctest::Approx(20e-6));
  CHECK(costs("simulate broadcast_binomial --costs typical") == doctest::Approx(15e-6));
  CHECK(run("cost broadcast_binomial --machines 2 --nodes 4 --bytes 8").output.find("t_s = 20000 ns") !=
        std::string::npos);
  CHECK(network("--costs typical") == doctest::Approx(15e-6));
  CHECK(network("--network 1000,1,1") == doctest::Approx(1e-6));
  REQUIRE(run("calibrate --quick").status == 0);
  check_measured(profile_from_json(read_file(file)));
  CHECK(between_machines(file)->t_s == Quantity{20000 * 1e-9, Origin::given});
}

TEST_CASE("a matrix of latencies makes a profile, as text, CSV and a picture") {
  const ConfigFolder folder;
  write(folder.path("four.csv"), "\n50\n100,100\n100,100,50\n");
  const std::string asked = "calibrate --machine 'pack:2 numa:1 l3:1 core:2 pu:1' --latencies " +
                            folder.path("four.csv") + " --output " + folder.path("four.json");
  const Ran text = run(asked);
  CAPTURE(text.errors);
  REQUIRE(text.status == 0);
  const MachineProfile made = profile_from_json(read_file(folder.path("four.json")));
  CHECK(made.costs(PairClass::same_l3).L.value == doctest::Approx(100e-9));
  CHECK(made.costs(PairClass::same_l3).L.origin == Origin::latencies);
  CHECK(made.costs(PairClass::across_packages).L.value == doctest::Approx(200e-9));
  CHECK(text.output.find("Way of a cache line between PUs, one way\n") != std::string::npos);
  CHECK(text.output.find("\n2 100 100   -  50\n") != std::string::npos);
  CHECK(text.output.find("l: latencies\n") != std::string::npos);
  CHECK(run(asked + " --format csv").output == ",,,\n50.0,,,\n100.0,100.0,,\n100.0,100.0,50.0,\n");
  CHECK(run(asked + " --format svg").output.starts_with("<svg "));
}

TEST_CASE("calibrate --pairs measures all pairs of PUs") {
  const ConfigFolder folder;
  const Ran ran = run("calibrate --quick --pairs --format csv");
  CAPTURE(ran.errors);
  REQUIRE(ran.status == 0);
  const std::vector<int> pus = Machine::discover().allowed_pus();
  if (pus.size() < 2) return;
  const Latencies latencies = latencies_from_csv(ran.output);
  const auto number = [&](int pu) { return Machine::discover().pus[static_cast<std::size_t>(pu)].os_index; };
  CHECK(latencies.between(number(pus[0]), number(pus[1])) > 1e-9);
}

TEST_CASE("calibrate refuses names that are none, and options that do nothing, before it measures") {
  const ConfigFolder folder;
  const auto refused = [](const std::string& arguments, const std::string& sentence) {
    const Ran ran = run("calibrate " + arguments);
    CAPTURE(ran.errors);
    CHECK(ran.status == 2);
    CHECK(ran.errors.find(sentence) != std::string::npos);
  };
  refused("--name 'a b'", "expected letters, digits, _ and - only");
  refused("--name ''", "expected letters, digits, _ and - only");
  refused("--profile x",
          "--profile does nothing here: without --machine, --latencies or --network all is measured");
  refused("--pairs --network 1,1,1", "--pairs does nothing here");
  refused("--format svg", "--format csv and svg are the matrix of --pairs or --latencies");
  refused("--latencies " + folder.path("none.csv"), "No such file");
  refused("--quick --network 1,1,1", "--quick does nothing here");
  refused("--network 1,1", "expected t_s,t_w,o");
  refused("--quick --machine " + two_packages, "--quick does nothing here");
  refused("--machine " + two_packages + " --profile 'no name'", "expected a file, with a / or .json");
  std::filesystem::create_directories(folder.path("here.json"));
  refused("--output " + folder.path("here.json"), "is no regular file");
}

TEST_CASE("a profile is replaced as a whole, and no other file is left behind") {
  const ConfigFolder folder;
  const std::string import = "calibrate --machine " + two_packages + " --output " + folder.path("a.json");
  write(folder.path("a.json"), "old");
  std::filesystem::create_symlink(folder.path("a.json"), folder.path("b.json"));
  REQUIRE(run(import).status == 0);
  CHECK(profile_from_json(read_file(folder.path("a.json"))).name == "profile");
  REQUIRE(run("calibrate --machine " + two_packages + " --output " + folder.path("b.json")).status == 0);
  CHECK(std::filesystem::is_symlink(folder.path("b.json")));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path(""))) ++files;
  CHECK(files == 2);
}

TEST_CASE("a profile that is none, or is not there, is refused with its name and the reason") {
  const ConfigFolder folder;
  const std::string compare = "compare --collective broadcast --nodes 2 --bytes 8";
  std::filesystem::create_directories(folder.path("vnode"));
  write(folder.path("vnode/profile.json"), "{\n  \"name\": 1,\n}\n");
  const Ran bad = run(compare);
  CHECK(bad.status == 2);
  CHECK(bad.errors == "vnode: " + folder.path("vnode/profile.json") +
                          ": profile JSON, line 3, column 1: not JSON at \"}\", expected string literal\n");
  CHECK(run(compare + " --profile other").errors ==
        "vnode: " + folder.path("vnode/other.json") + ": No such file or directory\n");
  CHECK(run(compare + " --profile " + folder.path("")).errors.find("directory") != std::string::npos);
  CHECK(run("calibrate --machine " + two_packages + " --output /dev/null").errors.find("no regular file") !=
        std::string::npos);
}
