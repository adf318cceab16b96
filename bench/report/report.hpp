#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/rank.hpp>

#include "report/station.hpp"
#include "statistics/statistics.hpp"
#include "terminal/listing.hpp"

namespace vnode::bench {

/// Holds what OSU's programs print: means over all calls, of all ranks and of those with the least and the
/// greatest.
struct RankMeans {
  double all_us = 0, least_us = 0, greatest_us = 0;
  std::size_t iterations = 0;
};

/// The least numbers of calls and rounds: medians of fewer calls say little, and ratios of fewer rounds
/// nothing.
inline constexpr std::size_t least_calls = 10, least_rounds = 5;

/// Holds one line of results. Times are in microseconds; GBps is 10^9 bytes per second. What an operation
/// does not have is empty.
struct Row {
  std::string by, collective;
  std::optional<std::string> requested, algorithm;
  std::optional<std::string> configuration;  ///< of a peer: its best
  bool one_caller = false;                   ///< one thread calls on behalf of all nodes
  std::string form;                          ///< how vnode's are called
  std::string topology;
  int nodes = 0;
  std::size_t bytes = 0;
  bool bytes_of_part = false;  ///< of p parts or messages, which nccl-tests counts together
  std::optional<Rank> root;
  std::optional<std::string> op, datatype;
  std::string channel, wait;
  Summary time_us;
  std::size_t calls = 0;  ///< of which these are the times
  RankMeans means;
  std::optional<double> algbw_GBps, busbw_GBps, limit_us;
  std::optional<double>
      ratio;  ///< time divided by the limit in a round, the median over the rounds; nothing of few rounds
  std::size_t wrong = 0;
  std::size_t cold_bytes = 0;  ///< that every thread walked before each call
  int beside = 0;              ///< processes that computed beside the measurement

  bool few() const { return calls < least_calls; }
  /// Returns the median divided by the limit; nothing where there is no limit, or only few calls.
  std::optional<double> median_to_limit() const {
    return few() || !limit_us ? std::nullopt : std::optional{time_us.median / *limit_us};
  }
};

enum class Format {
  table,    ///< a line for each contestant
  summary,  ///< a line for each size
  csv,
  json,
  html,  ///< a page with plots
  svg    ///< one plot
};

/// A report takes rows as they come, and writes them.
class Report {
 public:
  virtual ~Report() = default;
  virtual void row(const Row& row) = 0;
  /// Takes something worth knowing that is not a row.
  virtual void note(std::string_view text) = 0;
  /// Ends the report after the last row; `closing` is what there is to say of all of them.
  virtual void end(const std::vector<std::string>& closing) = 0;
};

std::unique_ptr<Report> table_report(std::ostream& out, const Station& station);
/// Writes a line for each size: vnode and the limit, and the medians of all others beside.
std::unique_ptr<Report> summary_report(std::ostream& out, const Station& station);
/// Writes as OSU's programs do: a table for each collective and contestant, if `full` with all columns.
std::unique_ptr<Report> osu_report(std::ostream& out, const Station& station, bool full);
std::unique_ptr<Report> csv_report(std::ostream& out, const Station& station);
/// Writes everything in end(): {"machine": {...}, "results": [...]}; notes are machine's "notes".
std::unique_ptr<Report> json_report(std::ostream& out, const Station& station);

/// Writes everything in end(): a page with two plots and their tables for each operation.
std::unique_ptr<Report> html_report(std::ostream& out, const Station& station);

/// Writes one plot in end(): the time over numbers of nodes, or over sizes.
std::unique_ptr<Report> svg_report(std::ostream& out);

/// Writes a small table at once, below where it was measured and what else is worth knowing; as JSON
/// {"machine": {..., "notes": [...]}, name: [{column: field, ...}, ...]}, as HTML a page.
void write(std::ostream& out, Format format, const std::string& name, const Listing& listing,
           const Station& station, const std::vector<std::string>& notes = {});

/// Writes the same table as a page.
void write_page(std::ostream& out, const std::string& name, const Listing& listing, const Station& station,
                const std::vector<std::string>& notes);

}  // namespace vnode::bench
