#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <vnode/statistics.hpp>

namespace vnode {

/// The file that VNODE_STATS names: "%p" stands for the process's number, "%%" for "%". Throws UsageError for
/// another "%", and if nothing is named.
std::string statistics_path(std::string_view named);

/// Where a team's statistics go when it ends, or when the process does: to the file that VNODE_STATS names,
/// after what is in there, as a line of JSON, or as text if its name ends in .txt; "-": as text to standard
/// error. What cannot be written is said on standard error, once.
///
/// All that there are in a process have a list. A child of fork() has none of its parent's.
class StatisticsOutput {
 public:
  /// `statistics` may be called by any thread for as long as this lives. Throws SystemError if the file
  /// cannot be opened, or made.
  StatisticsOutput(std::string path, std::function<Statistics()> statistics);
  /// Writes them, unless the process's end has.
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
