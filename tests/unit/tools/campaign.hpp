#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "folder.hpp"

using Names = std::vector<std::string>;
using Json = nlohmann::ordered_json;

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

/// Returns a small campaign on a described machine, in a file.
inline std::string campaign(const ConfigFolder& folder, const std::string& more = "") {
  const std::string file = folder.path("campaign.json");
  write(file, R"({"name": "small", "machine": "numa:4 core:2 pu:1", "ts": 100, "tw": 0.1, "top": 0.03,
                  "bank_bandwidth": 10, )" +
                  more + R"("experiments": [
                   {"collective": "broadcast", "algorithms": ["broadcast_rotated"], "nodes": [8],
                    "topologies": ["hypercube"], "mappings": ["compact", "subcubes"],
                    "banks": ["one", "spread"], "bytes": ["64K", "1M"]}]})");
  return file;
}
