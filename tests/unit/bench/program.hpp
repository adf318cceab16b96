#pragma once

#include <array>
#include <cstdio>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/wait.h>

#include "sanitizer.hpp"

/// vnode-bench, run as users do.
namespace program {

inline const std::string rivals_asked = thread_sanitizer ? "std,naive" : "std,openmp,tbb,naive";

struct Ran {
  int status;
  std::string output;
};

inline Ran run(const std::string& arguments, const std::string& environment = "") {
  FILE* pipe = popen((environment + " " VNODE_BENCH_PROGRAM " " + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 4096> piece;
  while (const std::size_t size = fread(piece.data(), 1, piece.size(), pipe))
    output.append(piece.data(), size);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

// Returns a list of a JSON report.
inline nlohmann::json list(const Ran& ran, const char* name) {
  return nlohmann::json::parse(ran.output)[name];
}

inline const std::string brief = " --max-bytes 64 --factor 8 --iters 2 --warmup 1 ";

}  // namespace program
