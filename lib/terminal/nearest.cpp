#include "terminal/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace vnode {
namespace {

// Levenshtein's distance, row by row.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t exchanged = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({exchanged, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string_view> nearest_names(std::string_view name, std::span<const std::string_view> names,
                                            std::size_t most) {
  std::vector<std::string_view> nearest(names.begin(), names.end());
  std::ranges::stable_sort(nearest, {}, [&](std::string_view other) { return letters_apart(name, other); });
  nearest.resize(std::min(most, nearest.size()));
  return nearest;
}

}  // namespace vnode
