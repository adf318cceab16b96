#include <set>
#include <sstream>

#include "program.hpp"

using namespace program;

TEST_CASE("first calls have a row for each shape and way, with the second call's time and the team's start") {
  const Ran ran = run("broadcast scan barrier send --first --nodes 3 -n 2 -b 8 -e 64 -f 8 --format json");
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  const auto document = nlohmann::json::parse(ran.output);
  CHECK(document["machine"]["timing"].get<std::string>().find("every team is started anew") !=
        std::string::npos);
  CHECK(document["machine"]["notes"].back().get<std::string>().starts_with("medians of 2 teams"));
  CHECK(document["first"].size() == 7);
  for (const auto& row : document["first"]) {
    CAPTURE(row.dump());
    CHECK(row["nodes"] == 3);
    CHECK(row["teams"] == 2);
    CHECK(row["wrong"] == 0);
    CHECK(row["first_min_us"].get<double>() <= row["first_us"].get<double>());
    CHECK(row["first_us"].get<double>() <= row["first_max_us"].get<double>());
    for (const char* time : {"first_min_us", "second_us", "start_us"}) CHECK(row[time].get<double>() > 0);
    CHECK(row["bytes"].is_null() == (row["collective"] == "barrier"));
    CHECK(row["algorithm"].is_null() == (row["collective"] == "send"));
  }
}

TEST_CASE("first calls are measured in every form, of a named algorithm, of all, and of every root") {
  for (const std::string form : {"blocking", "nonblocking", "persistent"}) {
    const Ran ran =
        run("broadcast --first --nodes 2 -n 1 -b 64 -e 64 --root all --algorithm linear "
            "--format csv --form " +
            form);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    for (const char* root : {"0", "1"})
      CHECK(ran.output.find(std::string{"\nbroadcast,broadcast_linear,broadcast_linear,2,64,"} + root +
                            ",,f64,1,") != std::string::npos);
  }
  const Ran all = run("barrier --first --nodes 2 -n 1 --algorithm all --format csv");
  CAPTURE(all.output);
  std::istringstream lines{all.output};
  std::set<std::string> algorithms;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("barrier,")) algorithms.insert(line.substr(0, line.find(",2,")));
  CHECK(algorithms.size() >= 3);
}

TEST_CASE("what first calls are not measured with is refused in one sentence") {
  for (const auto& [given, sentence] :
       {std::pair{"barrier --first --against std", "--against does not go with --first: leave it out"},
        std::pair{"barrier --first --cold 64K", "--cold does not go with --first: leave it out"},
        std::pair{"barrier --first -w 3", "--warmup does not go with --first: leave it out"},
        std::pair{"limits --first", "--first does not go with limits: leave it out"}}) {
    const Ran ran = run(given);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(ran.output == std::string{"vnode-bench: "} + sentence + "\n");
  }
}
