// Tables as CSV: the same lines and values as in the table and in the JSON of the command.
#include <doctest/doctest.h>
#include <string>

#include "program.hpp"

namespace {

using Json = nlohmann::ordered_json;

/// Returns the line whose field `name` is `value`; there is one.
const CsvRow& row_of(const std::vector<CsvRow>& rows, const std::string& name, const std::string& value) {
  const CsvRow* found = nullptr;
  for (const CsvRow& row : rows)
    if (row.at(name) == value) {
      CHECK(found == nullptr);
      found = &row;
    }
  CAPTURE(value);
  REQUIRE(found != nullptr);
  return *found;
}

/// Returns whether a field is that number, in as many digits as it has; empty if it is none.
bool same(const std::string& field, const Json& value, double unit = 1) {
  if (!value.is_number()) return field.empty();
  return !field.empty() && std::stod(field) == doctest::Approx(value.get<double>() * unit);
}

bool same_time(const std::string& microseconds, const Json& seconds) {
  return same(microseconds, seconds, 1e6);
}

std::string joined(const Json& list, const std::string& between) {
  std::string text;
  for (const auto& one : list)
    text += (text.empty() ? "" : between) + (one.is_string() ? one.get<std::string>() : one.dump());
  return text;
}

std::string text_or_empty(const Json& object, const std::string& key) {
  return object.contains(key) ? object[key].get<std::string>() : "";
}

}  // namespace

TEST_CASE("explain as CSV has the lines of its table and the values of its JSON") {
  for (const std::string call :
       {"explain all_reduce --nodes 6 --bytes 1M --ts 100 --tw 0.1 --top 0.02 --tput 0.02",
        "explain broadcast --nodes 8 --bytes 64M --radix 3 --hierarchy 0+2+4+6,1+3+5+7 --costs typical",
        "explain gather --nodes 4 --varying --costs typical", "explain barrier --nodes 3 --costs typical"}) {
    CAPTURE(call);
    const auto rows = csv_of(call);
    const auto json = json_of(call);
    const std::string table = run(call).output;
    REQUIRE(rows.size() == json["candidates"].size());
    for (const auto& one : json["candidates"]) {
      const CsvRow& row = row_of(rows, "algorithm", one["algorithm"]);
      for (const std::string key : {"collective", "topology"}) CHECK(row.at(key) == json[key]);
      for (const std::string key : {"bytes", "nodes"}) CHECK(row.at(key) == json[key].dump());
      CHECK(row.at("chosen") == (one["chosen"] ? "1" : "0"));
      CHECK(row.at("excluded") == text_or_empty(one, "excluded"));
      CHECK(row.at("domains") == text_or_empty(one, "domains"));
      const bool can = !one.contains("excluded");
      CHECK(same_time(row.at("predicted_us"), can ? one["seconds"] : Json()));
      for (const std::string key : {"startups", "received", "written", "combined", "segments"})
        CHECK(same(row.at(key), can ? one[key] : Json()));
    }
    std::size_t at = 0;
    for (const CsvRow& row : rows) {  // the cheapest first
      const std::size_t line = table.find(' ' + row.at("algorithm") + ' ', at);
      REQUIRE(line != std::string::npos);
      at = line;
      if (!row.at("excluded").empty()) continue;
      const std::size_t startups = table.find(" t_s", line);
      CHECK(std::stod(table.substr(table.rfind("   ", startups))) ==
            doctest::Approx(std::stod(row.at("startups"))).epsilon(1e-3));
    }
  }
}

