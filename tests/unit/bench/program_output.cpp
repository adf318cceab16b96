#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

#include "mpi/peers.hpp"
#include "program.hpp"
#include "timing/affinity.hpp"

using namespace program;

TEST_CASE("the summary has a line for each size, with all contestants in it") {
  const Ran ran = run("scan --nodes 2 --format summary --against " + rivals_asked + brief);
  REQUIRE(ran.status == 0);
  std::istringstream lines{ran.output};
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(" bytes ")) CHECK(line.find("naive") != std::string::npos);
    if (line.starts_with("     8 ") || line.starts_with("    64 ")) ++rows;
  }
  CHECK(rows == 2);
}

TEST_CASE("OSU's style prints OSU's columns") {
  const Ran ran = run("all_reduce barrier --style osu -m 4:64 -i 3 -x 1 -f --nodes 2 --against std");
  REQUIRE(ran.status == 0);
  for (const char* line :
       {"\n# vnode all_reduce Latency Test\n# Size         Avg Latency(us)     Min Latency(us)     Max "
        "Latency(us)  Iterations\n4  ",
        "\n# std all_reduce Latency Test\n# Size  ", "\n# vnode barrier Latency Test\n# Avg Latency(us)"})
    CHECK(ran.output.find(line) != std::string::npos);
  CHECK(run("all_reduce --style osu -m 4:4 -i 3 --nodes 2").output.find("Iterations") == std::string::npos);
}

TEST_CASE("MPI takes part where it is installed, and is asked for where it is not") {
  const Ran ran = run("all_to_all reduce scan barrier --nodes 2 --format json --check --against mpi" + brief);
  CAPTURE(ran.output);
  if (vnode::bench::mpi_libraries().empty()) {
    CHECK(ran.status == 2);
    CHECK(ran.output.find("apt-get install") != std::string::npos);
    return;
  }
  // Another's program may fail on a busy machine.
  if (ran.status == 2 && ran.output.find(" has ended: ") != std::string::npos) {
    MESSAGE("nothing was measured: ", ran.output);
    return;
  }
  REQUIRE(ran.status == 0);
  const nlohmann::json report = nlohmann::json::parse(ran.output);
  for (const std::string note : report["machine"]["notes"])
    if (note.starts_with("left out: ")) MESSAGE(note);
  int peers = 0;
  for (const auto& row : list(ran, "results")) {
    const std::string by = row["by"];
    if (!by.starts_with("mpi:")) continue;
    CHECK((by == "mpi:openmpi" || by == "mpi:mpich"));
    ++peers;
    CHECK(row["configuration"].is_string());
    CHECK(row["wrong"] == 0);
    CHECK(row["time_us"]["median"].get<double>() > 0);
  }
  CHECK(
      ((peers > 0 && peers % 7 == 0) || (peers == 0 && ran.output.find("left out: ") != std::string::npos)));
}

TEST_CASE(
    "an MPI that does not start, or does not compile, is left out in its own words, and the others are "
    "measured") {
  const auto folder = std::filesystem::temp_directory_path() / ("vnode_mpi_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const auto script = [&](const std::string& name, const std::string& commands) {
    std::ofstream{folder / name} << "#!/bin/sh\n" << commands << '\n';
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  };
  script("mpicc.openmpi", "exit 0");
  script("mpirun.openmpi", "echo 'orte_session_dir failed' >&2; exit 1");
  script("mpicc.mpich", "echo 'no space left' >&2; exit 1");
  script("mpirun.mpich", "exit 1");
  const Ran ran =
      run("barrier broadcast --nodes 2 --format json --against mpi,naive" + brief, "PATH=" + folder.string());
  std::filesystem::remove_all(folder);
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  const std::vector<std::string> notes = nlohmann::json::parse(ran.output)["machine"]["notes"];
  const auto left_out = [&](const std::string& beginning, const std::string& end) {
    return std::ranges::count_if(notes, [&](const std::string& note) {
      return note.starts_with("left out: " + beginning) && note.ends_with(end);
    });
  };
  CHECK(left_out("openmpi", " has ended: orte_session_dir failed") >= 1);  // in each configuration
  CHECK(left_out(folder.string(), " cannot compile vnode-bench's peer program: no space left") == 1);
  std::set<std::string> by;
  for (const auto& row : list(ran, "results")) by.insert(row["by"]);
  CHECK(by == std::set<std::string>{"vnode", "naive"});
}

