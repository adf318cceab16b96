#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace vnode_test {

/// One value for each dimension of a product of cases, by index.
using Case = std::vector<int>;

/// Returns the number of all combinations.
inline std::size_t combinations(const std::vector<int>& sizes) {
  std::size_t number = 1;
  for (const int size : sizes) number *= static_cast<std::size_t>(size);
  return number;
}

/// Returns the combination of this index, the last dimension counting fastest.
inline Case combination(const std::vector<int>& sizes, std::size_t index) {
  Case one(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0; index /= static_cast<std::size_t>(sizes[i]))
    one[i] = static_cast<int>(index % static_cast<std::size_t>(sizes[i]));
  return one;
}

/// Few possible combinations in which every two values of any two dimensions meet that can meet at all.
/// Greedy, from a fixed seed. `excluded` becomes the number of pairs that no possible combination was found
/// for.
template <class Possible>
std::vector<Case> pairwise_cover(const std::vector<int>& sizes, const Possible& possible, int& excluded) {
  using TwoValues = std::tuple<std::size_t, int, std::size_t, int>;
  std::set<TwoValues> open;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (std::size_t j = i + 1; j < sizes.size(); ++j)
      for (int a = 0; a < sizes[i]; ++a)
        for (int b = 0; b < sizes[j]; ++b) open.insert({i, a, j, b});
  const auto pairs_of = [&](const Case& one, auto&& visit) {
    for (std::size_t i = 0; i < one.size(); ++i)
      for (std::size_t j = i + 1; j < one.size(); ++j) visit(TwoValues{i, one[i], j, one[j]});
  };
  std::mt19937 random(42);
  std::vector<Case> cover;
  while (!open.empty()) {
    Case best;
    std::size_t most = 0;
    const int trials = 40, patience = 400;  // patience: until something possible is found
    for (int trial = 0; trial < trials || (best.empty() && trial < patience); ++trial) {
      Case one(sizes.size());
      for (std::size_t i = 0; i < sizes.size(); ++i)
        one[i] = static_cast<int>(random() % static_cast<unsigned>(sizes[i]));
      if (trial % 2 == 0) {  // grown around a pair that is still open
        const auto [i, a, j, b] = *open.begin();
        one[i] = a;
        one[j] = b;
      }
      if (!possible(one)) continue;
      std::size_t found = 0;
      pairs_of(one, [&](const TwoValues& pair) { found += open.count(pair); });
      if (found > most) {
        most = found;
        best = one;
      }
    }
    if (best.empty()) {
      ++excluded;
      open.erase(open.begin());
      continue;
    }
    pairs_of(best, [&](const TwoValues& pair) { open.erase(pair); });
    cover.push_back(best);
  }
  return cover;
}

}
