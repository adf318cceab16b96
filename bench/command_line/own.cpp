#include "command_line/own.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/select.hpp>

namespace vnode::bench {

std::shared_ptr<const OwnSchedule> read_own(const std::string& path) try {
  if (std::filesystem::is_directory(path))
    throw SystemError{fmt::format("cannot read '{}': it is a folder", path)};
  std::ifstream file{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file) throw SystemError{fmt::format("cannot read '{}'", path)};
  std::string name = std::filesystem::path{path}.filename().string();
  std::ranges::replace_if(
      name, [](char letter) { return letter == ',' || letter == '"' || (letter >= 0 && letter < ' '); },
      '_');  // csv
  return std::make_shared<const OwnSchedule>(schedule_from_text(text), std::move(name));
} catch (const UsageError& error) {
  throw UsageError{fmt::format("--schedule {}: {}", path, error.what())};
}

void check_own(const OwnSchedule& own, const Operation& operation, const Options& options,
               const Topology& topology, const std::vector<Rank>& roots) try {
  if (!operation.collective) throw UsageError{fmt::format("{} has no schedules", operation.name)};
  for (const Rank root : roots) {
    const bool in_order = options.deterministic && operation.combining;
    const std::vector<std::string> wrong = faults(own.schedule(), {.collective = *operation.collective,
                                                                   .parameters = {.nodes = topology.nodes(),
                                                                                  .root = root,
                                                                                  .keep_order = in_order,
                                                                                  .shift = options.shift},
                                                                   .deterministic = in_order,
                                                                   .varying = operation.varying});
    if (!wrong.empty())
      throw UsageError{fmt::format("no right {}: {}{}", operation.name, wrong.front(),
                                   wrong.size() > 1 ? fmt::format(" (and {} more)", wrong.size() - 1) : "")};
  }
} catch (const UsageError& error) {
  throw UsageError{fmt::format("--schedule {}: {}", own.name(), error.what())};
}

}  // namespace vnode::bench
