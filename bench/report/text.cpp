#include "report/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/counted.hpp"

namespace vnode::bench {
namespace {

const Row* fastest_peer(const std::vector<Row>& rows) {
  const Row* fastest = nullptr;
  for (const Row& row : rows)
    if (row.by != "vnode" && !row.one_caller && !row.few() &&
        (fastest == nullptr || row.time_us.median < fastest->time_us.median))
      fastest = &row;
  return fastest;
}

}  // namespace

std::string comment(std::string_view text) {
  const std::size_t width = report_width();
  std::string lines = "#";
  std::size_t used = lines.size();
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (used > 1 && used + 1 + word.size() > width) {
      lines += "\n#  ";
      used = 3;
    }
    lines += ' ';
    lines += word;
    used += 1 + word.size();
  }
  return lines + '\n';
}

std::string time_text(std::optional<double> us) {
  if (!us || !std::isfinite(*us)) return "-";
  return fmt::format("{:.{}f}", *us, *us < 1000 ? 3 : *us < 100000 ? 1 : 0);
}

std::string median_text(const Row& row) {
  return fmt::format("{}{}", row.few() ? "~" : "", time_text(row.time_us.median));
}

std::string quotient_text(std::optional<double> quotient) {
  if (!quotient || !std::isfinite(*quotient)) return "-";
  return fmt::format("{:.{}f}", *quotient, *quotient < 1000 ? 2 : 0);
}

std::string algorithm_text(const Row& row) {
  if (row.configuration) return *row.configuration;
  if (!row.algorithm) return "-";
  // A v-variant's algorithms are those of its operation.
  const std::string operation =
      row.collective.ends_with("_v") ? row.collective.substr(0, row.collective.size() - 2) : row.collective;
  return row.algorithm->starts_with(operation + '_') ? row.algorithm->substr(operation.size() + 1)
                                                     : *row.algorithm;
}

std::string contestant_text(const Row& row) { return row.one_caller ? row.by + '*' : row.by; }

namespace {

/// Returns what a heading says of its rows besides their operation, each with a comma in front.
std::string details(const Row& row) {
  std::string text;
  if (row.topology != "full") text += ", " + row.topology;
  if (row.datatype) text += ", " + *row.datatype;
  if (row.op) text += ", " + *row.op;
  if (row.root && *row.root != 0) text += fmt::format(", root {}", *row.root);
  if (row.form != "blocking") text += ", " + row.form;
  return text;
}

}  // namespace

std::string heading(const Row& row) {
  std::string text = fmt::format("{}: {}{}", row.collective, counted(row.nodes, "node"), details(row));
  if (row.bytes_of_part)
    text += fmt::format("; bytes: of one node's part (nccl-tests: of all {})", row.nodes);
  return text;
}

std::string heading_over_nodes(const Row& row) {
  Row any = row;
  any.topology = "full";  // each number of nodes has its own
  const std::string more = details(any);
  return with_bytes(row.collective, row.datatype ? row.bytes : 0) + " over nodes" +
         (more.empty() ? "" : ':' + more.substr(1));
}

void Legend::add(const Row& row) {
  any_ = true;
  limit_ = limit_ || row.limit_us;
  few_ = few_ || row.few();
  one_caller_ = one_caller_ || row.one_caller;
  bandwidth_ = bandwidth_ || row.algbw_GBps;
}

std::vector<std::string> Legend::lines() const {
  std::vector<std::string> lines;
  if (!any_) return lines;
  lines.emplace_back("times in microseconds, medians of all calls unless the column says min or p99");
  if (limit_)
    lines.push_back(fmt::format(
        "x limit: the median divided by the limit (-: no limit, or fewer than {} calls)", least_calls));
  if (bandwidth_) lines.emplace_back("algbw, busbw: 10^9 bytes per second, as nccl-tests defines them");
  if (one_caller_)
    lines.emplace_back(
        "*: one thread calls on behalf of all nodes, and up to 8K does all of their work itself: such times "
        "are "
        "without communication");
  if (few_) lines.push_back(fmt::format("~: of fewer than {} calls: such a figure says little", least_calls));
  return lines;
}

void Tally::Range::add(double quotient, const std::string& where) {
  if (!best || quotient < best->quotient) best = {quotient, where};
  if (!worst || quotient > worst->quotient) worst = {quotient, where};
}

std::string Tally::Range::text(const char* of) const {
  if (!best) return "";
  return fmt::format("; vnode takes {} ({}) to {} ({}) times as long as {}", quotient_text(best->quotient),
                     best->where, quotient_text(worst->quotient), worst->where, of);
}

void Tally::add(const std::vector<Row>& rows) {
  const Row* const peer = fastest_peer(rows);
  rows_ += rows.size();
  for (const Row& row : rows) {
    wrong_ += row.wrong;
    if (row.by != "vnode") continue;
    std::string where = with_bytes(row.collective, row.bytes);
    if (row.requested && *row.requested != "auto") where += fmt::format(" {}", algorithm_text(row));
    if (const auto quotient = row.median_to_limit()) limit_.add(*quotient, where);
    if (peer != nullptr && !row.few()) peers_.add(row.time_us.median / peer->time_us.median, where);
  }
}

std::string Tally::text() const {
  return counted(rows_, "row") + limit_.text("the limit") + peers_.text("the fastest peer") +
         fmt::format("; wrong results: {}", wrong_);
}

}  // namespace vnode::bench
