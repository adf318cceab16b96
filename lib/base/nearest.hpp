#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace vnode {

/// Returns Levenshtein's distance: how many letters must be changed, inserted or deleted to make one word of
/// the other.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// Returns the same, or the distance of `a` from a suffix of `b` after an underscore if that is less:
/// "binomial" matches broadcast_binomial.
inline std::size_t edit_distance_of_suffix(std::string_view a, std::string_view b) {
  std::size_t apart = edit_distance(a, b);
  for (std::size_t low = b.find('_'); low != std::string_view::npos; low = b.find('_', low + 1))
    apart = std::min(apart, edit_distance(a, b.substr(low + 1)));
  return apart;
}

/// Returns what somebody may have meant who wrote `name`, the nearest first: at most five of `names` whose
/// distance from it is at most three, and half of its letters, or which contain it; where there are none, the
/// three nearest.
inline std::vector<std::string_view> nearest_names(std::string_view name,
                                                   std::span<const std::string_view> names) {
  constexpr std::size_t enough = 5, when_none_is_near = 3;
  const std::size_t few_edits = std::min<std::size_t>(3, name.size() / 2);
  std::vector<std::pair<std::size_t, std::string_view>> near, far;
  for (const std::string_view candidate : names) {
    const std::size_t apart = edit_distance_of_suffix(name, candidate);
    const bool part = !name.empty() && candidate.find(name) != std::string_view::npos;
    if (apart <= few_edits || part)
      near.emplace_back(std::min(apart, few_edits + 1), candidate);
    else
      far.emplace_back(apart, candidate);
  }
  auto& meant = near.empty() ? far : near;
  const std::size_t most = near.empty() ? when_none_is_near : enough;
  std::ranges::stable_sort(meant, {}, &std::pair<std::size_t, std::string_view>::first);
  std::vector<std::string_view> nearest;
  for (const auto& [apart, candidate] : std::span(meant).first(std::min(most, meant.size())))
    nearest.push_back(candidate);
  return nearest;
}

}  // namespace vnode
