#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "report/report.hpp"
#include "terminal/width.hpp"

namespace vnode::bench {

/// Returns "all_reduce 8K", or the name alone for 0 bytes.
inline std::string with_bytes(std::string_view operation, std::size_t bytes) {
  return std::string{operation} + (bytes == 0 ? "" : ' ' + bytes_text(bytes));
}

/// The number of columns that reports for persons take at most, where the terminal has as many.
inline constexpr std::size_t widest_report = 100;
/// Returns how many columns a report for persons may take.
inline std::size_t report_width() { return std::min(terminal_width(), widest_report); }

/// Returns the text in lines that begin with "# ", none of them longer than report_width() unless a word is.
std::string comment(std::string_view text);

/// Returns a time in microseconds in at most 8 letters: with three digits after the point below 1000, fewer
/// above. Returns "-" where there is none.
std::string time_text(std::optional<double> us);
/// Returns the median, with a mark if it is of few calls.
std::string median_text(const Row& row);
/// Returns a quotient, or a bandwidth, with two digits after the point below 1000; "-" where there is none.
std::string quotient_text(std::optional<double> quotient);
/// Returns the algorithm without the name of its collective in front, or of a peer its configuration.
std::string algorithm_text(const Row& row);
/// Returns the contestant, with a mark if one thread calls on behalf of all nodes.
std::string contestant_text(const Row& row);

/// Returns the heading of the row: "all_reduce: 2 nodes, f64, sum". Rows below one heading agree in it.
std::string heading(const Row& row);

/// Returns the heading of rows of one size over numbers of nodes: "all_reduce 8K over nodes: f64, sum".
std::string heading_over_nodes(const Row& row);

/// A legend says what a reader has to know of the columns and marks of a table, as far as its rows have them.
class Legend {
 public:
  void add(const Row& row);
  std::vector<std::string> lines() const;

 private:
  bool limit_ = false, few_ = false, one_caller_ = false, bandwidth_ = false, any_ = false;
};

/// A tally says what there is to say of all rows together.
class Tally {
 public:
  /// Adds the rows of one question, which were measured together.
  void add(const std::vector<Row>& rows);
  /// Returns the number of rows, vnode's best and worst beside the limit and beside the fastest peer, and the
  /// number of wrong results. Peers that call by one thread, and figures of few calls, are no measure.
  std::string text() const;

 private:
  struct Extreme {
    double quotient;
    std::string where;
  };
  struct Range {
    std::optional<Extreme> best, worst;
    void add(double quotient, const std::string& where);
    std::string text(const char* of) const;
  };

  std::size_t rows_ = 0, wrong_ = 0;
  Range limit_, peers_;
};

}  // namespace vnode::bench
