#include <vnode/vnode.hpp>
#include <algorithm>
#include <cstdio>
#include <random>
int main() {
  const int p = 5; const std::size_t n = 20000;
  std::vector<std::uint32_t> all;
  std::vector<std::vector<std::uint32_t>> result(p);
  vnode::Team team{p};
  for (int r = 0; r < p; ++r) { std::mt19937 g(r); for (std::size_t i = 0; i < n; ++i) all.push_back(g()); }
  team.run([&](vnode::Node& me) {
    std::vector<std::uint32_t> keys(all.begin() + me.rank() * n, all.begin() + (me.rank() + 1) * n);
    std::vector<int> counts(me.size()), incoming(me.size());
    auto bucket = [&](std::uint32_t k) { return int(std::uint64_t(k) * me.size() >> 32); };
    std::sort(keys.begin(), keys.end());
    for (auto k : keys) ++counts[bucket(k)];
    me.all_to_all(counts, incoming);
    std::size_t total = 0; for (int c : incoming) total += c;
    std::vector<std::uint32_t> mine(total);
    me.all_to_all_v(keys, counts, mine, incoming);
    std::sort(mine.begin(), mine.end());
    result[me.rank()] = mine;
  });
  std::vector<std::uint32_t> got; for (auto& r : result) got.insert(got.end(), r.begin(), r.end());
  std::sort(all.begin(), all.end());
  std::puts(got == all ? "sort right" : "wrong");
  return got != all;
}
