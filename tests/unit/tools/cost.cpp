#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <vnode/model/algorithms.hpp>

#include "program.hpp"
#include "repository.hpp"

using namespace vnode;

namespace {

bool says(const std::string& output, const std::string& text) {
  return output.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("cost writes an algorithm's formulas, their symbols and what they come to") {
  const Ran ran = run("cost scan_linear --nodes 18 --bytes 256K --ts 150 --tw 0.1 --top 0");
  CHECK(ran.status == 0);
  CHECK(ran.output.starts_with("scan_linear of 262144 bytes on 18 nodes, full\n"));
  CHECK(says(ran.output, "time       (p - 2 + k) (t_s + (t_w + t_op) m / k) [p > 1]\n"));
  CHECK(says(ran.output, "best k     sqrt((p - 2) (t_w + t_op) m / t_s) = 52.88, counted with 53\n"));
  CHECK(says(ran.output, "rounds     (p - 2 + k) [p > 1] = 69\n"));
  CHECK(says(ran.output, "segments of a message\n"));
  CHECK(says(ran.output, "at least   (t_s (k - 1 + ceil(log2 p)) + t_w m) min(p - 1, 1) = "));
}

TEST_CASE("cost counts with the segments that are asked for") {
  const auto json = json_of("cost scan_linear --nodes 6 --bytes 1000 --segments 4 --ts 1 --tw 1 --top 0");
  CHECK(json["segments"] == 4);
  CHECK(json["startups"] == 8);
  CHECK(json["words"] == 2);
  CHECK(json["seconds"].get<double>() == doctest::Approx((8 + 2 * 1000) * 1e-9));
  CHECK(json["best_segments"]["value"].get<double>() == doctest::Approx(63.2456));
}

TEST_CASE("cost has a best number of segments where there is one") {
  const std::string call = "cost scan_linear --bytes 1K --tw 1 ";
  CHECK(says(run(call + "--nodes 4 --ts 100").output, "best k     sqrt("));
  CHECK_FALSE(says(run(call + "--nodes 1 --ts 100").output, "best k"));
  CHECK_FALSE(json_of(call + "--nodes 1 --ts 100").contains("best_segments"));
  CHECK(says(run(call + "--nodes 4 --ts 0").output, " = as many as possible, counted with "));
  CHECK(json_of(call + "--nodes 4 --ts 0")["best_segments"]["value"].is_null());
}

TEST_CASE("cost says what k is in a bound whose algorithm has none, or another") {
  for (const std::string name : {"broadcast_binomial", "broadcast_k_nomial"}) {
    CAPTURE(name);
    CHECK(says(run("cost " + name + " --nodes 8").output, ", k = 1 segment\n"));
    CHECK(json_of("cost " + name + " --nodes 8")["lower_bound"]["segments"] == 1);
  }
}

TEST_CASE("cost gives a bound for the ports that work at the same time") {
  const auto bound = [](const std::string& arguments) { return json_of("cost " + arguments)["lower_bound"]; };
  const auto exchange = bound("all_to_all_rotated --nodes 16 --topology hypercube --bytes 100 --ts 0 --tw 1");
  CHECK(exchange["ports"] == 4);
  CHECK(exchange["seconds"].get<double>() == doctest::Approx(800e-9));
  const auto direct = bound("gather_direct --nodes 5 --bytes 100 --ts 0 --tw 1");
  CHECK(direct["ports"] == 4);
  CHECK(direct["seconds"].get<double>() == doctest::Approx(100e-9));
}

TEST_CASE("cost tells the cut-off of docs/collectives.md 3, for one algorithm and for its collective") {
  const std::string where = " --nodes 16 --topology hypercube --ts 1000 --tw 1 --top 0";
  const auto json = json_of("cost reduce_hypercube" + where);
  bool found = false;
  for (const auto& cut_off : json["cut_offs"])
    if (cut_off["above"] == "reduce_splitting_hypercube") {
      found = true;
      CHECK(cut_off["below"] == "reduce_hypercube");
      CHECK(cut_off["bytes"].get<double>() == doctest::Approx(1882.35).epsilon(1e-5));
    }
  CHECK(found);
  const auto all = json_of("cost reduce" + where);
  CHECK(keys(all) == std::vector<std::string>{"collective", "algorithms", "cut_offs"});
  std::size_t reductions = 0;
  for (const Algorithm& algorithm : algorithms()) reductions += algorithm.collective == Collective::reduce;
  CHECK(all["algorithms"].size() == reductions);
}

TEST_CASE("cost of a collective lists every algorithm, the cheapest first, with its time or why not") {
  const Ran ran = run("cost all_to_all --nodes 6 --topology ring --bytes 100");
  CHECK(ran.status == 0);
  CHECK(says(ran.output, "  all_to_all_ring "));
  CHECK(says(ran.output, "(t_s + t_w m p / 2) (p - 1)\n"));
  CHECK(says(ran.output, "excluded   needs a power of two, 6 is not\n"));
  for (const Algorithm& algorithm : algorithms())
    CHECK(says(ran.output, "  " + std::string(algorithm.name) + " ") ==
          (algorithm.collective == Collective::all_to_all));
}

TEST_CASE("cost writes formulas for TeX") {
  const Ran ran = run("cost broadcast_binomial --nodes 8 --format latex");
  CHECK(ran.output ==
        "\\begin{align*}\n  T_{\\text{broadcast\\_binomial}} &= \\left( t_{s} + t_{w} \\, m \\right) \\, "
        "\\lceil "
        "\\log_2 p \\rceil \\\\\n\\end{align*}\n");
  const std::string all = run("cost all_reduce --nodes 8 --format latex").output;
  CHECK(says(all, "\\quad \\text{where } q = 2^{\\lfloor \\log_2 p \\rfloor}"));
  CHECK(says(all, "k^{*} &= \\sqrt{"));
}

TEST_CASE("the book's table has the counts of our schedules beside its formulas") {
  const auto json = json_of("cost --table --nodes 16");
  CHECK(json["nodes"] == 16);
  REQUIRE(json["rows"].size() == 9);
  const auto& broadcast = json["rows"][0];
  CHECK(broadcast["time"] == "min((t_s + t_w m) log2 p, 2 (t_s log2 p + t_w m))");
  CHECK(broadcast["schedules"][0] ==
        nlohmann::ordered_json{{"algorithm", "broadcast_hypercube"}, {"steps", 4}, {"words", 4}});
  CHECK(broadcast["schedules"][1]["steps"] == 8);
  CHECK(broadcast["schedules"][1]["words"] == 1.875);
  const Ran text = run("cost --table --nodes 8");
  CHECK(says(text.output,
             "all-to-all personalized  (t_s + t_w m) (p - 1), bandwidth Theta(p)\n"
             "  all_to_all_e_cube                7 t_s + 7 t_w m\n"));
  CHECK(says(run("cost --table --nodes 4 --format latex").output, "\\begin{tabular}{llll}"));
}

TEST_CASE("cost refuses in one sentence") {
  struct Call {
    const char *arguments, *expected;
  };
  const Call calls[] = {
      {"cost", "an algorithm or a collective is missing: give its name, or --table"},
      {"cost broadcast", "the number of nodes is missing: give --nodes P, or a topology with extents"},
      {"cost brodcast_linear --nodes 8", "did you mean broadcast_linear"},
      {"cost broadcast_hypercube --nodes 6", "broadcast_hypercube needs a power of two, 6 is not"},
      {"cost broadcast --nodes 8 --root 8", "the ranks are 0 to 7"},
      {"cost broadcast --nodes 8 --ts -1", "expected a number from 0 to 1e+09, not \"-1\""},
      {"cost broadcast --nodes 8 --tw fast", "expected a number from 0 to 1e+09, not \"fast\""},
      {"cost broadcast --nodes 8 --bytes lots", "is not a number of bytes such as"},
      {"cost broadcast --nodes 8 --format xml", "expected text, json, csv or latex, not \"xml\""},
      {"cost broadcast --nodes 8 --bytes 1025G", "--bytes 1025G: a message has at most 1024G"},
      {"cost all_gather --nodes 8 --root 0", "--root does nothing here: all_gather has no root"},
      {"cost broadcast --nodes 8 --shift 1", "--shift does nothing here: broadcast has no shift"},
      {"cost broadcast_linear --nodes 8 --radix 3",
       "--radix does nothing here: broadcast_linear has no radix"},
      {"cost broadcast_linear --nodes 8 --segments 3",
       "--segments does nothing here: broadcast_linear is not pipelined"},
      {"cost circular_shift --nodes 8 --shift 99999999999", "expected a whole number from -2147483647"},
      {"cost --table --nodes 8 --bytes 1K", "--bytes does nothing here"},
      {"cost --table --nodes 8 --ts 5", "--ts, --tw, --top, --costs or --profile does nothing here"},
      {"cost --table --nodes 6", "the table is for hypercubes of up to 256 nodes, 4 would be right"},
      {"cost --table --nodes 512", "256 would be right"},
      {"cost reduce --table --nodes 8", "leave reduce away"},
      {"algorithms --format markdown --collective scan", "leave --collective out"},
  };
  for (const Call& call : calls) {
    const Ran ran = run(call.arguments);
    CAPTURE(call.arguments);
    CAPTURE(ran.errors);
    CHECK(ran.status == 2);
    CHECK(ran.output.empty());
    CHECK(says(ran.errors, call.expected));
  }
}

TEST_CASE("docs/algorithms.md is what the program prints") {
  const auto docs = repository() / "docs";
  const Ran ran = run("algorithms --format markdown");
  REQUIRE(ran.status == 0);
  std::ostringstream page;
  page << std::ifstream(docs / "algorithms.md").rdbuf();
  const bool current = page.str() == ran.output;
  CHECK_MESSAGE(current, "run: vnode algorithms --format markdown > docs/algorithms.md");
  std::size_t figures = 0;
  for (std::size_t at = 0; (at = page.str().find("](figures/", at)) != std::string::npos; ++figures) {
    const std::size_t begin = at + 2, end = page.str().find(')', begin);
    CHECK(std::filesystem::exists(docs / page.str().substr(begin, end - begin)));
    at = end;
  }
  CHECK(figures > 0);
  for (const Algorithm& algorithm : algorithms())
    CHECK(says(ran.output, "\n### " + std::string(algorithm.name) + "\n"));
}
