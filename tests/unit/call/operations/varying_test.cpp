// Collectives with another count on every rank: literal results.
#include <doctest/doctest.h>
#include <span>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

using Sizes = std::vector<std::size_t>;
using Ints = std::vector<int>;

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

}

TEST_CASE("all_gather_v: parts in any order, with gaps, some of them empty") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  const Sizes counts{2, 0, 3, 1};
  team.run([&](vnode::Node& me) {
    const Ints own(counts[at(me.rank())], 10 + me.rank());
    Ints out(6, -1);
    me.all_gather_v(own, out, {counts});
    CHECK(out == Ints{10, 10, 12, 12, 12, 13});
    // Everybody lays them out as they like.
    const Sizes forwards{0, 8, 3, 7}, backwards{6, 0, 2, 1};
    Ints wide(8, -1);
    me.all_gather_v(own, wide, {counts, me.rank() % 2 == 0 ? forwards : backwards});
    CHECK(wide ==
          (me.rank() % 2 == 0 ? Ints{10, 10, -1, 12, 12, 12, -1, 13} : Ints{-1, 13, 12, 12, 12, -1, 10, 10}));
    // In place.
    Ints data(8, -1);
    for (std::size_t i = 0; i < counts[at(me.rank())]; ++i) data[forwards[at(me.rank())] + i] = me.rank();
    me.all_gather_v(data, {counts, forwards});
    CHECK(data == Ints{0, 0, -1, 2, 2, 2, -1, 3});
  });
}

TEST_CASE("gather_v and scatter_v: only the root knows the parts") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  const Sizes counts{1, 3, 0, 2}, places{5, 0, 0, 3};
  for (int root = 0; root < 4; ++root)
    team.run([&](vnode::Node& me) {
      const bool is_root = me.rank() == root;
      const vnode::Partition parts = is_root ? vnode::Partition{counts, places} : vnode::Partition{};
      const Ints own(counts[at(me.rank())], me.rank());
      Ints all(is_root ? 7 : 0, -1);
      me.gather_v(own, all, parts, root);
      if (is_root) CHECK(all == Ints{1, 1, 1, 3, 3, 0, -1});

      Ints back(own.size(), -1);
      if (is_root) all = {10, 11, 12, 30, 31, 0, 99};
      me.scatter_v(all, parts, back, root);
      const Ints expected[] = {{0}, {10, 11, 12}, {}, {30, 31}};
      CHECK(back == expected[me.rank()]);

      // In place: the root's own part stays where it is.
      Ints data = is_root ? Ints(7, -1) : own;
      if (is_root) std::copy(own.begin(), own.end(), data.begin() + static_cast<long>(places[at(root)]));
      me.gather_v(data, parts, root);
      if (is_root) CHECK(data == Ints{1, 1, 1, 3, 3, 0, -1});
      if (!is_root) CHECK(data == own);
      if (is_root) data = {7, 8, 9, 5, 6, 4, -1};
      me.scatter_v(data, parts, root);
      const Ints parted[] = {{4}, {7, 8, 9}, {}, {5, 6}};
      CHECK(data == (is_root ? Ints{7, 8, 9, 5, 6, 4, -1} : parted[me.rank()]));
    });
}

TEST_CASE("reduce_scatter_v: everybody receives as many sums as its count") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  const Sizes counts{2, 0, 3};
  team.run([&](vnode::Node& me) {
    const int r = me.rank();
    const Ints in{r, 10 * r, 100, r, 1};
    Ints out(counts[at(r)], -1);
    me.reduce_scatter_v(in, out, counts, std::plus<>{});
    const Ints expected[] = {{3, 30}, {}, {300, 3, 3}};
    CHECK(out == expected[r]);
    Ints data = in;
    me.reduce_scatter_v(data, counts, std::plus<>{});
    data.resize(counts[at(r)]);
    CHECK(data == expected[r]);
  });
}