TEST_CASE("cost as CSV has the lines of its table and the values of its JSON") {
  for (const std::string call :
       {"cost broadcast --topology mesh:2x3 --bytes 64K", "cost all_reduce --nodes 8 --ts 0",
        "cost all_to_all --nodes 6 --topology ring --bytes 100", "cost barrier --nodes 5"}) {
    CAPTURE(call);
    const auto rows = csv_of(call);
    const auto algorithms = json_of(call)["algorithms"];
    REQUIRE(rows.size() == algorithms.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const CsvRow& row = rows[i];
      const auto& one = algorithms[i];
      CAPTURE(row.at("algorithm"));
      const auto number = [&](const std::string& key) { return one.contains(key) ? one[key] : Json(); };
      const auto bound = [&](const std::string& key) {
        return one.contains("lower_bound") ? one["lower_bound"][key] : Json();
      };
      for (const std::string key : {"algorithm", "time"}) CHECK(row.at(key) == one[key]);
      CHECK(row.at("excluded") == text_or_empty(one, "excluded"));
      CHECK(same_time(row.at("formula_us"), number("seconds")));
      CHECK(same_time(row.at("lower_bound_us"), bound("seconds")));
      CHECK(same(row.at("ports"), bound("ports")));
      for (const std::string key : {"startups", "words", "combined", "segments"})
        CHECK(same(row.at(key), number(key)));
      if (!one.contains("best_segments"))
        CHECK(row.at("best_segments").empty());
      else if (one["best_segments"]["value"].is_null())
        CHECK(row.at("best_segments") == "inf");  // as many as possible
      else
        CHECK(same(row.at("best_segments"), one["best_segments"]["value"]));
    }
  }
}

TEST_CASE("cost of one algorithm as CSV is its line among those of the collective") {
  const std::string where = " --nodes 6 --bytes 1K --costs typical";
  const auto one = csv_of("cost all_reduce_two_tree" + where);
  REQUIRE(one.size() == 1);
  CHECK(one[0] == row_of(csv_of("cost all_reduce" + where), "algorithm", "all_reduce_two_tree"));
  CHECK(one[0].at("collective") == "all_reduce");
  CHECK(one[0].at("bytes") == "1024");
  CHECK(one[0].at("nodes") == "6");
  CHECK(one[0].at("topology") == "full");
  CHECK(one[0].at("rounds") == "10");
  CHECK(one[0].at("transfers") == "20");
}

TEST_CASE("counts are exact in CSV") {
  const auto rows = csv_of("cost all_to_all_direct --nodes 10000");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].at("transfers") == "99990000");
}

TEST_CASE("the book's table as CSV has a line for each schedule") {
  const auto rows = csv_of("cost --table --nodes 16");
  const auto json = json_of("cost --table --nodes 16");
  std::size_t next = 0;
  for (const auto& operation : json["rows"])
    for (const auto& schedule : operation["schedules"]) {
      REQUIRE(next < rows.size());
      const CsvRow& row = rows[next++];
      CHECK(row.at("nodes") == "16");
      for (const std::string key : {"operation", "time", "bandwidth"}) CHECK(row.at(key) == operation[key]);
      CHECK(row.at("algorithm") == schedule["algorithm"]);
      for (const std::string key : {"steps", "words"}) CHECK(same(row.at(key), schedule[key]));
    }
  CHECK(next == rows.size());
}

TEST_CASE("map as CSV has a line for each mapping, with its PUs, or why there is none") {
  const std::string machine = " --machine 'pack:2 numa:2 core:2 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13)'";
  for (const std::string& call :
       {"map --topology torus:2x3" + machine, "map --nodes 4 --topology ring --mapping 8,0-2" + machine}) {
    CAPTURE(call);
    const auto rows = csv_of(call);
    const auto json = json_of(call);
    REQUIRE(rows.size() == json["mappings"].size() + json["refused"].size());
    for (const auto& one : json["mappings"]) {
      const CsvRow& row = row_of(rows, "mapping", one["name"]);
      CHECK(row.at("topology") == json["topology"]);
      CHECK(row.at("nodes") == json["nodes"].dump());
      CHECK(row.at("pus") == joined(one["os_indices"], ","));
      for (const std::string key :
           {"links", "weighted_hops", "least_weighted_hops", "package_link_load", "dilation"})
        CHECK(same(row.at(key), one[key]));
      for (const std::string key : {"across_l3", "across_numa", "across_package"}) {
        CHECK(same(row.at(key), one[key]["links"]));
        CHECK(same(row.at("least_" + key), one[key]["least"]));
      }
      CHECK(row.at("refused").empty());
    }
    for (const auto& one : json["refused"]) {
      const CsvRow& row = row_of(rows, "mapping", one["name"]);
      CHECK(row.at("refused") == one["reason"]);
      CHECK(row.at("pus").empty());
    }
  }
  const std::string four = "map --nodes 4 --topology ring" + machine + " --mapping ";
  const CsvRow scattered = csv_of(four + "scatter").at(0);
  CsvRow given = csv_of(four + scattered.at("pus")).at(0);  // as --mapping takes them
  given["mapping"] = "scatter";
  CHECK(given == scattered);
}

