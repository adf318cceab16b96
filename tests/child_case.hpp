#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>

/// Checks that a test case of this program, skipped otherwise, passes in a process of its own. The shell
/// starts it by `command`, its name following: "VARIABLE=value", "taskset 3", "echo 1 >file; exec".
inline void check_case_passes(const std::string& command, const std::string& name) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string line =
      "{ " + command + " '" + program + "' --no-skip --no-colors --test-case='" + name + "'; } 2>&1";
  std::FILE* const child = popen(line.c_str(), "r");
  REQUIRE(child);
  std::string output;
  std::array<char, 4096> piece{};
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), child))
    output.append(piece.data(), size);
  const int status = pclose(child);
  CAPTURE(output);
  CHECK(status == 0);
  CHECK(output.find("1 passed | 0 failed") != std::string::npos);
}
