// Tests what a collective call has to say to arguments that make no sense.
#include <doctest/doctest.h>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

using Sizes = std::vector<std::size_t>;
using Ints = std::vector<int>;
const std::plus<> plus;

std::string overlap(const char* collective) {
  return std::string(collective) +
         ": in and out overlap: pass disjoint ranges, or one range for the call in place";
}
std::span<int> part(Ints& data, std::size_t first, std::size_t count) {
  return std::span(data).subspan(first, count);
}

}

TEST_CASE("roots, segments and radixes that cannot be") {
  Ints x(6), y(6);
  const auto wrong_root = "root 3 is not a node of a team of 3: ranks are 0 to 2";
  CHECK(refusal(3, [&](vnode::Node& me) { me.gather(x, y, 3); }) == wrong_root);
  CHECK(refusal(3, [&](vnode::Node& me) { me.scatter(x, y, 3); }) == wrong_root);
  CHECK(refusal(3, [&](vnode::Node& me) { (void)me.nonblocking().broadcast(x, 3); }) == wrong_root);
  CHECK(refusal(3, [&](vnode::Node& me) { (void)me.persistent().reduce(x, plus, 3); }) == wrong_root);
  CHECK(refusal(3, [&](vnode::Node& me) { me.gather_v(x, y, {}, -1); }) ==
        "root -1 is not a node of a team of 3: ranks are 0 to 2");
  CHECK(refusal(2, [&](vnode::Node& me) {
          me.broadcast(x, 0, {"", -1});
        }) == "broadcast: segments -1 is negative: 0 leaves them to vnode");
  CHECK(refusal(2, [&](vnode::Node& me) {
          me.broadcast(x, 0, {"", 65536});
        }) == "broadcast: segments 65536 are too many: 65535 is the most");
  CHECK(refusal(3, [&](vnode::Node& me) {
          me.scan(x, plus, {"scan_linear", 65535});
        }) == "scan_linear cannot run here: needs 65536 rounds, 65535 is the most");
  const std::string radix = refusal(4, [&](vnode::Node& me) {
    Ints mine(3);
    me.broadcast(mine, 0, {"broadcast_k_nomial", 0, 1});
  });
  CHECK(radix.find("broadcast_k_nomial cannot run here: ") == 0);
  CHECK(radix.find("radix") != std::string::npos);
}

TEST_CASE("an output of another length than it must have") {
  Ints six(6), five(5), two(2);
  const auto refused = [&](const auto& call) {
    return refusal(3, [&](vnode::Node& me) {
      if (me.rank() == 0) call(me);
    });
  };
  CHECK(refused([&](auto& me) { me.reduce(six, five, plus); }) ==
        "reduce: out has 5 elements and must have 6, on the root");
  CHECK(refused([&](auto& me) { me.gather(two, five); }) ==
        "gather: out has 5 elements and must have 6, on the root");
  CHECK(refused([&](auto& me) { me.all_reduce(six, five, plus); }) ==
        "all_reduce: out has 5 elements and must have 6, as many as in");
  CHECK(refused([&](auto& me) { me.scan(six, five, plus); }) ==
        "scan: out has 5 elements and must have 6, as many as in");
  CHECK(refused([&](auto& me) { me.exclusive_scan(six, five, plus); }) ==
        "exclusive_scan: out has 5 elements and must have 6, as many as in");
  CHECK(refused([&](auto& me) { me.circular_shift(six, five, 1); }) ==
        "circular_shift: out has 5 elements and must have 6, as many as in");
  CHECK(refused([&](auto& me) { me.all_to_all(six, five); }) ==
        "all_to_all: out has 5 elements and must have 6, as many as in");
  CHECK(refused([&](auto& me) { me.all_gather(two, five); }) ==
        "all_gather: out has 5 elements and must have 6, as many as all nodes together bring");
  CHECK(refused([&](auto& me) { me.reduce_scatter(six, five, plus); }) ==
        "reduce_scatter: out has 5 elements and must have 2, one part of in");
  CHECK(refused([&](auto& me) { me.scatter(five, two); }) ==
        "scatter: in has 5 elements on the root and must have 6, 2 for each of 3 nodes");
  CHECK(refused([&](auto& me) { me.all_to_all(five, five); }) ==
        "all_to_all: in has 5 elements, which 3 nodes cannot share equally");
  CHECK(refused([&](auto& me) { me.reduce_scatter(five, two, plus); }) ==
        "reduce_scatter: in has 5 elements, which 3 nodes cannot share equally");
  CHECK(refused([&](auto& me) { me.all_gather(five); }) ==
        "all_gather: out has 5 elements, which 3 nodes cannot share equally");
  CHECK(refused([&](auto& me) { me.all_gather(two); }) ==
        "all_gather: out has 2 elements, which 3 nodes cannot share equally");
  CHECK(refused([&](auto& me) { me.gather(five); }) ==
        "gather: out has 5 elements, which 3 nodes cannot share equally");
  CHECK(refused([&](auto& me) { me.scatter(five); }) ==
        "scatter: in has 5 elements, which 3 nodes cannot share equally");
}

