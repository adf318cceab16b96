#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <vnode/version.hpp>

#include "folder.hpp"
#include "program.hpp"
#include "repository.hpp"
#include "settings/environment.hpp"

namespace {

constexpr std::array command_names{"algorithms", "show",   "draw",    "cost",  "compare",
                                   "simulate",   "verify", "topo",    "map",   "place",
                                   "calibrate",  "tune",   "explain", "stats", "env"};

/// Returns `text` cut into lines.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("what cannot be done is said in one sentence on standard error, and the status is 2") {
  struct Call {
    std::string arguments, expected;
  };
  const Call calls[] = {
      {"", "algorithms, show, draw"},
      {"paint", "there is no command \"paint\": algorithms, show, draw"},
      {"--bogus", "--bogus"},
      {"show", "give its name, or --schedule FILE"},
      {"show broadcast_binomial --nodes", "--nodes"},
      {"show broadcast_binomal --nodes 8", "did you mean broadcast_binomial"},
      {"show broadcast_binomial", "--nodes P"},
      {"show broadcast_binomial --nodes 8 --bogus", "--bogus"},
      {"show broadcast_binomial --nodes 8 --root 8", "the ranks are 0 to 7"},
      {"show broadcast_binomial --nodes 8 --root -1", "not \"-1\""},
      {"show broadcast_binomial --nodes 0", "from 1"},
      {"show broadcast_binomial --nodes many", "not \"many\""},
      {"show broadcast_binomial --nodes 99999999999", "not \"99999999999\""},
      {"show broadcast_binomial --nodes 8 --topology mesh:0x4", "mesh:0x4"},
      {"show broadcast_binomial --nodes 8 --topology mesh:3x3", "mesh:2x4 would be right"},
      {"show broadcast_binomial --nodes 8 --topology moebius", "hypercube"},
      {"show broadcast_hypercube --nodes 6", "needs a power of two, 6 is not"},
      {"show broadcast_binomial --nodes 6 --topology hypercube", "4 or 8 would be right"},
      {"show broadcast_mesh --nodes 8 --topology ring", "extents"},
      {"show broadcast_binomial --nodes 8 --format xml", "text or json"},
      {"show all_gather_ring --nodes 8 --shift many", "--shift"},
      {"show broadcast_k_nomial --nodes 8 --radix 1", "from 2"},
      {"show broadcast_binomial --nodes 8 --routing ecube --topology ring",
       "--routing ecube: ring has shortest"},
      {"show broadcast_binomial --nodes 8 --collective reduce",
       "broadcast_binomial is an algorithm for broadcast, not for reduce"},
      {"show --schedule /nonexistent", "/nonexistent"},
      {"show --schedule /dev/null", "/dev/null: schedule text, line 1"},
      {"show --schedule /dev/zero", "/dev/zero: it has more than 64 MiB"},
      {"draw broadcast_binomial --nodes 4 --picture space-time --trace /dev/zero",
       "/dev/zero: it has more than 64 MiB"},
      {"topo --profile /dev/zero", "/dev/zero: it has more than 64 MiB"},
      {"topo --machine /dev/zero", "/dev/zero: it has more than 64 MiB"},
      {"place --campaign /dev/zero", "/dev/zero: it has more than 64 MiB"},
      {"place --report /dev/zero", "/dev/zero: it has more than 256 MiB"},
      {"show broadcast_binomial --schedule /dev/null", "not both"},
      {"explain", "COLLECTIVE is required (see vnode explain --help)"},
      {"explain sort", "broadcast, reduce, all_gather"},
      {"explain all_reduce --np 4", "there is no option --np: did you mean --nodes?"},
      {"explain all_reduce --nodes 4 --size 1M", "there is no option --size: did you mean --bytes?"},
      {"cost all_gather --nodes 8 --bytes", "--bytes needs a value: M missing"},
      {"simulate broadcast_binomial --nodes 8 --sweep nodes", "--sweep nodes: what it takes is missing"},
      {"verify broadcast_binomial", "\"broadcast_binomial\" is more than vnode verify takes"},
      {"verify my.txt", "a file with a schedule goes to --schedule: vnode verify --schedule my.txt"},
      {"topo --machine epyc", "a name that `vnode topo --gallery` lists"},
      {"explain reduce --node 8", "there is no option --node: did you mean --nodes"},
      {"explain reduce --node=8", "(see vnode explain --help)"},
      {"--nodse 8", "there is no option --nodse"},
      {"explain reduce --bytes lots", "--bytes 'lots' is not a number of bytes such as"},
      {"explain reduce --nodes 4 --root 4", "the ranks are 0 to 3"},
      {"explain broadcast --radix 1", "from 2"},
      {"explain circular_shift --shift many", "--shift"},
      {"explain reduce --tput much", "--tput: expected a number from 0"},
      {"explain reduce --nodes 6 --topology hypercube", "4 or 8 would be right"},
      {"algorithms --format yaml", "text, json, csv or markdown"},
      {"algorithms --collective sort", "broadcast, reduce, all_gather"},
      {"verify --collective sort", "broadcast, reduce, all_gather"},
      {"verify --algorithm nonsense", "`vnode algorithms` lists all"},
      {"verify --algorithm barrier_tree --collective reduce",
       "barrier_tree is an algorithm for barrier, not for reduce"},
      {"verify --algorithm barrier_tree,reduce_linear --collective reduce",
       "barrier_tree is an algorithm for barrier"},
      {"verify --algorithm barrier_tree,reduce_liner", "did you mean reduce_linear"},
      {"verify --algorithm barrier_tree, --max-nodes 2", "there is no algorithm \"\""},
      {"verify --max-nodes 0", "from 1"},
      {"explain reduce --nodes 2 --profile /nonexistent.json", "/nonexistent.json"},
      {"calibrate --name a/b", "expected letters, digits, _ and - only"},
      {"calibrate --profile a", "--machine"},
      {"calibrate --machine 'pack:2 core:2 pu:1'", "has no distances"},
      {"calibrate --machine /nonexistent.xml", "/nonexistent.xml"},
      {"compare", "--collective is required (see vnode compare --help)"},
      {"compare --collective reduce --collective scan", "--collective is given 2 times: once is enough"},
      {"compare --collective sort --nodes 4", "broadcast, reduce, all_gather"},
      {"compare --collective barrier --nodes 4", "vnode explain barrier"},
      {"compare --collective broadcast", "--nodes P"},
      {"compare --collective broadcast --nodes 1", "2 nodes or more"},
      {"compare --collective broadcast --nodes 6 --topology hypercube", "4 or 8 would be right"},
      {"compare --collective broadcast --nodes 4 --root 4", "the ranks are 0 to 3"},
      {"compare --collective broadcast --nodes 4 --bytes 8:", "is not a number of bytes"},
      {"compare --collective broadcast --nodes 4 --bytes 8K:1K", "ends before it begins"},
      {"compare --collective broadcast --nodes 4 --bytes 8,8", "comes twice"},
      {"compare --collective broadcast --nodes 4 --bytes 0", "1 to 1024G are possible"},
      {"compare --collective broadcast --nodes 4 --ts -1", "--ts: expected a number from 0 to 1e+09"},
      {"compare --collective broadcast --nodes 4 --tw nan", "--tw"},
      {"compare --collective broadcast --nodes 4 --format text", "table, json, csv, svg or html"},
      {"compare --collective reduce --nodes 2 --bytes 12 --measure", "bytes must be a multiple of 8, got 12"},
      {"compare --collective broadcast --nodes 4 --bytes 1024G --measure", "more than half of the memory"},
      {"topo --machine /nonexistent.xml", "/nonexistent.xml"},
      {"topo --machine /dev/null", "/dev/null"},
      {"topo --machine 'pack:2 nonsense:3'", "nonsense"},
      {"topo --machine", "--machine"},
  };
  for (const Call& call : calls) check_refused(call.arguments, call.expected);
}

