#include <array>
#include <doctest/doctest.h>
#include <fstream>
#include <string>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/profile.hpp>
#include <vnode/team.hpp>

#include "base/read_file.hpp"
#include "folder.hpp"
#include "program.hpp"

using namespace vnode;

namespace {

/// Keeps a profile of this machine in which the ring is the fastest all_reduce of two nodes.
std::string keep_ring(const ConfigFolder& folder) {
  MachineProfile profile = typical_profile(Machine::discover());
  const bool share_pus = Machine::discover().allowed_pus().size() < 2;
  profile.tuned = {{Collective::all_reduce, 2, share_pus, 8, {{"all_reduce_ring", 1e-6}}}};
  std::ofstream(folder.path("profile.json")) << to_json(profile);
  return folder.path("profile.json");
}

std::string algorithm_of_pair(const TeamOptions& options) {
  Team team(2, options);
  std::string algorithm;
  team.run([&](Node& me) {
    std::array<double, 1> in{1.0}, out{};
    me.all_reduce(in, out, std::plus<>{});
    CHECK(out[0] == 2);
    if (me.rank() == 0) algorithm = me.last_algorithm();
  });
  return algorithm;
}

}  // namespace

TEST_CASE("tune measures what could win, and keeps the times in the profile") {
  const ConfigFolder folder;
  const Ran ran = run("tune barrier all_reduce --budget 1s --nodes 2 --bytes 8,4K");
  CAPTURE(ran.errors);
  REQUIRE(ran.status == 0);
  const std::string file = folder.path("vnode/profile.json");
  CHECK(ran.output.find("written to " + file) != std::string::npos);
  CHECK(ran.output.find("all_reduce") != std::string::npos);
  const MachineProfile profile = profile_from_json(read_file(file));
  REQUIRE(profile.tuned.size() == 3);
  CHECK(profile.tuned[0].collective == Collective::barrier);
  CHECK(profile.tuned[0].bytes == 0);
  CHECK(profile.tuned[2].collective == Collective::all_reduce);
  CHECK(profile.tuned[2].bytes == 4096);
  for (const TunedPoint& point : profile.tuned) {
    CHECK(point.nodes == 2);
    CHECK_FALSE(point.seconds.empty());
    for (const auto& [algorithm, seconds] : point.seconds) CHECK(seconds > 0);
  }

  // What is measured again takes the place of what was there; all else stays.
  REQUIRE(run("tune all_reduce --budget 1s --nodes 2 --bytes 64").status == 0);
  const MachineProfile again = profile_from_json(read_file(file));
  REQUIRE(again.tuned.size() == 2);
  CHECK(again.tuned[0] == profile.tuned[0]);
  CHECK(again.tuned[1].bytes == 64);
  REQUIRE(run("calibrate --quick").status == 0);
  CHECK(profile_from_json(read_file(file)).tuned == again.tuned);
}

TEST_CASE("tune refuses what it cannot measure, and a profile of another machine") {
  const ConfigFolder folder;
  CHECK(run("tune --budget soon").errors.find("such as 60s, 5min or 1h") != std::string::npos);
  CHECK(run("tune all_reduce --bytes 12").errors.find("a multiple of 8 would be right") != std::string::npos);
  CHECK(run("tune juggle").errors.find("juggle") != std::string::npos);
  CHECK(run("tune --nodes 1").errors.find("--nodes 1") != std::string::npos);
  MachineProfile other = typical_profile(Machine::discover());
  other.machine = "a toaster";
  const std::string file = folder.path("other.json");
  std::ofstream(file) << to_json(other);
  CHECK(run("tune barrier --budget 1s --output " + file).errors.find("about another machine, a toaster") !=
        std::string::npos);
}

TEST_CASE("teams and explain go by the profile that is kept, or asked for") {
  const ConfigFolder folder;
  const std::string file = keep_ring(folder);
  TeamOptions options;
  options.profile = "none";
  CHECK(algorithm_of_pair(options) != "all_reduce_ring");
  options.profile = file;
  CHECK(algorithm_of_pair(options) == "all_reduce_ring");
  const Ran ran = run("explain all_reduce --nodes 2 --bytes 8 --profile " + file);
  CHECK(ran.output.find("* all_reduce_ring") != std::string::npos);
  CHECK(ran.output.find("measured by vnode tune") != std::string::npos);
  options.profile = folder.path("nowhere.json");
  CHECK_THROWS_AS(Team(2, options), SystemError);
  options.profile = "a b";
  CHECK_THROWS_AS(Team(2, options), UsageError);
}
