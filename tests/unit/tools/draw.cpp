#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <vnode/model/timeline.hpp>

#include "program.hpp"

using namespace vnode;

namespace {

// Is a file of its own, gone with the test.
class Scratch {
 public:
  explicit Scratch(const std::string& name, const std::string& text = "")
      : path_(std::filesystem::temp_directory_path() /
              ("vnode-draw-" + std::to_string(getpid()) + '-' + name)) {
    std::ofstream(path_) << text;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove(path_); }

  std::string path() const { return path_.string(); }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

std::string output(const std::string& arguments) {
  const Ran ran = run("draw " + arguments);
  CAPTURE(arguments);
  CHECK(ran.errors == "");
  CHECK(ran.status == 0);
  return ran.output;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

Timeline measured() {
  return {
      .title = "measured",
      .nodes = 2,
      .seconds = 4e-6,
      .messages = {
          {.round = 0, .from = 0, .to = 1, .bytes = 1024, .start = 1e-6, .departure = 1e-6, .end = 4e-6}}};
}

}  // namespace

TEST_CASE("draw writes SVG unless told otherwise, to standard output or a file") {
  const std::string svg = output("broadcast_doubling --nodes 8 --topology ring");
  CHECK(svg.starts_with("<svg xmlns"));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(contains(svg, "<title id=\"title\">broadcast_doubling on ring of 8, root 0</title>"));
  const Scratch file("picture.svg");
  CHECK(output("broadcast_doubling --nodes 8 --topology ring --output " + file.path()).empty());
  CHECK(file.text() == svg);
  CHECK(contains(output("broadcast_doubling --nodes 8 --title '<&>'"), "&lt;&amp;&gt;</text>"));
}

TEST_CASE("draw has a picture of rounds, of time, of links and of the machine, each in characters too") {
  CHECK(output("broadcast_binomial --nodes 2 --topology ring --format text") ==
        "broadcast_binomial on ring of 2, root 0\nring, 2 nodes, routing shortest\n\nround 1\n     0 >  1\n");
  CHECK(output("broadcast_direct --nodes 2 --topology full --format text")
            .starts_with("broadcast_direct on full topology of 2, root 0\n"));
  const std::string time =
      output("broadcast_binomial --nodes 2 --picture space-time --format text --bytes 1000 --ts 500 --tw 2");
  CHECK(contains(time, "broadcast_binomial, 1000 bytes, predicted: 2.5 us"));
  const std::string links = output(
      "broadcast_binomial --nodes 2 --topology ring --picture heat-map --format text --bytes 1000 --ts 500 "
      "--tw 2");
  CHECK(contains(links, "0 > 1            2 us  80 %"));
  CHECK(contains(links, "1 of 2 directions of links are not used"));
  const std::string mapping = output("--picture mapping --nodes 3 --machine 'core:2 pu:2' --format text");
  CHECK(contains(mapping, "PU 2: 2\n"));
  for (const char* picture : {"space-time", "heat-map"})
    CHECK(output("broadcast_binomial --nodes 2 --picture " + std::string(picture)).starts_with("<svg"));
}

TEST_CASE("one is singular") {
  CHECK(contains(output("broadcast_binomial --nodes 1 --topology ring --format text"),
                 "ring, 1 node, routing"));
  CHECK(contains(output("broadcast_binomial --nodes 2 --picture space-time --format text --bytes 1"),
                 "broadcast_binomial, 1 byte, predicted"));
  CHECK(contains(output("broadcast_binomial --nodes 2"), "with 2 nodes and the messages"));
  const std::string simulated = run("simulate broadcast_binomial --nodes 2 --bytes 1").output;
  for (const char* part :
       {" on 2 nodes,", ", 1 byte\n", " 1 round\n", " 1 message, up to 1", "path, 1 step\n"})
    CHECK(contains(simulated, part));
}

TEST_CASE("congestion makes a round longer: both messages on a link take twice as long") {
  const std::string time = output(
      "broadcast_low_bit_first --nodes 4 --topology array --picture space-time --format text --bytes "
      "1000 --ts 0 --tw 1");
  CHECK(contains(time, "predicted: 3 us"));
}

TEST_CASE("draw lays a measured run over the prediction") {
  const Scratch trace("trace.json", to_trace(measured()));
  const std::string time =
      output("broadcast_binomial --nodes 2 --picture space-time --format text --ts 1000 --tw 1 --trace " +
             trace.path());
  CHECK(contains(time, "predicted: 2.024 us"));
  CHECK(contains(time, "measured: 4 us"));
  CHECK(contains(
      output("broadcast_binomial --nodes 2 --topology ring --picture heat-map --format text --trace " +
             trace.path()),
      "0 > 1            3 us  75 %"));
  CHECK(contains(output("broadcast_binomial --nodes 2 --format html --trace " + trace.path()),
                 "\"title\":\"measured\""));
}

TEST_CASE("what a trace says of its run fills in what is not asked for") {
  Timeline run = measured();
  run.of = {.algorithm = "broadcast_binomial", .topology = "ring", .bytes = 4096};
  const Scratch trace("named.json", to_trace(run));
  const std::string call =
      "broadcast_binomial --picture space-time --format text --ts 1000 --tw 1 --trace " + trace.path();
  CHECK(contains(output(call), "broadcast_binomial, 4096 bytes, predicted: 5.096 us"));
  CHECK(contains(output(call), "on ring of 2"));
  CHECK(contains(output(call + " --bytes 1000"), "1000 bytes, predicted: 2 us"));
}

TEST_CASE("a trace tells its algorithm, its root and its segments") {
  const Timeline run{
      .title = "measured",
      .nodes = 4,
      .seconds = 4e-6,
      .messages =
          {{.round = 2, .from = 3, .to = 0, .bytes = 1024, .start = 1e-6, .departure = 1e-6, .end = 4e-6}},
      .of = {.algorithm = "broadcast_pipeline", .topology = "ring", .bytes = 4096, .segments = 3, .root = 3}};
  const Scratch trace("segments.json", to_trace(run));
  const std::string call = "--ts 1000 --tw 1 --format text --picture space-time --trace " + trace.path();
  const std::string told = output(call);
  CHECK(told ==
        output("broadcast_pipeline --nodes 4 --topology ring --root 3 --bytes 4K --segments 3 " + call));
  CHECK(contains(told, "broadcast_pipeline on ring of 4, root 3"));
  CHECK(told != output("broadcast_pipeline --root 3 --segments 4 " + call));
}

TEST_CASE("draw cuts messages into as many segments as the formula is least with") {
  const std::string many = output("broadcast_pipeline --nodes 4 --format text --ts 100 --tw 1 --bytes 1M");
  CHECK(contains(many, "round 10\n"));
  CHECK(!contains(output("broadcast_pipeline --nodes 4 --format text --segments 2"), "round 10\n"));
}

TEST_CASE("draw takes a schedule from a file, and plays it") {
  const Scratch schedule("schedule.txt", "nodes 3 blocks 1\n1: 0>1\n2: 1>2\n");
  const std::string html = output("--schedule " + schedule.path() + " --format html --theme dark");
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(contains(html, "data-theme=\"dark\""));
  CHECK(contains(html, "\"start\":[[0,0,\"0\"]]"));
}

TEST_CASE("what draw cannot do is said in one sentence, and the status is 2") {
  const Scratch broken("broken.json", "{\n\"traceEvents\": [}\n"), other("other.json", to_trace(measured()));
  Timeline nothing = measured();
  nothing.messages.clear();
  const Scratch empty("empty.json", to_trace(nothing));
  Timeline whole = measured();
  whole.of.algorithm = "broadcast_binomial";
  const Scratch named("named.json", to_trace(whole));
  const std::string three = "draw broadcast_binomial --nodes 3 ";
  for (const auto& call : {
           std::pair{std::string("draw"), std::string("an algorithm is missing")},
           {three + "--picture portrait", "expected rounds, space-time, heat-map or mapping"},
           {three + "--format png", "expected svg, text or html"},
           {three + "--theme sepia", "expected auto, light or dark"},
           {three + "--panels two", "expected one, rounds or animated"},
           {three + "--round 3", "there is no round 3: the schedule has 2"},
           {three + "--round 0", "from 1"},
           {three + "--colours 7", "from 1 to 6"},
           {three + "--ts -1", "--ts"},
           {three + "--bytes lots --picture space-time", "'lots' is not a number of bytes"},
           {three + "--picture space-time --format html", "--format html plays rounds"},
           {three + "--trace " + other.path(), "--trace goes with"},
           {three + "--picture space-time --trace " + other.path(), "a run of 2 nodes, not of 3"},
           {three + "--picture space-time --trace " + broken.path(), "line 2"},
           {three + "--picture space-time --trace " + empty.path(),
            "it has no message, so there is nothing to draw"},
           {std::string("draw --picture mapping --nodes 2 --bytes 1K"), "shows no message"},
           {three + "--bytes 1025G --picture space-time", "at most 1024G"},
           {three + "--picture space-time --trace /nonexistent.json", "/nonexistent.json"},
           {three + "--picture space-time --round 99", "--round goes with --picture rounds"},
           {three + "--format html --round 1", "--round goes with --picture rounds"},
           {three + "--format text --panels one", "--panels goes with"},
           {three + "--picture heat-map --colours 2", "--colours goes with"},
           {three + "--machine nonsense", "--machine goes with --picture mapping"},
           {three + "--bytes lots", "'lots' is not a number of bytes"},
           {std::string("draw nosuch --picture mapping --nodes 2"), "shows no algorithm"},
           {std::string("draw --picture mapping --nodes 4 --topology mesh:2x2"), "shows no topology"},
           {std::string("draw reduce_binomial --nodes 2 --picture space-time --trace ") + other.path(),
            "round 1 has a message 0>1, that of reduce_binomial has none"},
           {std::string("draw broadcast_linear --nodes 2 --picture space-time --trace ") + named.path(),
            "a run of broadcast_binomial, not of broadcast_linear"},
           {three + "--output /nonexistent/picture.svg", "/nonexistent/picture.svg"},
           {std::string("draw broadcast_binomial --nodes 2000 --topology ring"), "up to 1024"},
           {std::string("draw --picture mapping"), "needs --nodes P"},
           {std::string("draw --picture mapping --nodes 2 --machine 'nonsense:3'"), "nonsense"},
       })
    check_refused(call.first, call.second);
}

TEST_CASE("a picture of more messages than can be told apart names the one that tells more") {
  const Ran full = run("draw all_to_all_direct --nodes 64");
  CHECK(full.status == 0);
  CHECK(full.output.starts_with("<svg"));
  CHECK(full.errors.find("--picture heat-map") != std::string::npos);
  CHECK(run("draw all_to_all_direct --nodes 8").errors.empty());
  CHECK(run("draw all_to_all_direct --nodes 64 --format text").errors.empty());
  CHECK(run("draw all_to_all_direct --nodes 64 --picture heat-map").errors.empty());
}

TEST_CASE("lists, files, commands and options in the wrong place are answered with where they go") {
  const Scratch file("own.txt", "nodes 3 blocks 1\n1: 0>1\n");
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"explain all_reduce --nodes 4,8", "not \"4,8\": one, no list"},
      {"explain all_reduce --nodes 4 --bytes 8,1M", "64K or 1M: one, no list"},
      {"compare --collective scan,reduce --nodes 4",
       "one collective is expected, not the list \"scan,reduce\""},
      {"show scan_ring,scan_hypercube --nodes 4", "one algorithm is expected, not the list"},
      {"draws broadcast_binomial --nodes 4", "there is no command \"draws\" (did you mean draw?)"},
      {"all_reduce", "all_reduce is an operation, not a command: vnode explain all_reduce"},
      {"explain scan --nodes 4 --machine graviton3", "there is no option --machine here: "},
      {"place --collective scan, reduce", "a list has commas and no blanks"},
      {"draw " + file.path(), "is a file: --schedule " + file.path() + " takes it as a schedule"}};
  for (const auto& [call, sentence] : mistakes) check_refused(call, sentence.c_str());
  const Ran wrong = run("draw --schedule " + file.path() + " --collective broadcast");
  CHECK(wrong.status == 0);
  CHECK(wrong.errors.find(" is no right broadcast: at the end block 0 of node 2 ") != std::string::npos);
}
