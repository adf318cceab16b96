#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compare/comparison.hpp"

namespace vnode {
namespace {

using Names = std::vector<std::string>;

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

/// Returns the entries of each algorithm and form, in the order of the register.
std::vector<std::vector<const Entry*>> by_name(const Contest& contest, const Comparison& comparison) {
  std::vector<std::vector<const Entry*>> groups;
  std::map<std::string, std::size_t> places;
  for (const Entry& entry : comparison.entries) {
    const auto [at, added] = places.try_emplace(entry_name(contest, entry), groups.size());
    if (added) groups.emplace_back();
    groups[at->second].push_back(&entry);
  }
  return groups;
}

/// Returns the time by which an entry is ranked.
double time_of(const Entry& entry) { return entry.measured.value_or(entry.predicted.front().value_or(0)); }

/// Returns how many times slower than the fastest of each size an algorithm is, as a geometric mean.
double slowness(const std::vector<const Entry*>& entries, const std::map<std::size_t, double>& least) {
  double sum = 0;
  for (const Entry* const entry : entries)
    if (const double best = least.at(entry->bytes); best > 0 && time_of(*entry) > 0)
      sum += std::log(time_of(*entry) / best);
  return std::exp(sum / static_cast<double>(entries.size()));
}

/// Keeps the first of the algorithms that have the same times everywhere, and returns which others do.
Names leave_tied_out(const Contest& contest, std::vector<std::vector<const Entry*>>& groups) {
  std::vector<std::vector<const Entry*>> kept;
  std::vector<Names> alike;
  for (auto& group : groups) {
    const auto same = std::ranges::find_if(kept, [&](const auto& one) {
      return std::ranges::equal(one, group, [](const Entry* a, const Entry* b) { return tied(*a, *b); });
    });
    if (same == kept.end()) {
      kept.push_back(std::move(group));
      alike.emplace_back();
    } else {
      alike[static_cast<std::size_t>(same - kept.begin())].push_back(entry_name(contest, *group.front()));
    }
  }
  groups = std::move(kept);
  Names sentences;
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (!alike[i].empty())
      sentences.push_back(fmt::format("{} is also the line of {}.", entry_name(contest, *groups[i].front()),
                                      fmt::join(alike[i], ", ")));
  return sentences;
}

/// Keeps the algorithms that a plot shows, the best of some size first, then those that are nearest to the
/// best, and returns what is to be said of the others.
std::string leave_out(const Contest& contest, const Comparison& comparison,
                      std::vector<std::vector<const Entry*>>& groups) {
  constexpr std::size_t most = 8;
  Names sentences = leave_tied_out(contest, groups);
  if (groups.size() <= most) return fmt::format("{}", fmt::join(sentences, " "));
  std::map<std::size_t, double> least;
  for (const Entry& entry : comparison.entries)
    if (const double time = time_of(entry); time > 0) {
      const auto at = least.try_emplace(entry.bytes, time).first;
      at->second = std::min(at->second, time);
    }
  for (const Entry& entry : comparison.entries) least.try_emplace(entry.bytes, 0);
  const auto rank = [&](const std::vector<const Entry*>& entries) {
    return std::pair{std::ranges::none_of(entries, &Entry::best), slowness(entries, least)};
  };
  std::ranges::stable_sort(groups, {}, rank);
  Names others;
  for (std::size_t i = most; i < groups.size(); ++i)
    others.push_back(
        fmt::format("{} ({:.3g})", entry_name(contest, *groups[i].front()), slowness(groups[i], least)));
  groups.resize(most);
  sentences.push_back(
      fmt::format("Not shown, with how many times slower than the fastest they are over all sizes: {}.",
                  fmt::join(others, ", ")));
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace

bool tied(const Entry& a, const Entry& b) {
  if (a.measured || b.measured || a.bytes != b.bytes || a.carried != b.carried) return false;
  for (std::size_t kind = 0; kind < a.predicted.size(); ++kind) {
    const auto &one = a.predicted[kind], &other = b.predicted[kind];
    if (one.has_value() != other.has_value() || (one && !same(*one, *other))) return false;
  }
  return true;
}

bool measured(const Comparison& comparison) {
  return std::ranges::any_of(comparison.entries,
                             [](const Entry& entry) { return entry.measured.has_value(); });
}

Plot plot_of(const Contest& contest, const Comparison& comparison) {
  const bool with_times = measured(comparison);
  Plot plot{.x = {"m, bytes", Plot::Unit::bytes}, .y = {"time", Plot::Unit::seconds}};
  plot.legend = {{Plot::Stroke::solid, fmt::format("predicted by {}", comparison.kinds.front())}};
  if (with_times) plot.legend.push_back({Plot::Stroke::dashed, "measured"});
  int group = 0;
  std::vector<std::vector<const Entry*>> shown = by_name(contest, comparison);
  plot.note = leave_out(contest, comparison, shown);
  for (const auto& entries : shown) {
    // A time of 0, as of one node alone, has no place on the axis.
    Plot::Line predicted{.label = entry_name(contest, *entries.front()), .group = group};
    Plot::Line taken{.group = group, .stroke = Plot::Stroke::dashed};
    for (const Entry* const entry : entries) {
      const auto m = static_cast<double>(entry->bytes);
      if (entry->predicted.front() > 0.0) predicted.points.push_back({m, *entry->predicted.front()});
      if (entry->measured) taken.points.push_back({m, *entry->measured});
    }
    if (!predicted.points.empty()) plot.lines.push_back(std::move(predicted));
    if (!taken.points.empty()) plot.lines.push_back(std::move(taken));
    ++group;
  }
  return plot;
}

}  // namespace vnode
