// What the comment at the head of each algorithm's file says is what the register says and what the pen
// draws.
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/notation.hpp>

#include "repository.hpp"

using namespace vnode;

namespace {

struct Entry {
  std::string key, text;
};

const std::filesystem::path rooms = repository() / "lib/collective";

// The keys of a header in order, lines that continue a text joined to it.
std::vector<Entry> header(std::string_view name) {
  std::ifstream file(rooms / fmt::format("{}.cpp", name));
  REQUIRE_MESSAGE(file.good(), name);
  std::string line;
  std::getline(file, line);
  CHECK_MESSAGE(line.starts_with(fmt::format("// {}: ", name)), line);
  std::vector<Entry> entries;
  constexpr std::size_t text = 16;
  while (std::getline(file, line) && line.starts_with("//   ")) {
    const std::string key = line.substr(5, text - 5);
    if (key.find_first_not_of(' ') == std::string::npos)
      entries.back().text += ' ' + line.substr(text);
    else
      entries.push_back({key.substr(0, key.find_last_not_of(' ') + 1), line.substr(text)});
  }
  return entries;
}

// "p = 4x4, root 0, radix 3: 1: ..." or "p = 6, domains 2x3, root 0: 1: ..." to parameters and the picture.
std::pair<Parameters, std::string> parsed(const std::string& text) {
  const std::size_t colon = text.find(": ");
  std::istringstream words(text.substr(0, colon));
  Parameters parameters;
  std::string word;
  words >> word >> word;
  char separator = 'x';
  for (int extent = 0; separator == 'x' && words >> extent; words >> separator) {
    parameters.extents.push_back(extent);
    parameters.nodes *= extent;
    separator = ' ';
  }
  const std::map<std::string, int*> places{{"root", &parameters.root},
                                           {"shift", &parameters.shift},
                                           {"segments", &parameters.segments},
                                           {"radix", &parameters.radix}};
  while (words >> word) {
    if (word == "domains") {
      std::string domains;
      words >> domains;
      parameters.hierarchy = Hierarchy::parse(domains.substr(0, domains.find(',')), parameters.nodes);
    } else {
      words >> *places.at(word) >> separator;
    }
  }
  return {parameters, text.substr(colon + 2)};
}

std::string needs(const Algorithm& algorithm) {
  std::string text;
  for (const Need need : algorithm.needs) text += (text.empty() ? "" : ", ") + std::string(name(need));
  return text.empty() ? "nothing" : text;
}

}  // namespace

TEST_CASE("headers have the same keys in the same order, and say what the register says") {
  for (const Algorithm& algorithm : algorithms()) {
    CAPTURE(algorithm.name);
    const std::vector<Entry> entries = header(algorithm.name);
    std::string keys;
    for (const Entry& entry : entries) keys += entry.key + ';';
    REQUIRE(keys == "rounds;transfers;time;needs;ports;best for;source;picture;");
    CHECK(entries[0].text == algorithm.rounds.text);
    CHECK(entries[1].text == algorithm.transfers.text);
    CHECK(entries[2].text == algorithm.time);
    CHECK(entries[3].text == needs(algorithm));
    CHECK(entries[4].text == (algorithm.ports == Ports::all ? "all" : "single"));
    CHECK(entries[5].text == algorithm.best_for);
    CHECK(entries[6].text == algorithm.source);
    const auto [parameters, drawn] = parsed(entries[7].text);
    REQUIRE_FALSE(why_not(algorithm, parameters));
    CHECK(parameters.nodes >= 4);
    CHECK(picture(algorithm.build(parameters)) == drawn);
  }
}

TEST_CASE("every file of an algorithm is in the register") {
  std::map<std::string, bool> registered;
  for (const Algorithm& algorithm : algorithms()) registered[std::string(algorithm.name)] = true;
  for (const auto& file : std::filesystem::directory_iterator(rooms)) {
    if (file.path().extension() != ".cpp") continue;
    const std::string stem = file.path().stem();
    for (const Collective collective : collectives())
      if (stem.starts_with(std::string(name(collective)) + "_")) CHECK_MESSAGE(registered[stem], stem);
  }
}
