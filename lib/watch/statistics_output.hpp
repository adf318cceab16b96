#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <vnode/statistics.hpp>

namespace vnode {

/// Returns the file that VNODE_STATS names, where "%p" stands for the process's number and "%%" for "%".
/// Throws UsageError for another "%", and if nothing is named.
std::string statistics_path(std::string_view named);

/// Writes a team's statistics when it ends, or when the process does: to the file that VNODE_STATS names,
/// after what is in there, as a line of JSON, or as text if its name ends in .txt; for "-" as text to
/// standard error. If it cannot write them, it says so on standard error, once.
///
/// A process lists all its outputs. A child of fork() has none of its parent's.
class StatisticsOutput {
 public:
  /// Opens the output. `statistics` may be called by any thread for as long as this lives. Throws SystemError
  /// if the file cannot be opened or made.
  StatisticsOutput(std::string path, std::function<Statistics()> statistics);
  /// Writes the statistics, unless they have been written at the end of the process.
  ~StatisticsOutput();
  StatisticsOutput(const StatisticsOutput&) = delete;
  StatisticsOutput& operator=(const StatisticsOutput&) = delete;

 private:
  friend struct StatisticsOutputs;
  void write() const noexcept;

  std::string path_;
  std::function<Statistics()> statistics_;
};

}  // namespace vnode
