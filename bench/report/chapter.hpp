#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/charts.hpp>

#include "report/report.hpp"
#include "report/text.hpp"

namespace vnode::bench {

/// Holds the rows of one operation over sizes, or over numbers of nodes, as figures of a page: plots and
/// tables of all contestants beside each other.
class Chapter {
 public:
  enum class Over { sizes, nodes };

  Chapter(Over over, const Row& row) : over_(over), title_(title_of(over, row)), sized_(row.datatype) {}
  /// Returns the title of the chapter that a row belongs to.
  static std::string title_of(Over over, const Row& row) {
    return over == Over::sizes ? heading(row) : heading_over_nodes(row);
  }

  const std::string& title() const { return title_; }
  void add(const Row& row);
  /// Tells whether there are rows of several sizes, or numbers of nodes.
  bool has_several() const { return stops_.size() > 1; }
  /// Returns time, and bandwidth over sizes or efficiency over nodes, which is the limit divided by the
  /// median.
  ReportPage::Section section() const;

 private:
  /// Holds what was measured of one contestant.
  struct Figures {
    double seconds = 0;
    std::optional<double> GBps{}, efficiency{};
    std::string time{};  // in words
  };
  /// Holds the figures of one size, or number of nodes, by the contestants' names.
  struct Stop {
    double x;
    std::string text;
    std::string algorithm = "-";  // that was chosen
    std::optional<double> to_limit{};
    std::map<std::string, Figures> by{};
  };

  std::vector<std::string> curves() const;
  template <class Value>
  std::optional<Plot> plot(const char* title, Plot::Axis axis, Value value) const;
  ReportPage::Table time_table() const;
  template <class Text>
  ReportPage::Table table(std::string caption, const std::vector<std::string>& names, Text text) const;

  Over over_;
  std::string title_;
  bool sized_, chosen_ = false, limited_ = false;
  std::vector<std::string> names_;
  std::vector<Stop> stops_;
};

/// Holds chapters, in the order in which their first rows come.
class Chapters {
 public:
  explicit Chapters(Chapter::Over over) : over_(over) {}
  void add(const Row& row);
  const std::vector<Chapter>& all() const { return all_; }

 private:
  Chapter::Over over_;
  std::vector<Chapter> all_;
};

}  // namespace vnode::bench
