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