TEST_CASE("all_to_all_v: another count for every pair") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  // From row to column.
  const Sizes counts[] = {{1, 2, 0}, {0, 1, 3}, {2, 0, 0}};
  team.run([&](vnode::Node& me) {
    const int r = me.rank();
    const Sizes to = counts[r], from{counts[0][at(r)], counts[1][at(r)], counts[2][at(r)]};
    Ints in;
    for (int d = 0; d < 3; ++d) in.insert(in.end(), to[at(d)], 10 * r + d);
    Ints out(from[0] + from[1] + from[2], -1);
    me.all_to_all_v(in, {to}, out, {from});
    const Ints expected[] = {{0, 20, 20}, {1, 1, 11}, {12, 12, 12}};
    CHECK(out == expected[r]);
    // From right to left, with a gap.
    const Sizes places{from[2] + from[1] + 1, from[2], 0};
    Ints turned(out.size() + 1, -1);
    me.all_to_all_v(in, {to}, turned, {from, places});
    const Ints backwards[] = {{20, 20, -1, 0}, {11, -1, 1, 1}, {12, 12, 12, -1}};
    CHECK(turned == backwards[r]);
  });
}

TEST_CASE("all_to_all_v in place, also where a node has nothing at all") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  const Sizes counts[] = {{1, 2, 0}, {2, 1, 0}, {0, 0, 0}};
  for (const bool checked : {false, true}) {
    vnode::TeamOptions options = patient();
    options.checked = checked;
    vnode::Team other(3, vnode::shapes::full{}, options);
    other.run([&](vnode::Node& me) {
      const int r = me.rank();
      Ints data = r == 0 ? Ints{0, 1, 1} : r == 1 ? Ints{10, 10, 11} : Ints{};
      me.all_to_all_v(data, {counts[r]});
      CHECK(data == (r == 0 ? Ints{0, 10, 10} : r == 1 ? Ints{1, 1, 11} : Ints{}));
      // The same with the parts apart and the other way round.
      const Sizes places{3, 0, 0};
      Ints wide = r == 0 ? Ints{1, 1, -1, 0} : r == 1 ? Ints{11, -1, -1, 10, 10} : Ints{};
      me.all_to_all_v(wide, {counts[r], places});
      CHECK(wide == (r == 0 ? Ints{10, 10, -1, 0} : r == 1 ? Ints{11, -1, -1, 1, 1} : Ints{}));
    });
  }
}

TEST_CASE("a call with counts is that of its arguments, however like a call before it looks") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([&](vnode::Node& me) {
    // One vector of counts and one of data, whose values change: more calls than a node remembers.
    Sizes counts(3);
    Ints own(4), all(12);
    for (int call = 0; call < 60; ++call) {
      for (std::size_t r = 0; r < 3; ++r) counts[r] = (static_cast<std::size_t>(call) / 2 * 5 + r * 3) % 5;
      const std::size_t sum = counts[0] + counts[1] + counts[2];
      own.assign(counts[at(me.rank())], 100 * call + me.rank());
      all.assign(12, -1);
      Ints expected;
      for (int r = 0; r < 3; ++r) expected.insert(expected.end(), counts[at(r)], 100 * call + r);
      const int root = call % 3;
      me.all_gather_v(own, std::span(all).first(sum), counts);
      CHECK(Ints(all.begin(), all.begin() + static_cast<long>(sum)) == expected);
      all.assign(12, -1);
      me.gather_v(own, std::span(all).first(me.rank() == root ? sum : 0), counts, root);
      if (me.rank() == root) CHECK(Ints(all.begin(), all.begin() + static_cast<long>(sum)) == expected);
      all.assign(12, -1);
      me.all_gather_v(own, std::span(all).first(sum), counts, {.algorithm = "all_gather_ring"});
      CHECK(Ints(all.begin(), all.begin() + static_cast<long>(sum)) == expected);
      CHECK(me.last_algorithm() == "all_gather_ring");
      // What is in place is read anew in every call.
      Ints data(3);
      for (int d = 0; d < 3; ++d) data[at(d)] = 100 * call + 10 * me.rank() + d;
      const Sizes ones{1, 1, 1};
      const Ints turned{100 * call + me.rank(), 100 * call + 10 + me.rank(), 100 * call + 20 + me.rank()};
      Ints& kept = all;  // the same memory in all calls
      kept = data;
      me.all_to_all_v(kept, {ones});
      CHECK(kept == turned);
      kept = data;
      me.nonblocking().all_to_all_v(kept, {ones}).wait();
      CHECK(kept == turned);
      all.resize(12);
    }
    Ints data{0, 0, 0};
    vnode::Persistent planned = me.persistent().all_to_all_v(data, {Sizes{1, 1, 1}});
    for (int call = 0; call < 3; ++call) {
      for (int d = 0; d < 3; ++d) data[at(d)] = 100 * call + 10 * me.rank() + d;
      planned.start();
      planned.wait();
      CHECK(data == Ints{100 * call + me.rank(), 100 * call + 10 + me.rank(), 100 * call + 20 + me.rank()});
    }
  });
}

