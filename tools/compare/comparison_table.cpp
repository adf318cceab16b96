#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "compare/comparison.hpp"
#include "options/machines.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"

namespace vnode {
namespace {

using Names = std::vector<std::string>;

/// Returns "broadcast_pipeline, k = 12".
std::string name_of(const Contest& contest, const Entry& entry) {
  return fmt::format("{}{}", entry_name(contest, entry),
                     entry.algorithm->segments ? fmt::format(", k = {}", entry.segments) : "");
}

/// Holds what is shown on one line: an entry, or several with the same times, of which the best is the first.
using Tied = std::vector<const Entry*>;

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

bool tied(const Entry& a, const Entry& b) {
  if (a.measured || b.measured || a.bytes != b.bytes || a.carried != b.carried) return false;
  for (std::size_t kind = 0; kind < a.predicted.size(); ++kind) {
    const auto &one = a.predicted[kind], &other = b.predicted[kind];
    if (one.has_value() != other.has_value() || (one && !same(*one, *other))) return false;
  }
  return true;
}

std::vector<Tied> lines_of(const Comparison& comparison) {
  std::vector<Tied> lines;
  std::size_t size = 0;  // where the lines of this one begin
  for (const Entry& entry : comparison.entries) {
    if (!lines.empty() && lines.back().front()->bytes != entry.bytes) size = lines.size();
    const auto line = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(size), lines.end(),
                                   [&](const Tied& one) { return tied(*one.front(), entry); });
    if (line == lines.end())
      lines.push_back({&entry});
    else
      line->insert(entry.best ? line->begin() : line->end(), &entry);
  }
  return lines;
}

/// Holds the sets of algorithms that have the same times somewhere, each with its number.
class Ties {
 public:
  Ties(const Contest& contest, const std::vector<Tied>& lines) : contest_(contest) {
    for (const Tied& line : lines)
      if (line.size() > 1) letters_.try_emplace(names(line), fmt::format("[{}]", letters_.size() + 1));
  }
  std::string mark(const Tied& line) const {
    return line.size() > 1 ? fmt::format(" {}", letters_.at(names(line))) : "";
  }
  Names notes() const {
    Names notes(letters_.size());
    for (const auto& [set, letter] : letters_)
      notes[static_cast<std::size_t>(std::stoi(letter.substr(1))) - 1] =
          fmt::format("{} the same times: {}", letter, fmt::join(set, ", "));
    return notes;
  }

 private:
  Names names(const Tied& line) const {
    Names names;
    for (const Entry* const entry : line) names.push_back(entry_name(contest_, *entry));
    return names;
  }
  const Contest& contest_;
  std::map<Names, std::string> letters_;
};

std::string not_simulated(const Comparison& comparison) {
  std::vector<std::string_view> names;
  for (const Entry& entry : comparison.entries)
    if (!entry.predicted.back() && std::ranges::find(names, entry.algorithm->name) == names.end())
      names.push_back(entry.algorithm->name);
  return fmt::format("-: not simulated, for it has more than {} transfers: {}", most_simulated_transfers,
                     fmt::join(names, ", "));
}

void add_beginnings(Names& notes, const Comparison& comparison) {
  if (!comparison.beginnings) return;
  const Beginnings& beginnings = *comparison.beginnings;
  if (!beginnings.together) {
    notes.push_back(
        "measured without a common start, since there are more nodes than cores: from the first that begins");
    return;
  }
  notes.push_back(fmt::format("measured from a common start; {} of {} rounds began late and do not count",
                              beginnings.late, beginnings.rounds));
  if (std::ranges::any_of(comparison.entries, &Entry::late))
    notes.push_back("(late): all its rounds began late, and count");
}

}  // namespace

std::string comparison_title(const Contest& contest) {
  return fmt::format("{} on {}, {}", enums::name(contest.demand.collective),
                     nodes_text(contest.topology.nodes(), contest.machines), contest.topology.text());
}

bool measured(const Comparison& comparison) {
  return std::ranges::any_of(comparison.entries,
                             [](const Entry& entry) { return entry.measured.has_value(); });
}

std::optional<double> ratio(const Entry& entry, std::size_t kind) {
  if (!entry.predicted[kind]) return std::nullopt;
  return *entry.measured / *entry.predicted[kind];
}

std::vector<Names> comparison_rows(const Contest& contest, const Comparison& comparison) {
  const bool with_times = measured(comparison);
  std::vector<Names> rows{{"m", "  algorithm"}};
  rows.front().insert(rows.front().end(), comparison.kinds.begin(), comparison.kinds.end());
  if (with_times) {
    rows.front().push_back("measured");
    for (const std::string& kind : comparison.kinds) rows.front().push_back("/ " + kind);
  }
  const std::vector<Tied> lines = lines_of(comparison);
  const Ties ties(contest, lines);
  std::size_t bytes = 0;
  for (const Tied& line : lines) {
    const Entry& entry = *line.front();
    Names& row = rows.emplace_back();
    row = {entry.bytes != bytes ? bytes_text(entry.bytes) : "",
           fmt::format("{} {}{}{}{}", entry.best ? '*' : ' ', name_of(contest, entry),
                       entry.carried ? "" : " (c)", ties.mark(line), entry.late ? " (late)" : "")};
    bytes = entry.bytes;
    for (const auto& seconds : entry.predicted) row.push_back(seconds ? shown_time(*seconds) : "-");
    if (!with_times) continue;
    row.push_back(entry.measured ? shown_time(*entry.measured) : "-");
    for (std::size_t kind = 0; kind < entry.predicted.size(); ++kind) {
      const auto quotient = entry.measured ? ratio(entry, kind) : std::nullopt;
      row.push_back(quotient ? fmt::format("{:.2f}", *quotient) : "-");
    }
  }
  return rows;
}

std::vector<std::string> comparison_notes(const Contest& contest, const Comparison& comparison) {
  Names notes = Ties(contest, lines_of(comparison)).notes();
  notes.push_back(fmt::format(
      "*: the {}least estimate{}{}", contest.only.empty() ? "one that is chosen, the " : "",
      contest.only.empty() ? "" : " of these", contest.machines == 1 ? "; formula: the textbook's T" : ""));
  if (std::ranges::any_of(comparison.entries, [](const Entry& entry) { return !entry.carried; }))
    notes.push_back(
        fmt::format("(c): does not promise load 1 on {}; estimate and formula count no congestion",
                    contest.topology.text()));
  if (std::ranges::any_of(comparison.entries, [](const Entry& entry) { return !entry.predicted.back(); }))
    notes.push_back(not_simulated(comparison));
  add_beginnings(notes, comparison);
  return notes;
}

std::string comparison_table(const Contest& contest, const Comparison& comparison, std::size_t width) {
  std::string text = fmt::format("{}\n{}\n\n", comparison_title(contest),
                                 folded(costs_text(contest.costs, contest.machines), width, hanging));
  const std::string lines = table(comparison_rows(contest, comparison), 2, width);
  // A line that begins with the size begins its group.
  bool first = true;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at) + 1;
    if (lines[at] != ' ' && at > 0) {
      if (!first) text += '\n';
      first = false;
    }
    text.append(lines, at, end - at);
    at = end;
  }
  text += '\n';
  for (const std::string& note : comparison_notes(contest, comparison))
    text += folded(note, width, hanging) + '\n';
  return text;
}

}  // namespace vnode