TEST_CASE("help is there for the program and for each command, and the version is the library's") {
  const Ran help = run("--help");
  CHECK(help.status == 0);
  CHECK(help.errors.empty());
  for (const std::string command : command_names) {
    CHECK(help.output.find(command) != std::string::npos);
    const Ran own = run(command + " --help");
    CHECK(own.status == 0);
    CHECK(own.output.find("--format") != std::string::npos);
    CHECK(run("help " + command).output == own.output);
  }
  CHECK(run("help").output == help.output);
  CHECK(run("--version").output == "vnode " + std::string(vnode::version()) + "\n");
}

TEST_CASE("help has calls to try for every command, and those that take no time are right") {
  const ConfigFolder folder;
  const std::string slow[] = {"calibrate", "tune", "verify", "stats", "compare", "place"};
  for (const std::string command : command_names) {
    CAPTURE(command);
    int calls = 0;
    for (const std::string& line : lines_of(run(command + " --help").output)) {
      const std::size_t call = line.find("vnode " + command);
      if (!line.starts_with("  ") || line.starts_with("   ") || line.starts_with("  -") ||
          call == std::string::npos)
        continue;
      ++calls;
      if (std::ranges::count(slow, command) > 0) continue;
      CAPTURE(line);
      const Ran ran = run("--version; cd " + folder.path("") + " && " VNODE_PROGRAM + line.substr(call + 5));
      CHECK(ran.status == 0);
      CHECK(ran.errors.empty());
    }
    CHECK(calls > 0);
  }
}

