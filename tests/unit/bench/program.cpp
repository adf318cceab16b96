#include <array>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <sys/wait.h>

namespace {

// ThreadSanitizer does not see how OpenMP's library synchronises.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
const std::string rivals_asked = "std,naive";
#else
const std::string rivals_asked = "std,openmp,naive";
#endif
#elif defined(__SANITIZE_THREAD__)
const std::string rivals_asked = "std,naive";
#else
const std::string rivals_asked = "std,openmp,naive";
#endif

struct Ran {
  int status;
  std::string output;
};

Ran run(const std::string& arguments) {
  FILE* pipe = popen((VNODE_BENCH_PROGRAM " " + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 4096> piece;
  while (const std::size_t size = fread(piece.data(), 1, piece.size(), pipe))
    output.append(piece.data(), size);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

const std::string brief = " --max-bytes 64 --factor 8 --iters 2 --warmup 1 ";

}  // namespace

TEST_CASE("JSON has exactly the promised keys") {
  const Ran ran = run("broadcast reduce barrier send sendrecv --nodes 3 --check --format json --against " +
                      rivals_asked + brief);
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  const auto document = nlohmann::json::parse(ran.output);
  CHECK(document.size() == 2);
  CHECK(document["machine"].is_object());
  const std::set<std::string> expected{"by",       "collective", "requested", "algorithm",  "topology",
                                       "nodes",    "bytes",      "root",      "op",         "datatype",
                                       "channel",  "wait",       "time_us",   "algbw_GBps", "busbw_GBps",
                                       "limit_us", "ratio",      "wrong",     "form",       "configuration"};
  std::set<std::string> collectives, by;
  for (const auto& row : document["results"]) {
    std::set<std::string> keys;
    for (const auto& item : row.items()) keys.insert(item.key());
    CHECK(keys == expected);
    CHECK(row["time_us"].size() == 3);
    CHECK(row["nodes"] == 3);
    CHECK(row["wrong"] == 0);
    CHECK(row["time_us"]["min"].get<double>() <= row["time_us"]["median"].get<double>());
    CHECK(row["time_us"]["median"].get<double>() <= row["time_us"]["p99"].get<double>());
    collectives.insert(row["collective"]);
    by.insert(row["by"]);
    if (row["collective"] == "barrier") {
      CHECK(row["bytes"] == 0);
      CHECK(row["busbw_GBps"].is_null());
      CHECK(row["root"].is_null());
    }
    if (row["by"] == "vnode" && row["collective"] == "reduce") {
      CHECK(row["requested"] == "auto");
      CHECK(row["algorithm"].get<std::string>().starts_with("reduce_"));
      CHECK(row["op"] == "sum");
    }
  }
  CHECK(collectives == std::set<std::string>{"barrier", "broadcast", "reduce", "send", "sendrecv"});
  std::set<std::string> rivals{"vnode"};
  std::istringstream names{rivals_asked};
  for (std::string name; std::getline(names, name, ',');) rivals.insert(name);
  CHECK(by == rivals);
}

TEST_CASE("csv has header lines, names what is skipped once, and a row for each algorithm that can run") {
  const Ran ran = run("broadcast --algorithm all --nodes 6 --root all --format csv" + brief);
  REQUIRE(ran.status == 0);
  std::istringstream lines{ran.output};
  std::set<std::string> skipped;
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# skipped ")) CHECK(skipped.insert(line).second);
    if (line.starts_with("vnode,broadcast,broadcast_")) ++rows;
  }
  CHECK(ran.output.find("# cores used: ") != std::string::npos);
  CHECK(ran.output.find("# pinning: ") != std::string::npos);
  CHECK(skipped.size() >= 1);
  CHECK(rows >= 4);
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

TEST_CASE("what cannot be done is said in a sentence, and the status is 2") {
  const std::array<std::array<const char*, 2>, 8> wrong{
      {{"broadcast --nodes 6 --algorithm hypercube", "power of two"},
       {"broadcast --algorithm nonsense", "broadcast_binomial"},
       {"broadcast --nodes 4 --root 4", "0 to 3"},
       {"--nodes 6 --topology hypercube", "power of two"},
       {"--topology mesh:0x4", "mesh"},
       {"--nodes 5 --topology mesh:2x2", "5"},
       {"--nodes 0", "at least 1"},
       {"--datatype f16", "f64"}}};
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
       {"--nodes",  "--topology", "--algorithm", "--min-bytes", "--max-bytes", "--factor", "--iters",
        "--warmup", "--root",     "--op",        "--datatype",  "--channel",   "--wait",   "--check",
        "--seed",   "--against",  "--format",    "--output",    "limits",      "targets"})
    CHECK(help.output.find(option) != std::string::npos);
  CHECK(run("--version").output.starts_with("vnode-bench "));
}
