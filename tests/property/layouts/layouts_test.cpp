#include "layouts.hpp"

#include <array>
#include <doctest/doctest.h>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "sentence.hpp"

using namespace vnode_test;
using vnode::laid;
using vnode::Rank;

namespace {

constexpr int untouched = -1234567;

/// Is a layout on memory of its own, and what it picks, packed by hand.
class Memory {
 public:
  Memory(RandomLayouts& random, std::size_t count)
      : described_(random.target(count)), memory_(RandomLayouts::room(described_) + 2, untouched) {}

  auto laid() { return vnode::laid(memory_, described_.layout); }
  auto laid_to_read() const { return vnode::laid(memory_, described_.layout); }
  void put(const std::vector<int>& packed) {
    std::ranges::fill(memory_, untouched);
    for (std::size_t i = 0; i < packed.size(); ++i)
      memory_[static_cast<std::size_t>(described_.offsets[i])] = packed[i];
  }
  /// What is picked; the rest must be as it was.
  std::vector<int> get() const {
    std::vector<int> packed, rest = memory_;
    for (const std::ptrdiff_t offset : described_.offsets) {
      packed.push_back(memory_[static_cast<std::size_t>(offset)]);
      rest[static_cast<std::size_t>(offset)] = untouched;
    }
    REQUIRE(rest == std::vector<int>(rest.size(), untouched));
    return packed;
  }

