// Tests docs/collectives.md against the registry: the names in it, and the numbers of its section 8;
// and how many algorithms combine at once, by docs/library.md.
#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "load_row.hpp"
#include "repository.hpp"

using namespace vnode;

namespace {

std::vector<std::string> page(const char* name = "docs/collectives.md") {
  std::ifstream file(repository() / name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Returns what stands between backquotes.
std::vector<std::string> quoted(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream text(line);
  bool inside = false;
  for (std::string part; std::getline(text, part, '`'); inside = !inside)
    if (inside) list.push_back(part);
  return list;
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream text(line);
  std::string cell;
  std::getline(text, cell, '|');
  while (std::getline(text, cell, '|')) list.push_back(cell);
  return list;
}

// "5/3" as a number.
double number(const std::string& text) {
  const std::size_t slash = text.find('/');
  return slash == std::string::npos ? std::stod(text)
                                    : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

}  // namespace

TEST_CASE("docs/collectives.md names every algorithm of the registry in section 11, and no other") {
  std::set<std::string> names, registered;
  bool index = false;
  for (const std::string& line : page()) {
    index = index || line == "## 11. Index of names";
    if (!index) continue;
    for (const std::string& name : quoted(line)) names.insert(name);
  }
  for (const Algorithm& algorithm : algorithms()) registered.emplace(algorithm.name);
  for (const std::string& name : registered) CHECK_MESSAGE(names.contains(name), "not there: ", name);
  for (const std::string& name : names) CHECK_MESSAGE(registered.contains(name), "no algorithm: ", name);
}

TEST_CASE("docs/library.md says how many algorithms combine at once") {
  constexpr const char* numbers[] = {"none", "one",   "two",   "three", "four", "five",
                                     "six",  "seven", "eight", "nine",  "ten"};
  const auto count = static_cast<std::size_t>(std::ranges::count_if(algorithms(), &Algorithm::at_once));
  REQUIRE(count < std::size(numbers));
  std::string text;
  for (const std::string& line : page("docs/library.md")) text += line + '\n';
  CHECK(text.find(std::string("says so of ") + numbers[count] + ", all direct)") != std::string::npos);
}

TEST_CASE("8.2 to 8.4 of docs/collectives.md: steps, words, loads and scaled words of every row") {
  int nodes = 0, rows = 0;
  for (const std::string& line : page()) {
    if (line.starts_with("##"))
      nodes = line.starts_with("### 8.") && line.ends_with(" nodes") ? std::stoi(line.substr(8)) : 0;
    if (nodes == 0 || !line.starts_with("| `")) continue;
    CAPTURE(line);
    const std::vector<std::string> row = cells(line);
    const std::size_t topologies = (row.size() - 3) / 2;
    REQUIRE(topologies == (nodes == 6 ? 3 : 4));
    const std::string name = quoted(line).at(0);
    Row expected{name.c_str(), nodes, number(row[1]), number(row[2]), {}, {}};
    for (std::size_t i = 0; i < topologies; ++i) {
      expected.loads[i] = std::stoi(row[3 + i]);
      expected.scaled[i] = number(row[3 + topologies + i]);
    }
    if (const std::size_t k = row[0].find("k = "); k != std::string::npos)
      expected.segments = std::stoi(row[0].substr(k + 4));
    const Parameters parameters{
        .nodes = nodes, .extents = extents(nodes), .shift = 5, .segments = expected.segments};
    const Schedule schedule = built(name, parameters);
    check(expected, schedule, message_blocks(name.c_str(), parameters, schedule));
    ++rows;
  }
  CHECK(rows > 100);
}
