#include "report/report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "given_machine.hpp"
#include "report/station.hpp"
#include "report/text.hpp"
#include "timing/other_programs.hpp"

using namespace vnode;
using namespace vnode::bench;

namespace {

Row row_by(const char* by, double us) {
  Row row;
  row.by = by;
  row.collective = "all_gather";
  row.algorithm =
      std::string_view{by} == "vnode" ? std::optional{"all_gather_recursive_splitting"} : std::nullopt;
  row.form = "blocking";
  row.topology = "full";
  row.nodes = 64;
  row.bytes = std::size_t{1} << 20;
  row.bytes_of_part = true;
  row.datatype = "f64";
  row.time_us = {.min = us / 2, .median = us, .p99 = us * 2};
  row.calls = 100;
  row.algbw_GBps = 123.45;
  row.busbw_GBps = 120.12;
  row.limit_us = 12345.678;
  row.ratio = 77;
  return row;
}

// Five contestants, who take their time.
std::vector<Row> rows_together() {
  std::vector<Row> rows{row_by("vnode", 24691.356),       row_by("std", 4938271),
                        row_by("openmp", 40000),          row_by("tbb", 100),
                        row_by("mpi:openmpi", 49382.712), row_by("mpi:mpich", 49382.712)};
  rows[3].one_caller = true;
  rows[4].configuration = "coll_sm_priority=100";
  return rows;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream from{text};
  std::vector<std::string> lines;
  for (std::string line; std::getline(from, line);) lines.push_back(line);
  return lines;
}

std::string reported(std::unique_ptr<Report> (*make)(std::ostream&, const Station&),
                     const std::vector<Row>& rows) {
  std::ostringstream out;
  Station station;
  station.pinning = std::string(70, 'p') + " " + std::string(70, 'q');
  const auto report = make(out, station);
  for (const Row& row : rows) report->row(row);
  report->end({"closing words"});
  return out.str();
}

}  // namespace

TEST_CASE(
    "tables for persons fit the terminal, 80 columns or 100, whoever competes and however long it takes") {
  for (const std::size_t width : {std::size_t{80}, std::size_t{100}}) {
    const vnode_test::Variable columns("COLUMNS", std::to_string(width).c_str());
    std::vector<Row> rows = rows_together();
    if (width < 100) rows.resize(5);  // with four peers, as many as there are without MPI
    for (const auto make : {table_report, summary_report})
      for (const std::string& line : lines_of(reported(make, rows))) {
        CAPTURE(line);
        CHECK(line.size() <= width);
      }
  }
}

TEST_CASE("what limits and guidelines print fits 100 columns, and is whole in CSV") {
  Station station;
  station.pinning = std::string(70, 'p') + " " + std::string(70, 'q');
  Listing listing{{"what", "target", "measured", "bound", "met", "mpi"}};
  listing.row(
      {std::string(52, 'w'), std::string(42, 't'), 1234567.1234, Field(), true, std::string(31, 'o')});
  listing.row({"few, and short", "at most 1", 0.5, 1.0, false, Field()});
  const std::vector<std::string> notes{std::string(60, 'n') + " " + std::string(60, 'm')};
  std::ostringstream table, csv, json;
  write(table, Format::table, "targets", listing, station, notes);
  write(csv, Format::csv, "targets", listing, station, notes);
  write(json, Format::json, "targets", listing, station, notes);
  for (const std::string& line : lines_of(table.str())) {
    CAPTURE(line);
    CHECK(line.size() <= report_width());
  }
  for (const char* cell : {"1234567.1234", "0.5000", "yes", "ooooo", "few, and short"})
    CHECK_MESSAGE(table.str().find(cell) != std::string::npos, cell);
  const std::string text = csv.str();
  CHECK(text.find("\nwhat,target,measured,bound,met,mpi\n") != std::string::npos);
  CHECK(text.find("\n\"few, and short\",at most 1,0.5000,1.0000,no,\n") != std::string::npos);
  const auto document = nlohmann::json::parse(json.str());
  CHECK(document["machine"]["notes"][0] == notes[0]);
  CHECK(document["targets"][0]["measured"] == 1234567.1234);
  CHECK(document["targets"][0]["met"] == true);
  CHECK(document["targets"][1]["mpi"].is_null());
}

