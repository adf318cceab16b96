// Rows stand in their families' files, and derive what follows from others.
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

#include <vnode/model/algorithms.hpp>

#include "building_blocks/names.hpp"
#include "building_blocks/row.hpp"
#include "repository.hpp"

using namespace vnode;

namespace {

// Returns how often each name is given to a row in the families' files.
std::map<std::string, int> rows_in_files() {
  const auto room = repository() / "lib/collective";
  const std::regex named("\\.name = \"(\\w+)\"");
  std::map<std::string, int> rows;
  for (const auto& file : std::filesystem::directory_iterator(room)) {
    std::ifstream stream(file.path());
    for (std::string line; std::getline(stream, line);)
      if (std::smatch found; std::regex_search(line, found, named)) ++rows[found[1]];
  }
  return rows;
}

}  // namespace

TEST_CASE("every row that a family states is in the registry, and every row of the registry in one family") {
  std::map<std::string, int> registered;
  for (const Algorithm& algorithm : algorithms()) ++registered[std::string(algorithm.name)];
  CHECK(rows_in_files() == registered);
}

TEST_CASE("a row states everything, be it derived or its own") {
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.name);
    CHECK(bool(algorithm.build));
    CHECK(bool(algorithm.cost));
    CHECK(bool(algorithm.peers));
    CHECK_FALSE(algorithm.rounds.empty());
    CHECK(bool(algorithm.transfers.value));
    CHECK(algorithm.collective == collective_of(algorithm.name));
  }
}

TEST_CASE("the collective is that of the longest name with which a row's name begins") {
  static_assert(collective_of("reduce_ring") == Collective::reduce);
  static_assert(collective_of("reduce_scatter_ring") == Collective::reduce_scatter);
  static_assert(collective_of("scatter_ring") == Collective::scatter);
  static_assert(collective_of("all_reduce_ring") == Collective::all_reduce);
}

TEST_CASE("formulas are put together as the textbook writes them") {
  CHECK(std::string_view(product("t_s ", "log2 p", "")) == "t_s log2 p");
  CHECK(std::string_view(product("t_s ", "p - 1", " m")) == "t_s (p - 1) m");
  CHECK(std::string_view(product("p ", "min(p - 1, 1)", "")) == "p min(p - 1, 1)");
  CHECK(std::string_view(product("p ", "2 b - s, where s = p - q", "")) == "p (2 b - s), where s = p - q");
  CHECK(std::string_view(plus("t_s d, where d = log2 p", " + t_w m")) == "t_s d + t_w m, where d = log2 p");
  CHECK(std::string_view(combining_words("(t_s + t_w m) log2 p")) == "(t_s + (t_w + t_op) m) log2 p");
}

TEST_CASE("a dual takes over from its row what it does not state") {
  const Algorithm &gathers = algorithm("all_gather_circulant"), &dual = algorithm("reduce_scatter_circulant");
  CHECK(dual.rounds == gathers.rounds);
  CHECK(dual.transfers.text == gathers.transfers.text);
  CHECK(dual.time == "t_s ([p > 1] (k - 1) + ceil(log2 p)) + (t_w + t_op) m (p - 1)");
  CHECK(dual.segments);
  CHECK(dual.sweep_to == gathers.sweep_to);
  CHECK(dual.keeps_order == KeepsOrder::never);
  CHECK(dual.source == "dual of all_gather_circulant");
}