 private:
  Described described_;
  std::vector<int> memory_;
};

/// Is one call of a node: what it passes, packed, and how it calls with any kind of range.
struct Trial {
  std::vector<int> in, out;
  bool in_place = false;
};

/// Makes the same call with contiguous ranges and with layouts, in one of the three forms, and compares.
template <class Operation>
void compare(vnode::Node& me, RandomLayouts& own, RandomLayouts& shared, const Trial& trial,
             const Operation& operation) {
  const int form = shared.below(3);
  const auto run = [&](auto&& in, auto&& out) {
    if (form == 0) {
      operation(me, in, out);
    } else if (form == 1) {
      vnode::Request request = operation(me.nonblocking(), in, out);
      request.wait();
    } else {
      vnode::Persistent planned = operation(me.persistent(), in, out);
      planned.start();
      planned.wait();
    }
  };
  std::vector<int> in = trial.in, out = trial.out;
  run(in, out);
  // Nodes need not agree on who has a layout.
  const int laid_ends = own.below(4);
  Memory in_memory(own, trial.in.size()), out_memory(own, trial.out.size());
  std::vector<int> plain_in = trial.in, plain_out = trial.out;
  in_memory.put(trial.in);
  out_memory.put(trial.out);
  const auto laid_in = in_memory.laid_to_read();
  const auto laid_out = out_memory.laid();
  switch (laid_ends) {
    case 0:
      run(laid_in, laid_out);
      break;
    case 1:
      run(laid_in, plain_out);
      break;
    case 2:
      run(plain_in, laid_out);
      break;
    default:
      run(plain_in, plain_out);
  }
  REQUIRE((laid_ends == 0 || laid_ends == 2 ? out_memory.get() : plain_out) == out);
  REQUIRE((laid_ends == 0 || laid_ends == 1 ? in_memory.get() : plain_in) == in);
}

/// Compares in the same way by a form in place.
template <class Operation>
void compare_in_place(vnode::Node& me, RandomLayouts& own, RandomLayouts& shared,
                      const std::vector<int>& before, std::size_t defined, const Operation& operation) {
  const bool blocking = shared.below(2) == 0;
  const auto run = [&](auto&& data) {
    if (blocking)
      operation(me, data);
    else
      operation(me.persistent(), data).start();
  };
  std::vector<int> data = before;
  run(data);
  Memory memory(own, before.size());
  memory.put(before);
  run(memory.laid());
  std::vector<int> after = memory.get();
  after.resize(defined);
  data.resize(defined);
  REQUIRE(after == data);
}

std::vector<int> numbers(RandomLayouts& random, std::size_t count) {
  std::vector<int> made(count);
  for (int& number : made) number = random.below(1000);
  return made;
}

const auto bits = vnode::commutative{[](int a, int b) { return a ^ b; }};

/// Every collective once, with data of about this size.
void all_collectives(vnode::Node& me, RandomLayouts& own, RandomLayouts& shared, std::size_t m) {
  const auto p = static_cast<std::size_t>(me.size());
  const Rank root = shared.below(me.size());
  const bool is_root = me.rank() == root;
  const auto random = [&](std::size_t count) { return numbers(own, count); };
  const auto none = std::vector<int>();

  compare_in_place(me, own, shared, random(m), m,
                   [=](auto&& by, auto& data) { return by.broadcast(data, root); });
  compare(me, own, shared, {random(m), random(m)},
          [=](auto&& by, auto& in, auto& out) { return by.reduce(in, out, std::plus<>{}, root); });
  compare_in_place(me, own, shared, random(m), m,
                   [=](auto&& by, auto& data) { return by.reduce(data, vnode::maximum{}, root); });
  compare(me, own, shared, {random(m), random(m * p)},
          [](auto&& by, auto& in, auto& out) { return by.all_gather(in, out); });
  compare_in_place(me, own, shared, random(m * p), m * p,
                   [](auto&& by, auto& data) { return by.all_gather(data); });
  compare(me, own, shared, {random(m * p), random(m)},
          [](auto&& by, auto& in, auto& out) { return by.reduce_scatter(in, out, std::plus<>{}); });
  compare_in_place(me, own, shared, random(m * p), m,
                   [](auto&& by, auto& data) { return by.reduce_scatter(data, std::plus<>{}); });
  compare(me, own, shared, {random(m), random(m)},
          [](auto&& by, auto& in, auto& out) { return by.all_reduce(in, out, bits); });
  compare_in_place(me, own, shared, random(m), m,
                   [](auto&& by, auto& data) { return by.all_reduce(data, std::plus<>{}); });
  compare(me, own, shared, {random(m), random(m)},
          [](auto&& by, auto& in, auto& out) { return by.scan(in, out, std::plus<>{}); });
  compare_in_place(me, own, shared, random(m), m,
                   [](auto&& by, auto& data) { return by.scan(data, std::plus<>{}); });
  compare(me, own, shared, {random(m), random(m)},
          [](auto&& by, auto& in, auto& out) { return by.exclusive_scan(in, out, std::plus<>{}); });
  compare_in_place(me, own, shared, random(m), m,
                   [](auto&& by, auto& data) { return by.exclusive_scan(data, std::plus<>{}); });
  compare(me, own, shared, {is_root ? random(m * p) : none, random(m)},
          [=](auto&& by, auto& in, auto& out) { return by.scatter(in, out, root); });
  compare_in_place(me, own, shared, random(is_root ? m * p : m), m,
                   [=](auto&& by, auto& data) { return by.scatter(data, root); });
  compare(me, own, shared, {random(m), is_root ? random(m * p) : none},
          [=](auto&& by, auto& in, auto& out) { return by.gather(in, out, root); });
  compare_in_place(me, own, shared, random(is_root ? m * p : m), m,
                   [=](auto&& by, auto& data) { return by.gather(data, root); });
  compare(me, own, shared, {random(m * p), random(m * p)},
          [](auto&& by, auto& in, auto& out) { return by.all_to_all(in, out); });
  compare_in_place(me, own, shared, random(m * p), m * p,
                   [](auto&& by, auto& data) { return by.all_to_all(data); });
  const int shift = shared.below(9) - 4;
  compare(me, own, shared, {random(m), random(m)},
          [=](auto&& by, auto& in, auto& out) { return by.circular_shift(in, out, shift); });
  compare_in_place(me, own, shared, random(m), m,
                   [=](auto&& by, auto& data) { return by.circular_shift(data, shift); });
}

void all_v_variants(vnode::Node& me, RandomLayouts& own, RandomLayouts& shared, std::size_t m) {
  const auto p = static_cast<std::size_t>(me.size()), rank = static_cast<std::size_t>(me.rank());
  const Rank root = shared.below(me.size());
  const bool is_root = me.rank() == root;
  const auto random = [&](std::size_t count) { return numbers(own, count); };
  std::vector<std::size_t> counts, places, table;
  std::size_t all = 0, end = 0;
  for (std::size_t r = 0; r < p; ++r) {
    counts.push_back(shared.count_below(static_cast<int>(m) + 1));
    places.push_back(end);
    all += counts.back();
    end += counts.back() + shared.count_below(3);  // with gaps
  }
  for (std::size_t i = 0; i < p * p; ++i) table.push_back(shared.count_below(static_cast<int>(m) + 1));
  const vnode::Partition apart(counts, places), dense(counts);
  const std::size_t mine = counts[rank];

  compare(me, own, shared, {random(mine), random(end)},
          [=](auto&& by, auto& in, auto& out) { return by.all_gather_v(in, out, apart); });
  compare_in_place(me, own, shared, random(end), end,
                   [=](auto&& by, auto& data) { return by.all_gather_v(data, apart); });
  compare(me, own, shared, {random(all), random(mine)},
          [=](auto&& by, auto& in, auto& out) { return by.reduce_scatter_v(in, out, dense, std::plus<>{}); });
  compare_in_place(me, own, shared, random(all), mine,
                   [=](auto&& by, auto& data) { return by.reduce_scatter_v(data, dense, std::plus<>{}); });
  compare(me, own, shared, {random(mine), random(is_root ? end : 0)},
          [=](auto&& by, auto& in, auto& out) { return by.gather_v(in, out, apart, root); });
  compare_in_place(me, own, shared, random(is_root ? end : mine), is_root ? end : mine,
                   [=](auto&& by, auto& data) { return by.gather_v(data, apart, root); });
  compare(me, own, shared, {random(is_root ? end : 0), random(mine)},
          [=](auto&& by, auto& in, auto& out) { return by.scatter_v(in, apart, out, root); });
  compare_in_place(me, own, shared, random(is_root ? end : mine), mine,
                   [=](auto&& by, auto& data) { return by.scatter_v(data, apart, root); });
  std::vector<std::size_t> sent, received;
  for (std::size_t r = 0; r < p; ++r) {
    sent.push_back(table[rank * p + r]);
    received.push_back(table[r * p + rank]);
  }
  const auto sum = [](const std::vector<std::size_t>& list) {
    return std::accumulate(list.begin(), list.end(), std::size_t{0});
  };
  compare(me, own, shared, {random(sum(sent)), random(sum(received) + 3)},
          [=](auto&& by, auto& in, auto& out) { return by.all_to_all_v(in, sent, out, received); });
}

void all_messages(vnode::Node& me, RandomLayouts& own, std::size_t m) {
  const int p = me.size();
  const Rank next = (me.rank() + 1) % p, before = (me.rank() + p - 1) % p;
  const auto of = [&](Rank rank) {
    std::vector<int> made(m);
    for (std::size_t i = 0; i < m; ++i) made[i] = rank * 100000 + static_cast<int>(i);
    return made;
  };
  Memory out(own, m), in(own, m + 3);
  std::vector<int> expected = of(before);
  expected.insert(expected.end(), 3, 7);
  const auto prepare = [&] {
    out.put(of(me.rank()));
    in.put(std::vector<int>(m + 3, 7));
  };
  prepare();
  REQUIRE(me.sendrecv(out.laid_to_read(), next, in.laid(), before) == m);
  REQUIRE(in.get() == expected);
  prepare();
  {
    vnode::Request coming = me.irecv(in.laid(), before, 3), going = me.isend(out.laid_to_read(), next, 3);
    coming.wait();
    REQUIRE(coming.count() == m);
    going.wait();
  }
  REQUIRE(in.get() == expected);
  if (p < 2) return;
  prepare();
  std::vector<int> plain(m + 3, 7);
  if (me.rank() % 2 == 0) {
    if (next != 0) me.send(out.laid_to_read(), next);
    if (me.rank() != 0) REQUIRE(me.recv(plain, before) == m);
    if (me.rank() != 0) REQUIRE(plain == expected);
  } else {
    REQUIRE(me.recv(in.laid(), before) == m);
    REQUIRE(in.get() == expected);
    if (next != 0) me.send(of(me.rank()), next);
  }
}

}  // namespace

