#include "program.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace {

// All but what LeakSanitizer's symbolizer says of itself where a program ends while workers of oneTBB are
// starting.
std::string what_the_program_said(const std::filesystem::path& file) {
  std::ifstream lines(file);
  std::string said;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("LLVMSymbolizer: ")) said += line + '\n';
  return said;
}

std::vector<std::vector<std::string>> csv_lines(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  bool quoted = false, begins = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (std::exchange(begins, false)) lines.push_back({""});
    std::string& field = lines.back().back();
    const char c = text[at];
    if (quoted && c == '"' && text.substr(at, 2) == "\"\"")
      field += text[at++];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == ',')
      lines.back().emplace_back();
    else if (!quoted && c == '\n')
      begins = true;
    else
      field += c;
  }
  return lines;
}

}  // namespace

Ran run(const std::string& arguments) {
  setenv("XDG_CONFIG_HOME", "/nonexistent", 0);  // nobody's profile, unless a ConfigFolder lives
  setenv("COLUMNS", "1000", 0);  // no sentence is folded, unless a test says how wide lines are
  const auto errors =
      std::filesystem::temp_directory_path() / ("vnode-errors-" + std::to_string(getpid()) + ".txt");
  Ran ran;
  FILE* const pipe = popen(("exec 2>" + errors.string() + "; " VNODE_PROGRAM " " + arguments).c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> piece;
  while (const std::size_t size = fread(piece.data(), 1, piece.size(), pipe))
    ran.output.append(piece.data(), size);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
  ran.errors = what_the_program_said(errors);
  std::filesystem::remove(errors);
  return ran;
}

nlohmann::ordered_json json_of(const std::string& arguments) {
  const Ran ran = run(arguments + " --format json");
  CAPTURE(arguments);
  CAPTURE(ran.errors);
  REQUIRE(ran.status == 0);
  CHECK(ran.errors.empty());
  auto json = nlohmann::ordered_json::parse(ran.output, nullptr, false);
  REQUIRE_FALSE(json.is_discarded());
  return json;
}

std::vector<CsvRow> csv_of(const std::string& arguments) {
  const Ran ran = run(arguments + " --format csv");
  CAPTURE(arguments);
  CAPTURE(ran.errors);
  REQUIRE(ran.status == 0);
  const auto lines = csv_lines(ran.output);
  REQUIRE_FALSE(lines.empty());
  std::vector<CsvRow> rows(lines.size() - 1);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    REQUIRE(lines[i].size() == lines[0].size());
    for (std::size_t column = 0; column < lines[0].size(); ++column)
      rows[i - 1][lines[0][column]] = lines[i][column];
  }
  return rows;
}

void check_refused(const std::string& arguments, const std::string& expected) {
  CAPTURE(arguments);
  const Ran ran = run(arguments);
  CAPTURE(ran.errors);
  CHECK(ran.status == 2);
  CHECK(ran.output.empty());
  CHECK(ran.errors.starts_with("vnode: "));
  CHECK(ran.errors.find(expected) != std::string::npos);
  CHECK(std::ranges::count(ran.errors, '\n') == 1);
}

std::vector<std::string> keys(const nlohmann::ordered_json& object) {
  std::vector<std::string> names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}
