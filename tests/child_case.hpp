#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>

#include "repository.hpp"

/// Describes how a process ended, and all that it said.
struct ChildEnd {
  int status = -1;
  std::string output;
};

/// Runs a test case of this program, skipped otherwise, in a process of its own. The shell starts it by
/// `command`, its name following: "VARIABLE=value", "taskset 3", "echo 1 >file; exec". Its machine is this
/// one as the system tells of it, unless `command` says otherwise.
inline ChildEnd run_case(const std::string& command, const std::string& name) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string line = "{ unset HWLOC_XMLFILE HWLOC_SYNTHETIC HWLOC_THISSYSTEM; " + command + " " +
                           emulator() + " '" + program + "' --no-skip --no-colors --test-case='" + name +
                           "'; } 2>&1";
  std::FILE* const child = popen(line.c_str(), "r");
  REQUIRE(child);
  ChildEnd end;
  std::array<char, 4096> piece{};
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), child))
    end.output.append(piece.data(), size);
  end.status = pclose(child);
  return end;
}

/// Checks that it passes.
inline void check_case_passes(const std::string& command, const std::string& name) {
  const ChildEnd end = run_case(command, name);
  CAPTURE(end.output);
  CHECK(end.status == 0);
  CHECK(end.output.find("1 passed | 0 failed") != std::string::npos);
}
