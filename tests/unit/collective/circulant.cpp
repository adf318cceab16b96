// Tests docs/collectives.md 7.9: broadcasts, all_gathers and their duals in circulant graphs.
#include "collective/circulant.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <string>

#include "built.hpp"

using namespace vnode;

namespace {

std::vector<int> distances(int p) {
  std::vector<int> list;
  for (int k = 0; k <= ceil_log2(p); ++k) list.push_back(circulant_distance(p, k));
  return list;
}

// Returns what one node gets in the first phase.
std::vector<int> schedule_of(int p, int label) {
  std::vector<int> list;
  for (const auto& column : circulant_schedules(p)) list.push_back(column[static_cast<std::size_t>(label)]);
  return list;
}

// By taking distances away.
int base_block(int p, int label) {
  const std::vector<int> s = distances(p);
  int k = static_cast<int>(s.size()) - 1;
  while (label > 0) {
    while (s[static_cast<std::size_t>(k)] > label) --k;
    label -= s[static_cast<std::size_t>(k)];
  }
  return k;
}

// As 7.9 states it, O(p).
std::vector<int> naive_schedule(int p, int label, const std::vector<int>& base) {
  const std::vector<int> s = distances(p);
  const int q = static_cast<int>(s.size()) - 1, own = base[static_cast<std::size_t>(label)];
  std::set<int> used{own};
  std::vector<int> list;
  for (int k = 0; k < q; ++k) {
    const int near = s[static_cast<std::size_t>(k)], far = s[static_cast<std::size_t>(k) + 1];
    int largest = -1;
    const auto look = [&](int below) {
      const int block = base[static_cast<std::size_t>((label - below + p) % p)];
      if (!used.contains(block)) largest = std::max(largest, block);
    };
    for (int below = near; below < far; ++below) look(below);
    if (largest < 0) look(far);
    used.insert(largest);
    list.push_back(largest == q ? own : largest - q);
  }
  return list;
}

}  // namespace

TEST_CASE("7.9: distances and schedules of seventeen nodes") {
  CHECK(distances(17) == std::vector{1, 2, 3, 5, 9, 17});
  CHECK(schedule_of(17, 1) == std::vector{0, -4, -2, -3, -1});
  CHECK(schedule_of(17, 8) == std::vector{-4, -5, -2, 2, -1});
  CHECK(schedule_of(17, 16) == std::vector{-5, -2, -3, -1, 1});
}

TEST_CASE("7.9: distances are halves, rounded up, of the next") {
  for (int p = 2; p <= 5000; ++p) {
    const std::vector<int> s = distances(p);
    CHECK(s.front() == 1);
    CHECK(s.back() == p);
    for (std::size_t k = 0; k + 1 < s.size(); ++k) CHECK(s[k] == (s[k + 1] + 1) / 2);
  }
}

TEST_CASE("7.9: the schedules are those of the naive statement") {
  for (int p = 1; p <= 260; ++p) {
    const auto places = circulant_schedules(p);
    std::vector<int> base;
    for (int label = 0; label < p; ++label) base.push_back(base_block(p, label));
    for (int label = 1; label < p; ++label) {
      const std::vector<int> naive = naive_schedule(p, label, base);
      bool same = true;
      for (std::size_t k = 0; k < naive.size(); ++k)
        same &= naive[k] == places[k][static_cast<std::size_t>(label)];
      CHECK_MESSAGE(same, "p = ", p, ", label ", label);
    }
  }
}

TEST_CASE("7.9: over q rounds all blocks differ, and what is sent was received before or is the root's") {
  for (int p = 2; p <= 1030; ++p) {
    const auto places = circulant_schedules(p);
    const int q = ceil_log2(p);
    bool differ = true, received = true;
    for (int label = 1; label < p; ++label) {
      unsigned blocks = 0;
      for (const auto& column : places) blocks |= 1u << (column[static_cast<std::size_t>(label)] + q) % q;
      differ &= blocks == (1u << q) - 1;
      for (int k = 0; k < q; ++k) {
        const int from = (label + p - circulant_distance(p, k)) % p;
        const int sent = places[static_cast<std::size_t>(k)][static_cast<std::size_t>(label)];
        bool known = from == 0;
        for (int i = 0; i < q; ++i) {
          const int got = places[static_cast<std::size_t>(i)][static_cast<std::size_t>(from)];
          known |= (i < k && got == sent) || got - q == sent;
        }
        received &= known;
        if (from == 0) received &= sent == k;
      }
    }
    CHECK_MESSAGE(differ, p);
    CHECK_MESSAGE(received, p);
  }
}

TEST_CASE("7.9: one segment goes 1, 2, 4 further where p is a power of two") {
  for (int round = 0; round < 6; ++round) CHECK(CirculantBroadcast(64, 1).distance(round) == 1 << round);
}

TEST_CASE("7.9: n - 1 + ceil(log2 p) rounds, contract and promises, for broadcast and reduction") {
  for (int p = 1; p <= 130; ++p)
    for (const int segments : {1, 2, 3, 5, 8, 13})
      for (const char* name : {"broadcast_circulant", "reduce_circulant"}) {
        const Parameters parameters{.nodes = p, .root = p * 2 / 3, .segments = segments};
        CAPTURE(name);
        CAPTURE(p);
        CAPTURE(segments);
        CHECK(rounds(algorithm(name), parameters) == (p == 1 ? 0 : segments - 1 + ceil_log2(p)));
        CHECK(findings(name, parameters).empty());
      }
}

TEST_CASE("7.9: the same for all_gather and reduce_scatter") {
  for (int p = 1; p <= 130; p += p < 34 ? 1 : 16)
    for (const int segments : {1, 2, 3, 5, 8, 13})
      for (const char* name : {"all_gather_circulant", "reduce_scatter_circulant"}) {
        const Parameters parameters{.nodes = p, .segments = segments};
        CAPTURE(name);
        CAPTURE(p);
        CAPTURE(segments);
        CHECK(rounds(algorithm(name), parameters) == (p == 1 ? 0 : segments - 1 + ceil_log2(p)));
        CHECK(findings(name, parameters).empty());
      }
}