TEST_CASE("algorithms as CSV has the fields of its JSON") {
  const auto rows = csv_of("algorithms");
  const auto json = json_of("algorithms");
  REQUIRE(rows.size() == json.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CsvRow& row = rows[i];
    const auto& one = json[i];
    CHECK(row.size() == one.size());
    CHECK(row.at("algorithm") == one["name"]);
    for (const std::string key : {"collective", "ports", "keeps_order", "rounds", "source"})
      CHECK(row.at(key) == one[key]);
    for (const std::string key : {"topology", "needs"}) CHECK(row.at(key) == joined(one[key], " "));
    CHECK(row.at("at_once") == (one["at_once"] ? "1" : "0"));
    CHECK(row.at("v_variant") == (one["v_variant"].is_null() ? "" : one["v_variant"] ? "1" : "0"));
  }
  CHECK(csv_of("algorithms --collective barrier").size() ==
        json_of("algorithms --collective barrier").size());
}

TEST_CASE("verify as CSV has the fields of its JSON") {
  const std::string call = "verify --algorithm broadcast_linear,barrier_tree --max-nodes 4";
  const auto rows = csv_of(call);
  const auto json = json_of(call);
  REQUIRE(rows.size() == 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].size() == json[i].size());
    CHECK(rows[i].at("algorithm") == json[i]["algorithm"]);
    for (const std::string key : {"checks", "mutants", "failures"})
      CHECK(same(rows[i].at(key), json[i][key]));
  }
}

TEST_CASE("env lists what is set and what is not, as text, JSON and CSV") {
  const Variable wait("VNODE_WAIT", "spin");
  const std::string text = run("env").output;
  CHECK(text.find("VNODE_WAIT=spin\n    auto|spin|yield|park: how a node waits\n") != std::string::npos);
  CHECK(text.find("VNODE_PIN is not set\n") != std::string::npos);
  const auto rows = csv_of("env");
  const auto json = json_of("env");
  REQUIRE(rows.size() == json.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const std::string key : {"variable", "value", "values", "meaning"})
      CHECK(rows[i].at(key) == (json[i][key].is_null() ? "" : json[i][key].get<std::string>()));
  CHECK(row_of(rows, "variable", "VNODE_WAIT").at("value") == "spin");
  CHECK(row_of(rows, "variable", "VNODE_PIN").at("value").empty());
}

TEST_CASE("env lists variables that no team reads, with the nearest that is read") {
  const Variable misspelt("VNODE_STAT", "x"), of_python("VNODE_LIBRARY", "/usr/lib/libvnode.so");
  const std::string why = "no team reads it; the nearest that is read is VNODE_STATS";
  const std::string text = run("env").output;
  CHECK(text.find("VNODE_STAT=x\n    " + why + "\n") != std::string::npos);
  CHECK(text.find("VNODE_LIBRARY") == std::string::npos);
  const auto row = row_of(csv_of("env"), "variable", "VNODE_STAT");
  CHECK(row.at("value") == "x");
  CHECK(row.at("values").empty());
  CHECK(row.at("meaning") == why);
  const auto json = json_of("env");
  CHECK(json.back()["variable"] == "VNODE_STAT");
  CHECK(json.back()["meaning"] == why);
}