TEST_CASE("ranges that overlap and are not what a form in place makes of one") {
  Ints data(20);
  const auto refused = [&](const auto& call) {
    return refusal(2, [&](vnode::Node& me) {
      if (me.rank() == 1) call(me);
    });
  };
  const auto a = part(data, 0, 4), shifted = part(data, 1, 4), wide = part(data, 2, 8);
  CHECK(refused([&](auto& me) { me.all_reduce(a, shifted, plus); }) == overlap("all_reduce"));
  CHECK(refused([&](auto& me) { me.scan(shifted, a, plus); }) == overlap("scan"));
  CHECK(refused([&](auto& me) { me.exclusive_scan(a, shifted, plus); }) == overlap("exclusive_scan"));
  CHECK(refused([&](auto& me) { me.reduce(a, shifted, plus, 1); }) == overlap("reduce"));
  CHECK(refused([&](auto& me) { me.circular_shift(a, shifted, 1); }) == overlap("circular_shift"));
  CHECK(refused([&](auto& me) { me.all_to_all(a, shifted); }) == overlap("all_to_all"));
  // In place, what node 1 brings lies behind what node 0 brings.
  CHECK(refused([&](auto& me) { me.all_gather(part(data, 2, 4), wide); }) == overlap("all_gather"));
  CHECK(refused([&](auto& me) { me.gather(part(data, 2, 4), wide, 1); }) == overlap("gather"));
  CHECK(refused([&](auto& me) { me.scatter(wide, part(data, 2, 4), 1); }) == overlap("scatter"));
  CHECK(refused([&](auto& me) { me.reduce_scatter(wide, part(data, 6, 4), plus); }) ==
        overlap("reduce_scatter"));
  // The same with counts.
  const Sizes counts{2, 2}, places{0, 2};
  CHECK(refused([&](auto& me) { me.all_gather_v(part(data, 0, 2), a, {counts}); }) == overlap("all_gather"));
  CHECK(refused([&](auto& me) { me.gather_v(part(data, 1, 2), a, {counts}, 1); }) == overlap("gather"));
  CHECK(refused([&](auto& me) { me.scatter_v(a, {counts}, part(data, 0, 2), 1); }) == overlap("scatter"));
  CHECK(refused([&](auto& me) {
          me.all_to_all_v(a, {counts}, shifted, {counts, places});
        }) == overlap("all_to_all"));
  CHECK(refused([&](auto& me) { me.reduce_scatter_v(a, part(data, 2, 2), counts, plus); }) ==
        overlap("reduce_scatter"));
}

