#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>

#include <vnode/model/algorithms.hpp>

#include "program.hpp"

TEST_CASE("explain lists every candidate with its predicted time or why it is excluded, the cheapest first") {
  const Ran ran = run("explain all_reduce --nodes 6 --bytes 1M --ts 100 --tw 0.1 --top 0.02 --tput 0.02");
  CHECK(ran.status == 0);
  CHECK(
      ran.output.starts_with("all_reduce of 1048576 bytes on 6 nodes, full\ncosts, as given: t_s = 100 ns"));
  CHECK(ran.output.find("\n* all_reduce_two_shot_direct ") != std::string::npos);
  CHECK(ran.output.find("  all_reduce_rotated             excluded   needs a power of two, 6 is not") !=
        std::string::npos);
  for (const vnode::Algorithm& algorithm : vnode::algorithms()) {
    const bool listed = ran.output.find(' ' + std::string(algorithm.name) + ' ') != std::string::npos;
    CHECK(listed == (algorithm.collective == vnode::Collective::all_reduce));
  }
}

TEST_CASE(
    "explain is told a type: floats of 16 bits are combined at once where that does not take too long") {
  const std::string asked =
      "explain scan --nodes 4 --bytes 1K --ts 100 --tw 0.1 --top 0.02 --tput 0.02 --overhead 0";
  for (const std::string type : {"", " --datatype f64", " -d complex_f32", " -d bf16 --deterministic"}) {
    CAPTURE(type);
    const Ran ran = run(asked + type);
    CHECK(ran.status == 0);
    CHECK(ran.output.find("\n* scan_one_shot_direct ") == std::string::npos);
  }
  for (const std::string type : {"f16", "half", "bf16", "bfloat16"})
    CHECK(run(asked + " -d " + type).output.find("\n* scan_one_shot_direct ") != std::string::npos);
  check_refused(asked + " --datatype f8", "there are i8, u8, ");
}

TEST_CASE("explain measures the costs where none are given, and says so") {
  const Ran ran = run("explain broadcast --nodes 2");
  CHECK(ran.status == 0);
  // On a busy machine measuring takes too long.
  CHECK((ran.output.find("costs, measured here by a team of 2 nodes: t_s = ") != std::string::npos ||
         ran.output.find("costs, typical, since measuring took too long") != std::string::npos));
}

TEST_CASE("the commands that predict say on which costs, and take the same option to choose them") {
  for (const std::string command : {"explain broadcast", "cost broadcast", "simulate broadcast_binomial",
                                    "compare --bytes 1K --collective broadcast"}) {
    CAPTURE(command);
    const auto costs = [&](const std::string& options) {
      const std::string text = run(command + " --nodes 2 " + options).output;
      const std::size_t at = text.find("costs");
      return at == text.npos ? text : text.substr(at + 5, 40);
    };
    CHECK(costs("--costs typical").find("typical") != std::string::npos);
    const std::string measured = costs("--costs measured");
    CHECK((measured.find("measured here by a team of 2") != std::string::npos ||
           measured.find("typical, since measuring took") != std::string::npos));
    check_refused(command + " --nodes 2 --costs profile", "there is none: vnode calibrate makes one");
    check_refused(command + " --nodes 1000 --costs measured", "64 at most");
    check_refused(command + " --costs typical", "--nodes P");
  }
}

TEST_CASE("what would take too long to look at is refused, with what would be right") {
  check_refused("explain all_to_all --nodes 4096", "give 2048 or fewer nodes");
  check_refused("compare --collective all_to_all --nodes 4096", "give 2048 or fewer nodes");
  check_refused("show all_to_all_direct --nodes 10000", "give 1024 or fewer nodes");
  check_refused("draw broadcast_pipeline --nodes 1000 --segments 100000", "or fewer segments");
  check_refused("cost broadcast --nodes 100000", "up to 16384");
  check_refused("map --nodes 1000000 --topology ring", "--mapping compact or another one");
}

TEST_CASE("explain writes JSON") {
  const auto json = nlohmann::json::parse(
      run("explain gather --nodes 4 --bytes 8 --varying --ts 1 --tw 1 --top 1 --tput 1 --format json")
          .output);
  CHECK(json["collective"] == "gather");
  CHECK(json["bytes"] == 8);
  CHECK(json["t_s"] == doctest::Approx(1e-9));
  int chosen = 0;
  for (const auto& candidate : json["candidates"]) {
    CHECK(candidate.contains("seconds") != candidate.contains("excluded"));
    chosen += candidate["chosen"].get<bool>();
  }
  CHECK(chosen == 1);
}

TEST_CASE("explain takes shifts of either sign") {
  const std::string call =
      "explain circular_shift --nodes 8 --topology ring --ts 100 --tw 0.1 --top 0 --tput 0 --shift ";
  CHECK(run(call + "-3").output == run(call + "5").output);
  CHECK(run(call + "-3").output != run(call + "4").output);
}

TEST_CASE("explain takes the radix of k-nomial trees") {
  const std::string call = "explain broadcast --nodes 27 --bytes 8 --ts 100 --tw 0 --top 0 --tput 0 --radix ";
  CHECK(run(call + "27").output.find("26.2 t_s + 26 t_w m, radix 27\n") != std::string::npos);
  CHECK(run(call + "3").output.find("6.047 t_s + 6 t_w m, radix 3\n") != std::string::npos);
}