TEST_CASE("the commands that the book's page names do what they say") {
  std::ostringstream page;
  page << std::ifstream(repository() / "docs/book.md").rdbuf();
  const std::string text = page.str(), folder = (repository() / "docs").string();
  int commands = 0;
  for (std::size_t begin = 0; (begin = text.find("`vnode ", begin)) != std::string::npos;) {
    const std::size_t end = text.find('`', begin + 1);
    const std::string arguments = text.substr(begin + 7, end - begin - 7);
    begin = end + 1;
    if (arguments.find("NAME") != std::string::npos) continue;
    CAPTURE(arguments);
    const Ran ran = run("--version; cd " + folder + " && " VNODE_PROGRAM " " + arguments);
    CHECK(ran.status == 0);
    CHECK(ran.errors.empty());
    ++commands;
  }
  CHECK(commands > 40);
}

TEST_CASE("what is written is what the name of the output says, or refused") {
  const ConfigFolder folder;
  const std::string draw = "draw broadcast_binomial --nodes 4 --output ";
  CHECK(run(draw + folder.path("x.html")).status == 0);
  std::ostringstream html;
  html << std::ifstream(folder.path("x.html")).rdbuf();
  CHECK(html.str().starts_with("<!"));
  CHECK(run(draw + folder.path("x")).status == 0);
  check_refused(draw + folder.path("x.png"), "svg, text or html; rsvg-convert -f png makes one of svg");
  check_refused(draw + folder.path("x.svg") + " --format html", "--format asks for something else");
  check_refused("compare --collective broadcast --nodes 4 --output x.gif", "table, json, csv, svg or html");
}

TEST_CASE("help is no wider than the terminal") {
  for (const char* const width : {"80", "120"}) {
    const Variable columns("COLUMNS", width);
    for (const std::string command : command_names)
      for (const std::string& line : lines_of(run(command + " --help").output)) {
        CAPTURE(line);
        CHECK(line.size() <= std::stoul(width));
      }
  }
}

TEST_CASE("the manual pages of both programs name every variable that teams read") {
  for (const std::string page : {"vnode.1", "vnode-bench.1"}) {
    std::ostringstream manual;
    manual << std::ifstream(repository() / "docs/man" / page).rdbuf();
    const std::string text = manual.str();
    const std::size_t begin = text.find("\n.SH ENVIRONMENT\n");
    CAPTURE(page);
    REQUIRE(begin != std::string::npos);
    const std::string section = text.substr(begin, text.find("\n.SH ", begin + 1) - begin);
    for (const vnode::EnvironmentVariable& variable : vnode::environment_variables()) {
      CAPTURE(variable.name);
      CHECK(section.find(variable.name) != std::string::npos);
    }
  }
}

TEST_CASE("a reader that leaves early is no error to speak of") {
  const std::string much = "show broadcast_linear --nodes 4000 --format json";
  const Ran piped = run(much + " | head -c 10");
  CHECK(piped.output == "{\"algorith");
  CHECK(piped.errors.empty());
  const Ran ignoring = run("--version; trap '' PIPE; " VNODE_PROGRAM " " + much + " | head -c 10");
  CHECK(ignoring.output.ends_with("{\"algorith"));
  CHECK(ignoring.errors.empty());
}

TEST_CASE("output that cannot be written is an error, whatever writes it, early or late") {
  const std::string commands[] = {
      "algorithms",
      "algorithms --format json",
      "show broadcast_linear --nodes 4000 --format json",
      "draw broadcast_binomial --nodes 8",
      "draw broadcast_binomial --nodes 8 --format html",
      "compare --collective broadcast --nodes 8 --format csv",
      "compare --collective broadcast --nodes 8",
      "map --nodes 4 --machine 'numa:2 core:2 pu:1' --format json",
      "place --collective broadcast --nodes 2 --machine 'numa:2 core:1 pu:1' --format html",
      "cost broadcast --nodes 8",
      "--help",
      "map --help",
      "--version"};
  for (const std::string& arguments : commands) {
    CAPTURE(arguments);
    const Ran ran = run(arguments + " >/dev/full");
    CHECK(ran.status == 2);
    CHECK(ran.errors == "vnode: standard output: No space left on device\n");
  }
  check_refused("draw broadcast_binomial --nodes 8 --format html --output /dev/full",
                "/dev/full: No space left");
  // Even where nothing can be said.
  CHECK(run("paint 2>/dev/full").status == 2);
}