TEST_CASE("counts and displacements that do not fit") {
  Ints data(10), two(2), four(4), eleven(11);
  const auto refused = [&](const auto& call) {
    return refusal(3, [&](vnode::Node& me) {
      if (me.rank() == 1) call(me);
    });
  };
  const Sizes counts{3, 2, 5}, few{3, 2}, far{0, 3, 6}, near{0, 2, 5}, huge{std::size_t(-1), 2, 3};
  CHECK(refused([&](auto& me) { me.all_gather_v(two, data, {few}); }) ==
        "all_gather: there are 2 counts for out and 3 nodes");
  CHECK(refused([&](auto& me) { me.scatter_v(data, {}, two, 1); }) ==
        "scatter: there are 0 counts for in and 3 nodes");
  CHECK(refused([&](auto& me) {
          me.gather_v(two, data, {counts, few}, 1);
        }) == "gather: there are 2 displacements for out and 3 nodes");
  CHECK(refused([&](auto& me) { me.all_to_all_v(data, {counts}, eleven, {few}); }) ==
        "all_to_all: there are 2 counts for out and 3 nodes");
  CHECK(refused([&](auto& me) {
          me.all_gather_v(two, data, {counts, far});
        }) == "all_gather: part 2 of out, 5 elements from 6, is not within its 10 elements");
  CHECK(refused([&](auto& me) { me.scatter_v(data, {huge}, two, 1); }) ==
        "scatter: count 0 of in is -1: counts are 0 or more");
  CHECK(refused([&](auto& me) {
          me.scatter_v(data, Sizes{std::size_t(-1) / 2, 2, 3}, two, 1);
        }).find("scatter: part 0 of in, ") == 0);
  CHECK(refused([&](auto& me) {
          me.all_gather_v(two, data, {counts, near});
        }) == "all_gather: parts of out overlap at element 2");
  CHECK(refused([&](auto& me) {
          me.gather_v(two, data, {counts, near}, 1);
        }) == "gather: parts of out overlap at element 2");
  CHECK(refused([&](auto& me) {
          me.all_to_all_v(data, {counts}, data, {counts, near});
        }) == "all_to_all: parts of out overlap at element 2");
  CHECK(refused([&](auto& me) { me.all_gather_v(four, data, {counts}); }) ==
        "all_gather: in of node 1 has 4 elements, its count is 2");
  CHECK(refused([&](auto& me) { me.gather_v(four, data, {counts}, 1); }) ==
        "gather: in of node 1 has 4 elements, its count is 2");
  CHECK(refused([&](auto& me) { me.scatter_v(data, {counts}, four, 1); }) ==
        "scatter: out of node 1 has 4 elements, its count is 2");
  CHECK(refused([&](auto& me) { me.reduce_scatter_v(data, four, counts, plus); }) ==
        "reduce_scatter: out of node 1 has 4 elements, its count is 2");
  CHECK(refused([&](auto& me) { me.reduce_scatter_v(eleven, two, counts, plus); }) ==
        "reduce_scatter: in has 11 elements, the counts make 10");
  const Sizes other{3, 3, 4};
  CHECK(refused([&](auto& me) {
          me.all_to_all_v(data, {counts}, four, {Sizes{1, 1, 2}});
        }) == "all_to_all: node 1 sends itself 2 elements and expects 1");
  // Parts that are only read may overlap.
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([&](vnode::Node& me) {
    const Ints in{1, 2, 3};
    Ints out(2);
    me.scatter_v(in, {Sizes{2, 2, 2}, Sizes{1, 0, 1}}, out, 0);
    CHECK(out == (me.rank() == 1 ? Ints{1, 2} : Ints{2, 3}));
  });
}