TEST_CASE("the last column of a table is the quotient of the two before it") {
  for (const auto make : {table_report, summary_report}) {
    const std::string text = reported(make, rows_together());
    CAPTURE(text);
    CHECK(text.find(" 12345.7    2.00") != std::string::npos);
    CHECK(text.find("77") == std::string::npos);
    CHECK(text.find("x limit: the median divided by the limit") != std::string::npos);
    CHECK(text.find("closing words") != std::string::npos);
  }
}

TEST_CASE("who calls by one thread is marked, and the mark explained") {
  for (const auto make : {table_report, summary_report}) {
    CHECK(reported(make, rows_together()).find("tbb*") != std::string::npos);
    CHECK(reported(make, rows_together()).find("\n# *: one thread calls") != std::string::npos);
    CHECK(reported(make, {row_by("vnode", 1)}).find("*") == std::string::npos);
  }
}

TEST_CASE("figures of few calls are marked, and not divided") {
  Row few = row_by("vnode", 3.43);
  few.calls = 3;
  for (const auto make : {table_report, summary_report}) {
    const std::string text = reported(make, {few});
    CAPTURE(text);
    CHECK(text.find(" ~3.430 ") != std::string::npos);
    CHECK(text.find(" 12345.7       -") != std::string::npos);
    CHECK(text.find("\n# ~: of fewer than 10 calls") != std::string::npos);
    CHECK(reported(make, {row_by("vnode", 1)}).find("~") == std::string::npos);
  }
}

TEST_CASE("a table says whose bytes are counted, and tells wrong results") {
  Row wrong = row_by("vnode", 3);
  wrong.wrong = 5;
  for (const auto make : {table_report, summary_report}) {
    const std::string text = reported(make, {wrong});
    CHECK(text.find("all_gather: 64 nodes, f64; bytes: of one node's part (nccl-tests: of all 64)") !=
          std::string::npos);
    CHECK(text.find(" 5 WRONG\n") != std::string::npos);
    CHECK(text.find(" recursive_splitting ") != std::string::npos);
  }
}

TEST_CASE("the last line counts rows and wrong results, and names the best and the worst") {
  Tally tally;
  tally.add(rows_together());
  std::vector<Row> others = rows_together();
  others[0].bytes = 8;
  others[0].time_us.median = 10000;
  others[1].wrong = 3;
  tally.add(others);
  CHECK(tally.text() ==
        "12 rows; vnode takes 0.81 (all_gather 8) to 2.00 (all_gather 1M) times as long as the limit; vnode "
        "takes "
        "0.25 (all_gather 8) to 0.62 (all_gather 1M) times as long as the fastest peer; wrong results: 3");
  Tally few;
  for (Row& row : others) row.calls = 9;
  few.add({others[0]});
  CHECK(few.text() == "1 row; wrong results: 0");
}

TEST_CASE("a busy machine is told in a sentence, an idle one is not") {
  CHECK_FALSE(busy_sentence(0, 0, {}));
  CHECK_FALSE(busy_sentence(3, 1000, 0.02));
  CHECK(busy_sentence(3, 1000, 0.62) ==
        "This machine was busy: other programs had 62 % of its processors. Times are too long and ratios "
        "doubtful: "
        "measure again when it is idle.");
  CHECK(busy_sentence(200, 1000, {})
            ->starts_with("This machine was busy: in 20 % of the calls a node came late."));
  CHECK(busy_sentence(200, 1000, 0.5)->find("50 % of its processors, and in 20 % of the calls") !=
        std::string::npos);
  const auto share = OtherPrograms{}.share();
  CHECK((!share || (*share >= 0 && *share <= 1)));
}

TEST_CASE("where nodes are pinned is told in short") {
  const auto text = [](std::vector<int> pus) { return pinning_text(pus); };
  CHECK(text({3}) == "node 0 on PU 3");
  CHECK(text({0, 1}) == "nodes 0-1 on PUs 0-1");
  CHECK(text({5, 5}) == "nodes 0-1 on PU 5");
  CHECK(text({0, 2, 4, 5, 6}) == "nodes 0-4 on PUs 0,2,4-6");
  CHECK(text({0, 0, 1, 1, 1}) == "nodes 0-1 on PU 0, nodes 2-4 on PU 1");
  std::vector<int> in_turn, apart;
  for (int node = 0; node < 64; ++node) in_turn.push_back(node % 2), apart.push_back(2 * node);
  CHECK(text(in_turn) == "nodes 0-63 in turn on PUs 0-1");
  CHECK(text(apart) == "nodes 0-63 on PUs 0,2,4,6,8,10,12,14,...");
}
