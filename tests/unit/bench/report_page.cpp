#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <vnode/model/machine.hpp>

#include "program.hpp"
#include "timing/affinity.hpp"

using namespace program;

namespace {

std::size_t count(const std::string& text, const std::string& piece) {
  std::size_t number = 0;
  for (std::size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + 1)) ++number;
  return number;
}

/// Returns "good", also where there is no python, or what is wrong with the elements of a page.
std::string judged(const std::string& html) {
  const auto folder = std::filesystem::temp_directory_path() / ("vnode_page_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream{folder / "page.html"} << html;
  std::ofstream{folder / "judge.py"} << R"(
import sys
from html.parser import HTMLParser
class Judge(HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        assert len(attributes) == len(dict(attributes)), f"an attribute twice: {tag}"
        self.open.append(tag)
    def handle_startendtag(self, tag, attributes): pass
    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"{tag} closed within {self.open}"
        self.open.pop()
judge = Judge()
judge.feed(open(sys.argv[1]).read())
judge.close()
assert not judge.open, f"not closed: {judge.open}"
print("good")
)";
  std::string answer;
  const std::string command = "command -v python3 >/dev/null || { echo good; exit; }; python3 " +
                              (folder / "judge.py").string() + ' ' + (folder / "page.html").string() +
                              " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> piece;
  while (const std::size_t size = fread(piece.data(), 1, piece.size(), pipe))
    answer.append(piece.data(), size);
  pclose(pipe);
  std::filesystem::remove_all(folder);
  return answer;
}

}  // namespace

TEST_CASE(
    "a page has a section for each operation, plots and tables for what has sizes, and needs no network") {
  const Ran ran = run("broadcast all_reduce barrier --nodes 2 --cold 64K --format html --against " +
                      rivals_asked + brief);
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  const std::string& page = ran.output;
  CHECK(judged(page) == "good\n");
  CHECK(count(page, "<h2 ") == 3);
  CHECK(count(page, "<svg ") == 4);  // a barrier has no size
  CHECK(count(page, "<table>") == 5);
  CHECK(page.find("<h2 id=\"section-1\">broadcast: 2 nodes, f64</h2>") != page.npos);
  for (const char* words : {"machine: ", "pinning: ", "cold: every thread walks 64K", "wrong results: 0",
                            ">vnode<", ">naive<", "prefers-color-scheme"})
    CHECK_MESSAGE(page.find(words) != page.npos, words);
  const bool take_turns = vnode::Machine::discover().allowed_cores() < 2;  // of whom there is no limit
  CHECK((page.find("x limit") == page.npos) == take_turns);
  CHECK(count(page, "http") ==
        count(page, "http-equiv") + count(page, "xmlns=\"http://www.w3.org/2000/svg\""));
  for (const char* outside : {"<script", "stylesheet", "@import", "url("})
    CHECK_MESSAGE(page.find(outside) == page.npos, outside);
}

TEST_CASE("a page names algorithms that were asked for, marks who calls alone, and says what was dropped") {
  const std::string pu = std::to_string(vnode::affinity().front());
  const Ran ran = run("broadcast --nodes 3 --mapping " + pu + ',' + pu + ',' + pu +
                      " --algorithm all --format html --check" + brief);
  CAPTURE(ran.output);
  REQUIRE(ran.status == 0);
  CHECK(judged(ran.output) == "good\n");
  for (const char* words : {">binomial<", ">linear<", "skipped "})
    CHECK_MESSAGE(ran.output.find(words) != std::string::npos, words);
  CHECK(ran.output.find(">limit<") == std::string::npos);
}

TEST_CASE("OSU's loop, first calls, limits and guidelines have pages, too") {
  for (const std::string what :
       {"all_reduce barrier --style osu -m 4:64 -i 3 -x 1 --nodes 2",
        "broadcast --first --nodes 2 -n 1 -b 8 -e 64", "guidelines --nodes 2 -b 8 -e 8 -n 2 -w 1"}) {
    const Ran ran = run(what + " --format html");
    CAPTURE(what);
    CHECK(ran.status == 0);
    CHECK(judged(ran.output) == "good\n");
    CHECK(ran.output.find("<table>") != std::string::npos);
  }
}

TEST_CASE("several numbers of nodes are compared in tables, and in plots of a page") {
  const std::string asked = "all_reduce --nodes 1,2,3 --max-bytes 8 --iters 10 --warmup 1 --against naive";
  const Ran table = run(asked);
  CAPTURE(table.output);
  REQUIRE(table.status == 0);
  const std::size_t times = table.output.find("# all_reduce 8 over nodes: f64, sum: Medians, microseconds\n");
  REQUIRE(times != std::string::npos);
  const std::string after = table.output.substr(times);
  for (const char* begin : {"\nnodes", "\n    1 ", "\n    2 ", "\n    3 "})
    CHECK_MESSAGE(after.find(begin) != std::string::npos, begin);
  CHECK(count(table.output, "\n# all_reduce: ") == 3);
  const Ran page = run(asked + " --format html");
  REQUIRE(page.status == 0);
  CHECK(judged(page.output) == "good\n");
  CHECK(page.output.find("<h2 id=\"section-1\">all_reduce 8 over nodes: f64, sum</h2>") != std::string::npos);
  const Ran values = run(asked + " --format csv");
  for (const char* nodes : {",1,8,", ",2,8,", ",3,8,"})
    CHECK_MESSAGE(values.output.find(nodes) != std::string::npos, nodes);
}

TEST_CASE("a plot of its own is one SVG, over nodes or over sizes") {
  const Ran nodes = run("barrier --nodes 2,3 --iters 10 --warmup 1 --format svg");
  CAPTURE(nodes.output);
  REQUIRE(nodes.status == 0);
  CHECK(nodes.output.starts_with("<svg "));
  CHECK(nodes.output.find(">barrier over nodes<") != std::string::npos);
  CHECK(nodes.output.find(">p, nodes<") != std::string::npos);
  const Ran sizes = run("broadcast --nodes 2 -b 8 -e 64 --iters 10 --warmup 1 --format svg");
  REQUIRE(sizes.status == 0);
  CHECK(sizes.output.find(">m, bytes<") != std::string::npos);
}