TEST_CASE("all_to_all_v in place does not look at where its empty parts would begin") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  const Sizes counts{1, 0, 1}, places{0, std::size_t{1} << 60, 1};
  team.run([&](vnode::Node& me) {
    if (me.rank() == 1) {
      Ints nothing;
      me.all_to_all_v(nothing, {Sizes{0, 0, 0}, Sizes{7, std::size_t{1} << 60, 3}});
    } else {
      Ints data{me.rank() * 10, me.rank() * 10 + 1};
      me.all_to_all_v(data, {counts, places});
      CHECK(data == (me.rank() == 0 ? Ints{0, 20} : Ints{1, 21}));
    }
  });
}

TEST_CASE("nothing but empty parts") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  const Sizes counts(3, 0);
  team.run([&](vnode::Node& me) {
    Ints in, out;
    me.all_gather_v(in, out, {counts});
    me.gather_v(in, out, {counts}, 1);
    me.scatter_v(in, {counts}, out, 2);
    me.all_to_all_v(in, {counts}, out, {counts});
    me.reduce_scatter_v(in, out, counts, std::plus<>{});
    me.all_gather_v(in, {counts});
    me.reduce_scatter_v(in, counts, std::plus<>{});
    int sum[1] = {1};
    me.all_reduce(sum, std::plus<>{});
    CHECK(sum[0] == 3);
  });
}

TEST_CASE("counts that differ between the two ends of a message are named") {
  const auto mismatch = [](const auto& body) {
    vnode::Team team(3, vnode::shapes::full{}, patient());
    return sentence<vnode::Mismatch>(team, body);
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  for (const std::size_t more : {1u, 5000u}) {  // in lines and announced
    contains(mismatch([=](vnode::Node& me) {
               const Sizes counts{1, me.rank() == 0 ? more : 2 * more, 1};
               const Ints own(me.rank() == 1 ? 2 * more : 1);
               Ints all(me.rank() == 0 ? more + 2 : 0);
               me.gather_v(own, all, {counts});
             }),
             "node 1 sends " + std::to_string(2 * more) + " elements to node 0 in call");
    contains(mismatch([=](vnode::Node& me) {
               Sizes to(3, 1), from(3, 1);
               if (me.rank() == 2) to[0] = 1 + more;
               const Ints in(3 + more);
               Ints out(3);
               me.all_to_all_v(in, {to}, out, {from});
             }),
             "node 2 sends " + std::to_string(1 + more) + " elements to node 0");
  }
  // Where all know all counts, the calls themselves do not match.
  contains(mismatch([](vnode::Node& me) {
             const Sizes counts{1, 1, me.rank() == 0 ? std::size_t{2} : std::size_t{1}};
             const Ints own(1);
             Ints all(4);
             me.all_gather_v(own, all, {counts});
           }),
           ": the count of rank 2 is ");
  contains(mismatch([](vnode::Node& me) {
             const Sizes counts{1, me.rank() == 2 ? std::size_t{2} : std::size_t{1}, 1};
             const Ints in(me.rank() == 2 ? 4 : 3);
             Ints out(1);
             me.reduce_scatter_v(in, out, counts, std::plus<>{});
           }),
           ": the count of rank 1 is ");
  // Other counts may be why the nodes have chosen other algorithms.
  contains(mismatch([](vnode::Node& me) {
             const bool other = me.rank() == 2;
             const Sizes counts{1, other ? std::size_t{2} : std::size_t{1}, 1};
             const Ints in(other ? 4 : 3);
             Ints out(1);
             me.reduce_scatter_v(in, out, counts, std::plus<>{},
                                 {.algorithm = other ? "reduce_scatter_direct" : "reduce_scatter_pairwise"});
           }),
           ": the count of rank 1 is ");
}
