#include "building_blocks/circulant.hpp"

#include <algorithm>
#include <bit>

namespace vnode {

namespace {

std::size_t index(int number) { return static_cast<std::size_t>(number); }

// Returns the base block of every label: k of the last distance s_k, where always the largest that fits is
// taken away. The root's is q.
std::vector<int> base_blocks(int p, int q) {
  std::vector<int> base{q};
  for (int k = 0; k < q; ++k) {
    const int distance = circulant_distance(p, k), next = circulant_distance(p, k + 1);
    for (int label = distance; label < next; ++label)
      base.push_back(label == distance ? k : base[index(label - distance)]);
  }
  return base;
}

}  // namespace

// In turn for k, a node takes the largest base block that it has not yet, its own among those it has, of the
// labels that are s_k .. s_(k+1) - 1 below it; of the one s_(k+1) below if there is none. The root's stands
// for its own. Labels are those of two turns, so that an interval needs no mod; the base blocks of any
// `width` of them are those of the first and of the last `length`, a power of two.
std::vector<std::vector<std::int8_t>> circulant_schedules(int p) {
  const int q = ceil_log2(p);
  const std::vector<int> base = base_blocks(p, q);
  std::vector<std::uint32_t> sets;  // by label: base blocks of `length` labels from it on, as bits
  for (int label = 0; label < 2 * p; ++label) sets.push_back(1u << base[index(label % p)]);
  std::vector<std::uint32_t> taken(sets.begin(), sets.begin() + p);
  std::vector<std::vector<std::int8_t>> places(index(q), std::vector<std::int8_t>(index(p)));
  int length = 1;
  for (int k = 0; k < q; ++k) {
    const int near = circulant_distance(p, k), far = circulant_distance(p, k + 1), width = far - near;
    for (; 2 * length <= width; length *= 2)
      for (int label = 0; label + 2 * length <= 2 * p; ++label)
        sets[index(label)] |= sets[index(label + length)];
    for (int label = 1; label < p; ++label) {
      const int first = label + p - far + 1, last = label + p - near;
      std::uint32_t free = (sets[index(first)] | sets[index(last - length + 1)]) & ~taken[index(label)];
      if (free == 0) free = 1u << base[index((label + p - far) % p)];
      const int largest = static_cast<int>(std::bit_width(free)) - 1;
      taken[index(label)] |= 1u << largest;
      places[index(k)][index(label)] =
          static_cast<std::int8_t>(largest == q ? base[index(label)] : largest - q);
    }
  }
  return places;
}

// The last phase begins with round n - 1. There, and nowhere else, a node gets one number from n - 1 on, in
// the place of its own base block: that is the last block.
std::vector<std::vector<CirculantBroadcast::Receipt>> CirculantBroadcast::receipts() const {
  const std::vector<std::vector<std::int8_t>> places = circulant_schedules(p_);
  std::vector<std::vector<Receipt>> all(index(rounds()));
  for (int round = 0; round < rounds(); ++round) {
    const int turn = round + skipped(), k = turn % q_;
    for (int label = 1; label < p_; ++label) {
      const int number = places[index(k)][index(label)] + round - k;
      if (number >= 0) all[index(round)].push_back({label, std::min(number, blocks_ - 1)});
    }
  }
  return all;
}

}  // namespace vnode
