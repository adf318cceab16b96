// Sample sort (Grama et al., section 9.5). Node r begins with block r of the keys and ends with the r-th part
// of the sorted sequence. Parts differ in length, but where keys are different the samples see to it that
// none is much longer than twice the average.
//   1. each node sorts its block and takes p - 1 samples from it at equal distances
//   2. all_gather of the samples; each node sorts all of them and takes p - 1 splitters at equal distances
//   3. the splitters cut the own block into p runs; all_to_all tells the others how long they are
//   4. all_to_all_v: run d goes to node d
//   5. each node merges the p runs that it has received
// At the end an exclusive_scan of the lengths tells each node where its part begins in the whole.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Keys = std::vector<std::uint64_t>;
using Counts = std::vector<std::size_t>;

Keys random_keys(std::size_t n) {
  std::mt19937_64 random(1);
  Keys made(n);
  for (auto& key : made) key = random();
  return made;
}

// `count` keys at equal distances, of a sorted sequence.
Keys at_equal_distances(const Keys& sorted, std::size_t count) {
  Keys chosen;
  for (std::size_t i = 1; i <= count; ++i) chosen.push_back(sorted[i * sorted.size() / (count + 1)]);
  return chosen;
}

Counts cut(const Keys& sorted, const Keys& splitters) {
  Counts lengths;
  auto begin = sorted.begin();
  for (const std::uint64_t splitter : splitters) {
    const auto end = std::upper_bound(begin, sorted.end(), splitter);
    lengths.push_back(static_cast<std::size_t>(end - begin));
    begin = end;
  }
  lengths.push_back(static_cast<std::size_t>(sorted.end() - begin));
  return lengths;
}

// Neighbours are merged, then neighbours of these, and so on.
void merge(Keys& keys, const Counts& lengths) {
  std::vector<Keys::iterator> ends{keys.begin()};
  for (const std::size_t length : lengths) ends.push_back(ends.back() + static_cast<std::ptrdiff_t>(length));
  const std::size_t runs = lengths.size();
  for (std::size_t width = 1; width < runs; width *= 2)
    for (std::size_t r = 0; r + width < runs; r += 2 * width)
      std::inplace_merge(ends[r], ends[r + width], ends[std::min(r + 2 * width, runs)]);
}

// This node's part of the sorted sequence.
Keys sample_sort(vnode::Group& me, Keys& mine) {
  const auto p = static_cast<std::size_t>(me.size());
  std::ranges::sort(mine);
  const Keys samples = at_equal_distances(mine, p - 1);
  Keys all_samples(p * (p - 1));
  me.all_gather(samples, all_samples);
  std::ranges::sort(all_samples);
  const Keys splitters = p == 1 ? Keys{} : at_equal_distances(all_samples, p - 1);

  const Counts to_send = cut(mine, splitters);
  Counts to_receive(p);
  me.all_to_all(to_send, to_receive);
  Keys part(std::reduce(to_receive.begin(), to_receive.end()));
  me.all_to_all_v(mine, {to_send}, part, {to_receive});
  merge(part, to_receive);
  return part;
}

double sort_on(vnode::Team& team, const Keys& keys, Keys& sorted) {
  double seconds = 0;
  team.run([&](vnode::Node& me) {
    const example::Block mine = example::block(keys.size(), me.size(), me.rank());
    const Keys block(keys.data() + mine.first, keys.data() + mine.end);
    Keys unsorted, part;
    const double measured = example::seconds(
        me, [&] { unsorted = block; }, [&] { part = sample_sort(me, unsorted); });
    if (me.rank() == 0) seconds = measured;

    const std::array<std::size_t, 1> length{part.size()};
    std::array<std::size_t, 1> first{0};  // as it is on node 0, which has nobody before it
    me.exclusive_scan(length, first, std::plus<>{});
    std::ranges::copy(part, sorted.begin() + static_cast<std::ptrdiff_t>(first[0]));
  });
  return seconds;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, n] = example::arguments(argc, argv, {4, 100'000}, "the number of keys", 200'000'000);
  const auto p = static_cast<std::size_t>(nodes);
  if (n < p * p)
    throw vnode::UsageError("sample sort on " + std::to_string(p) + " nodes needs at least " +
                            std::to_string(p * p) + " keys: every node takes samples from its own");
  vnode::Team team{nodes};
  const Keys keys = random_keys(n);
  Keys sorted(n), expected;
  const double parallel = sort_on(team, keys, sorted);
  const double sequential = example::seconds([&] { expected = keys; }, [&] { std::ranges::sort(expected); });
  return example::report("sample sort of " + std::to_string(n) + " keys", team, sorted == expected, parallel,
                         sequential);
} catch (const std::exception& error) {
  return example::complain("sample_sort", error);
}