TEST_CASE("every operation does with layouts what it does with elements packed by hand") {
  for (const int p : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16})
    for (unsigned seed = 0; seed < (brief() || p > 5 ? 2u : 4u); ++seed) {
      vnode::TeamOptions options = patient();
      options.checked = seed % 2 == 1;
      if (seed % 3 == 1) options.shared_from = 1;
      vnode::Team team(p, vnode::shapes::full{}, options);
      CAPTURE(p);
      CAPTURE(seed);
      team.run([&](vnode::Node& me) {
        RandomLayouts shared(seed), own(seed * 100 + 1 + static_cast<unsigned>(me.rank()));
        for (const std::size_t m : {0u, 1u, 17u, p > 8 ? 60u : 500u}) {
          all_collectives(me, own, shared, m);
          all_v_variants(me, own, shared, m);
          all_messages(me, own, m);
        }
      });
    }
}

TEST_CASE("input and output may overlap where a layout picks one of them") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    namespace layouts = vnode::layouts;
    std::vector<int> matrix(16 * 16);
    std::iota(matrix.begin(), matrix.end(), me.rank() * 1000);
    // Its transpose within each node, then the sum over all: columns become rows.
    std::vector<int> expected(matrix.size());
    for (std::size_t i = 0; i < 16; ++i)
      for (std::size_t j = 0; j < 16; ++j) expected[i * 16 + j] = 4 * static_cast<int>(j * 16 + i) + 6000;
    const vnode::Layout transposed = layouts::vector(16, 1, 16).resized(1).repeated(16);
    me.all_reduce(laid(std::as_const(matrix), transposed), matrix, std::plus<>{});
    REQUIRE(matrix == expected);
    // The upper half goes to the lower one.
    const auto half = [&](std::ptrdiff_t begin) {
      return laid(matrix, layouts::contiguous(200).shifted(begin));
    };
    const std::vector<int> before = matrix;
    me.circular_shift(half(0), half(56), 0);
    for (std::size_t i = 0; i < 200; ++i) REQUIRE(matrix[56 + i] == before[i]);
  });
}

TEST_CASE("a layout that picks an element twice may be sent, but not received into") {
  const vnode::Layout twice = vnode::layouts::indexed(1, {0, 2, 2, 1});
  std::vector<int> x{1, 2, 3}, y(4);
  vnode::Team team(1, vnode::shapes::full{}, patient());
  team.run([&](vnode::Node& me) { me.all_reduce(laid(std::as_const(x), twice), y, std::plus<>{}); });
  CHECK(y == std::vector{1, 3, 3, 2});
  CHECK(refusal(2, [&](vnode::Node& me) { me.all_reduce(y, laid(x, twice), std::plus<>{}); }) ==
        "all_reduce: the layout 1, 1 from 2, 1 from 2, 1 from 1 picks an element twice: what arrives "
        "there would be lost");
  CHECK(
      refusal(2, [&](vnode::Node& me) { me.recv(laid(x, twice), 1 - me.rank()); }) ==
      "recv: the layout 1, 1 from 2, 1 from 2, 1 from 1 picks an element twice: what arrives there would be "
      "lost");
  CHECK(refusal(2, [&](vnode::Node& me) { me.broadcast(laid(x, twice), 0); }).substr(0, 21) ==
        "broadcast: the layout");
}