TEST_CASE("counts may be integers of any type, a vector, a span, or in braces; negative ones are named") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    const Ints own(static_cast<std::size_t>(me.rank() + 1), me.rank());
    const Ints expected{0, 1, 1, 2, 2, 2};
    const Ints counts{1, 2, 3};
    const short displacements[] = {0, 1, 3};
    const std::vector<unsigned> unsigned_counts{1, 2, 3};
    const auto gathered = [&](const vnode::Partition& parts) {
      Ints out(6);
      me.all_gather_v(own, out, parts);
      return out;
    };
    CHECK(gathered(counts) == expected);
    CHECK(gathered({counts}) == expected);
    CHECK(gathered(std::span<const int>(counts)) == expected);
    CHECK(gathered(unsigned_counts) == expected);
    CHECK(gathered({1, 2, 3}) == expected);
    CHECK(gathered({counts, displacements}) == expected);
    CHECK(gathered({counts, {0, 1, 3}}) == expected);
    CHECK(gathered({{1, 2, 3}, {0, 1, 3}}) == expected);
    CHECK(gathered({counts, {}}) == expected);
    Ints ones(6, 1), mine(own.size());
    me.reduce_scatter_v(ones, mine, counts, plus);
    CHECK(mine == Ints(own.size(), 3));
    me.reduce_scatter_v(ones, {1, 2, 3}, plus);
    CHECK(ones.front() == 3);
    Ints all(me.rank() == 1 ? 6 : 0), back(own.size());
    me.gather_v(own, all, counts, 1);
    me.scatter_v(all, counts, back, 1);
    CHECK(back == own);
  });
  Ints data(6), one(1);
  const auto refused = [&](const auto& call) {
    return refusal(3, [&](vnode::Node& me) {
      if (me.rank() == 0) call(me);
    });
  };
  CHECK(refused([&](auto& me) {
          me.all_gather_v(one, data, Ints{1, 2, -3});
        }) == "all_gather: count 2 of out is -3: counts are 0 or more");
  CHECK(refused([&](auto& me) {
          me.reduce_scatter_v(data, one, {1, -1, 6}, plus);
        }) == "reduce_scatter: count 1 of in is -1: counts are 0 or more");
  CHECK(refused([&](auto& me) {
          me.gather_v(one, data, {Ints{1, 2, 3}, Ints{0, -1, 3}});
        }) == "gather: displacement 1 of out is -1: displacements are 0 or more");
}

TEST_CASE("a call that is refused has not begun: a node may catch it and go on") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    Ints x(3, me.rank()), y(2);
    CHECK_THROWS_AS(me.all_reduce(x, y, plus), vnode::UsageError);
    CHECK_THROWS_AS((void)me.nonblocking().all_reduce(x, y, plus), vnode::UsageError);
    CHECK_THROWS_AS((void)me.persistent().broadcast(x, 7), vnode::UsageError);
    if (me.rank() == 1) CHECK_THROWS_AS((void)me.isend(x, 5), vnode::UsageError);
    // What is found out when the call is planned.
    const vnode::CallOptions none{.algorithm = "broadcast_binomal"}, other{.algorithm = "reduce_binomial"},
        narrow{.algorithm = "broadcast_hypercube"};
    CHECK_THROWS_AS(me.broadcast(x, none), vnode::UsageError);
    CHECK_THROWS_AS(me.broadcast(x, other), vnode::UsageError);
    CHECK_THROWS_AS((void)me.nonblocking().broadcast(x, narrow), vnode::UsageError);
    CHECK_THROWS_AS((void)me.persistent().broadcast(x, narrow), vnode::UsageError);
    me.all_reduce(x, plus);
    CHECK(x == Ints(3, 3));
  });
}

TEST_CASE("who catches a refusal and makes another call than the others is told, and so are they") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  for (const bool leaves : {false, true}) {
    const std::string text = sentence<vnode::Mismatch>(team, [leaves](vnode::Node& me) {
      Ints x(300, me.rank());
      if (me.rank() != 1) {
        me.broadcast(x);
        return;
      }
      CHECK_THROWS_AS(me.broadcast(x, {.algorithm = "broadcast_hypercube"}), vnode::UsageError);
      if (!leaves) me.all_reduce(x, plus);
    });
    CAPTURE(text);
    CHECK(text.find("broadcast") != std::string::npos);
    CHECK(text != "the team is unusable");
  }
  // Who catches nothing ends the run of all.
  CHECK(refusal(3, [](vnode::Node& me) {
          Ints x(300, me.rank());
          me.broadcast(x, {.algorithm = me.rank() == 1 ? "broadcast_hypercube" : "broadcast_binomial"});
        }).find("broadcast_hypercube cannot run here") == 0);
}