TEST_CASE("nodes that a mapping puts on one core take turns, whatever cores there are beside it") {
  const std::string pu = std::to_string(vnode::affinity().front());
  const Ran ran = run("broadcast --mapping " + pu + "," + pu + " -b 1K -e 1K -n 2 -w 1 --format json");
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  const auto document = nlohmann::json::parse(ran.output);
  CHECK(document["machine"]["cores_used"] == 1);
  CHECK(document["machine"]["timing"].get<std::string>().find("more nodes than cores") != std::string::npos);
  for (const auto& row : document["results"]) {
    CHECK(row["nodes"] == 2);
    CHECK(row["time_us"]["median"].is_number());
    CHECK(row["limit_us"].is_null());
  }
}

TEST_CASE("the report goes to a file") {
  const auto file = std::filesystem::temp_directory_path() / "vnode-bench-report.txt";
  const Ran ran = run("barrier --nodes 2 --output " + file.string() + brief);
  CHECK(ran.status == 0);
  CHECK(ran.output.empty());
  std::stringstream text;
  text << std::ifstream{file}.rdbuf();
  CHECK(text.str().find("barrier") != std::string::npos);
  std::filesystem::remove(file);
  CHECK(run("barrier --output /nonexistent/report" + brief).status == 2);
}

TEST_CASE("a report that cannot be written is an error, in every format") {
  if (!std::filesystem::exists("/dev/full")) return;
  for (const std::string what : {"barrier --format table", "barrier --format summary", "barrier --format csv",
                                 "barrier --format json", "barrier --style osu", "--help", "--version"}) {
    const bool measures = what.starts_with("barrier");
    const Ran ran = run(what + (measures ? " --nodes 2 --iters 2 --warmup 1" : "") + " >/dev/full )", "(");
    CAPTURE(what);
    CHECK(ran.status == 2);
    CHECK(ran.output.starts_with("vnode-bench: standard output: "));
    CHECK(ran.output.find('\n') + 1 == ran.output.size());
  }
}

TEST_CASE("sizes that memory has no room for are refused, with the largest that it has room for") {
  for (const std::string what : {"broadcast -b 100000G", "send -b 100000G", "guidelines"}) {
    const Ran ran = run(what + " -e 100000G -n 2 -w 1");
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(ran.output.find("this machine has memory for vectors of up to ") != std::string::npos);
  }
}

TEST_CASE("what is printed for persons fits 100 columns") {
  for (const std::string format : {"table", "summary"}) {
    const Ran ran =
        run("all_gather barrier --nodes 33 --against " + rivals_asked + " --format " + format + brief);
    REQUIRE(ran.status == 0);
    std::istringstream lines{ran.output};
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      CHECK(line.size() <= 100);
    }
    CHECK(ran.output.find(" rows; ") != std::string::npos);
    CHECK(ran.output.find("wrong results: 0") != std::string::npos);
  }
}

TEST_CASE("what cannot be done is said in a sentence, and the status is 2") {
  const std::array<std::array<const char*, 2>, 9> wrong{
      {{"broadcast --nodes 6 --algorithm hypercube", "power of two"},
       {"broadcast --algorithm binomal", "did you mean broadcast_binomial"},
       {"broadcast -o y.csv", "there are sum, prod, min, max, all; a file goes to --output"},
       {"broadcast --nodes 4 --root 4", "0 to 3"},
       {"--nodes 6 --topology hypercube", "power of two"},
       {"--topology mesh:0x4", "mesh"},
       {"--nodes 5 --topology mesh:2x2", "5"},
       {"--nodes 0", "at least 1"},
       {"--datatype f128", "f64"}}};
  for (const auto& [arguments, word] : wrong) {
    const Ran ran = run(arguments);
    CAPTURE(ran.output);
    CHECK(ran.status == 2);
    CHECK(ran.output.starts_with("vnode-bench: "));
    CHECK(ran.output.find(word) != std::string::npos);
  }
}

TEST_CASE("help names every option, and the version is the library's") {
  const Ran help = run("--help");
  CHECK(help.status == 0);
  for (const char* option :
       {"--nodes",     "--topology",     "--algorithm", "--min-bytes", "--max-bytes",    "--factor",
        "--iters",     "--warmup",       "--root",      "--op",        "--datatype",     "--channel",
        "--wait",      "--check",        "--seed",      "--against",   "--format",       "--output",
        "limits",      "--form",         "--shift",     "--style",     "--minbytes",     "--stepfactor",
        "--stepbytes", "--warmup_iters", "--ngpus",     "guidelines",  "--deterministic"})
    CHECK(help.output.find(option) != std::string::npos);
  CHECK(run("--version").output.starts_with("vnode-bench "));
}
