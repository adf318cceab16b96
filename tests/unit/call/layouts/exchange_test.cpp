#include <array>
#include <doctest/doctest.h>
#include <numeric>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;
using vnode::Laid;
using vnode::laid;
using vnode::Neighbours;
using vnode::no_rank;
using vnode::Rank;
namespace layouts = vnode::layouts;

namespace {

/// Element i of what a node sends through its side number `side` in one of many calls.
long sent(Rank from, std::size_t side, std::size_t i, int call) {
  return ((from * 64L + static_cast<long>(side)) * 100 + call) * 1000003 + static_cast<long>(i);
}

constexpr long untouched = -7;

struct Sides {
  explicit Sides(const vnode::Group& group)
      : neighbours(group.topology(), group.rank()),
        crosses(group.topology().family() != vnode::Family::hypercube &&
                group.topology().family() != vnode::Family::full) {
    for (std::size_t i = 0; i < neighbours.sources().size(); ++i) {
      const Neighbours theirs = neighbours.sources()[i] == no_rank
                                    ? Neighbours()
                                    : Neighbours(group.topology(), neighbours.sources()[i]);
      std::size_t side = i ^ 1;
      for (std::size_t j = 0; !crosses && j < theirs.targets().size(); ++j)
        if (theirs.targets()[j] == group.rank()) side = j;
      theirs_of.push_back(side);
    }
  }
  Neighbours neighbours;
  bool crosses;
  std::vector<std::size_t> theirs_of;  // the side through which the source of part i sends
};

std::vector<vnode::Shape> shapes_for(int p) {
  std::vector<vnode::Shape> shapes{vnode::shapes::ring{}, vnode::shapes::array{}, vnode::shapes::mesh{},
                                   vnode::shapes::torus{}};
  if ((p & (p - 1)) == 0) shapes.emplace_back(vnode::shapes::hypercube{});
  if (p <= 12) shapes.emplace_back(vnode::shapes::full{});
  if (p == 8) shapes.emplace_back(vnode::shapes::torus{2, 2, 2});
  if (p == 12) shapes.emplace_back(vnode::shapes::torus{1, 3, 4});
  if (p == 64) shapes.emplace_back(vnode::shapes::torus{4, 4, 4});
  return shapes;
}

void check_part(const vnode::Group& me, const Sides& sides, std::size_t part, std::span<const long> got,
                int call) {
  const Rank from = sides.neighbours.sources()[part];
  for (std::size_t i = 0; i < got.size(); ++i) {
    const long expected = from == no_rank ? untouched : sent(from, sides.theirs_of[part], i, call);
    if (got[i] != expected) {
      INFO("node ", me.rank(), " part ", part, " element ", i, " in ", me.topology().text());
      REQUIRE(got[i] == expected);
    }
  }
}

}  // namespace

TEST_CASE("every side of every node sends to the other side of its neighbour, in all topologies and forms") {
  for (const int p : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 31, 64})
    for (const vnode::Shape& shape : shapes_for(p)) {
      vnode::Team team(p, shape, patient());
      team.run([&](vnode::Node& me) {
        const Sides sides(me);
        const std::size_t degree = sides.neighbours.sources().size();
        int call = 0;
        for (const std::size_t m :
             {std::size_t{0}, std::size_t{1}, std::size_t{50}, std::size_t{p > 16 ? 300u : 6000u}}) {
          std::vector<long> in(degree * m), out(degree * m);
          const auto fill = [&] {
            ++call;
            for (std::size_t i = 0; i < in.size(); ++i)
              in[i] = sent(me.rank(), i / std::max<std::size_t>(m, 1), i % std::max<std::size_t>(m, 1), call);
            out.assign(degree * m, untouched);
          };
          const auto check = [&] {
            for (std::size_t part = 0; part < degree; ++part)
              check_part(me, sides, part, std::span(out).subspan(part * m, m), call);
          };
          vnode::Persistent planned = me.persistent().exchange(in, out);
          for (int repeat = 0; repeat < 3; ++repeat) {
            fill();
            me.exchange(in, out);
            check();
            fill();
            vnode::Request request = me.nonblocking().exchange(in, out, sides.neighbours);
            request.wait();
            check();
            fill();
            planned.start();
            planned.wait();
            check();
          }
        }
      });
    }
}

TEST_CASE("parts have lengths and places of their own") {
  for (const int p : {1, 2, 4, 6, 16}) {
    vnode::Team team(p, vnode::shapes::torus{}, patient());
    team.run([&](vnode::Node& me) {
      const Sides sides(me);
      const std::size_t degree = sides.neighbours.sources().size();
      // What side s of node r sends is this long.
      const auto length = [](Rank r, std::size_t s) {
        return (static_cast<std::size_t>(r) * 5 + s * 3) % 7 * 60;
      };
      std::vector<std::size_t> in_counts, out_counts, places;
      std::size_t out_all = 0;
      for (std::size_t s = 0; s < degree; ++s) {
        in_counts.push_back(length(me.rank(), s));
        out_counts.push_back(length(sides.neighbours.sources()[s], sides.theirs_of[s]));
      }
      for (std::size_t s = degree; s-- > 0; out_all += out_counts[s] + 2)
        places.insert(places.begin(), out_all);
      std::vector<long> in, out(out_all, untouched);
      for (std::size_t s = 0; s < degree; ++s)
        for (std::size_t i = 0; i < in_counts[s]; ++i) in.push_back(sent(me.rank(), s, i, 1));
      me.exchange_v(in, in_counts, out, {out_counts, places});
      for (std::size_t s = 0; s < degree; ++s) {
        check_part(me, sides, s, std::span(out).subspan(places[s], out_counts[s]), 1);
        REQUIRE(out[places[s] + out_counts[s]] == untouched);
      }
    });
  }
}

TEST_CASE("a halo is exchanged where it lies") {
  constexpr std::size_t n = 20, frame = n + 2;
  for (const vnode::Shape& shape :
       {vnode::Shape(vnode::shapes::torus{}), vnode::Shape(vnode::shapes::mesh{})})
    for (const int p : {1, 2, 4, 9, 16}) {
      vnode::Team team(p, shape, patient());
      team.run([&](vnode::Node& me) {
        const auto at = [](std::size_t row, std::size_t column) { return row * frame + column; };
        const auto value = [](Rank rank, std::size_t row, std::size_t column) {
          return rank * 10000.0 + static_cast<double>(row * 100 + column);
        };
        std::vector<double> block(frame * frame, untouched);
        for (std::size_t i = 1; i <= n; ++i)
          for (std::size_t j = 1; j <= n; ++j) block[at(i, j)] = value(me.rank(), i, j);
        const auto strip = [&](std::size_t row, std::size_t column, bool is_row) {
          return laid(block,
                      layouts::subarray({frame, frame}, {is_row ? 1 : n, is_row ? n : 1}, {row, column}));
        };
        const std::array in{strip(1, 1, true), strip(n, 1, true), strip(1, 1, false), strip(1, n, false)};
        const std::array out{strip(0, 1, true), strip(n + 1, 1, true), strip(1, 0, false),
                             strip(1, n + 1, false)};
        for (int repeat = 0; repeat < 2; ++repeat) {
          me.exchange(in, out);
          const Neighbours around(me.topology(), me.rank());
          const auto expect = [&](std::size_t side, std::size_t row, std::size_t column) {
            const Rank from = around.sources()[side];
            return from == no_rank ? double{untouched} : value(from, row, column);
          };
          for (std::size_t i = 1; i <= n; ++i) {
            REQUIRE(block[at(0, i)] == expect(0, n, i));
            REQUIRE(block[at(n + 1, i)] == expect(1, 1, i));
            REQUIRE(block[at(i, 0)] == expect(2, i, n));
            REQUIRE(block[at(i, n + 1)] == expect(3, i, 1));
          }
          REQUIRE(block[at(0, 0)] == untouched);
          REQUIRE(block[at(n + 1, n + 1)] == untouched);
        }
      });
    }
}

TEST_CASE("lists of neighbours may be directed, name nobody, name one twice and the node itself") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    const Rank r = me.rank();
    // Everybody sends twice to the next and once to itself; node 0 sends to all besides, in another order.
    std::vector<Rank> targets{(r + 1) % 4, r, no_rank, (r + 1) % 4}, sources{r, (r + 3) % 4, (r + 3) % 4};
    if (r == 0) targets.insert(targets.end(), {3, 2, 1});
    if (r != 0) sources.insert(sources.begin(), 0);
    const Neighbours around(sources, targets);
    std::vector<int> in, out(sources.size(), -1);
    for (std::size_t i = 0; i < targets.size(); ++i) in.push_back(r * 10 + static_cast<int>(i));
    me.exchange(in, out, around);
    switch (r) {
      case 0:
        REQUIRE(out == std::vector{1, 30, 33});
        break;
      case 1:  // from 0: three messages, the first in each list first
        REQUIRE(out == std::vector{0, 11, 3, 6});
        break;
      case 2:
        REQUIRE(out == std::vector{5, 21, 10, 13});
        break;
      default:
        REQUIRE(out == std::vector{4, 31, 20, 23});
    }
    me.exchange(std::vector<int>(), std::vector<int>(), Neighbours());  // nobody, together
    const Neighbours one_way = r == 0 ? Neighbours({}, {1}) : r == 1 ? Neighbours({0}, {}) : Neighbours();
    std::vector<int> big(5000, r + 1), room(5000);
    me.exchange(std::span(big).first(r == 0 ? 5000 : 0), std::span(room).first(r == 1 ? 5000 : 0), one_way);
    REQUIRE(room == std::vector<int>(5000, r == 1 ? 1 : 0));
  });
}

TEST_CASE("exchanges are in flight beside each other, in groups, and in checked teams") {
  vnode::TeamOptions options = patient();
  options.checked = true;
  vnode::Team team(8, vnode::shapes::torus{2, 4}, options);
  team.run([](vnode::Node& me) {
    vnode::Group row = me.split(vnode::shapes::along{1});
    for (int round = 0; round < 20; ++round) {
      std::vector<int> a(4000, me.rank() + round), b(4000), c{row.rank() + round, row.rank() - round}, d(2);
      std::vector<int> e(8, me.rank()), f(8);
      vnode::Request first = me.nonblocking().exchange(a, b);
      vnode::Request second = row.nonblocking().exchange(c, d);
      me.all_to_all(e, f);
      vnode::Request third = me.nonblocking().exchange(e, f, Neighbours({me.rank()}, {me.rank()}));
      third.wait();
      second.wait();
      first.wait();
      REQUIRE(b[0] == (me.rank() + 4) % 8 + round);
      REQUIRE(b[2000] == me.rank() / 4 * 4 + (me.rank() + 3) % 4 + round);
      REQUIRE(d[0] == (row.rank() + 3) % 4 - round);
      REQUIRE(d[1] == (row.rank() + 1) % 4 + round);
      REQUIRE(e == f);
    }
  });
}

TEST_CASE("all_to_all takes a place and a layout for each rank") {
  for (const int p : {1, 2, 5, 9}) {
    vnode::Team team(p, vnode::shapes::full{}, patient());
    team.run([&](vnode::Node& me) {
      // The transpose of a matrix of p x p tiles of different heights: row tiles go out, column tiles come
      // in.
      const auto tile = [](Rank rank) { return 30 + 7 * static_cast<std::size_t>(rank); };
      std::size_t n = 0;
      std::vector<std::size_t> begin;
      for (Rank rank = 0; rank < p; n += tile(rank++)) begin.push_back(n);
      const std::size_t own = tile(me.rank()), own_begin = begin[static_cast<std::size_t>(me.rank())];
      std::vector<int> rows(own * n), columns(n * own);
      for (std::size_t i = 0; i < own; ++i)
        for (std::size_t j = 0; j < n; ++j) rows[i * n + j] = static_cast<int>((own_begin + i) * 1000 + j);
      std::vector<Laid<const int>> in;
      std::vector<Laid<int>> out;
      for (Rank rank = 0; rank < p; ++rank) {
        const std::size_t there = begin[static_cast<std::size_t>(rank)];
        in.push_back(laid(std::as_const(rows), layouts::subarray({own, n}, {own, tile(rank)}, {0, there})));
        // A column of the source's tile becomes a row here: as many rows as its tile has elements in one.
        out.push_back(laid(columns, layouts::subarray({n, own}, {tile(rank), own}, {there, 0})));
      }
      for (int repeat = 0; repeat < 2; ++repeat) {
        std::ranges::fill(columns, -1);
        me.all_to_all_w(in, out);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < own; ++j)
            REQUIRE(columns[i * own + j] == static_cast<int>(i * 1000 + own_begin + j));
      }
      vnode::Persistent planned = me.persistent().all_to_all_w(in, out);
      std::ranges::fill(columns, -1);
      planned.start();
      planned.wait();
      REQUIRE(columns.back() == static_cast<int>((n - 1) * 1000 + own_begin + own - 1));
    });
  }
}

TEST_CASE("exchanges that make no sense are refused with a sentence, and the run goes on") {
  std::vector<double> x(12), y(12);
  const auto alone = [&](const auto& body) {
    std::string text;
    vnode::Team team(1, vnode::shapes::torus{1, 1}, patient());
    team.run([&](vnode::Node& me) {
      try {
        body(me);
      } catch (const vnode::UsageError& error) {
        text = error.what();
      }
      me.exchange(x, y);
    });
    return text;
  };
  CHECK(alone([&](vnode::Node& me) { me.exchange(std::span(x).first(7), y); }) ==
        "exchange: in has 7 elements, which 4 neighbours cannot share equally");
  CHECK(alone([&](vnode::Node& me) { me.exchange(x, y, Neighbours({0}, {})); }) ==
        "exchange: in has 12 elements, which 0 neighbours cannot share equally");
  CHECK(alone([&](vnode::Node& me) { me.exchange(x, y, Neighbours({1}, {0})); }) ==
        "exchange: neighbour 1 is not a node of 1 node: ranks are 0 to 0, or no_rank");
  CHECK(alone([&](vnode::Node& me) { me.exchange(x, y, Neighbours({-1}, {0})); }) ==
        "exchange: neighbour -1 is not a node of 1 node: ranks are 0 to 0, or no_rank");
  CHECK(alone([&](vnode::Node& me) { me.exchange(x, std::span(y).first(8)); }) ==
        "exchange: node 0 sends itself 3 elements and expects 2");
  CHECK(alone([&](vnode::Node& me) { me.exchange(x, std::span(y).first(0), Neighbours({}, {0})); }) ==
        "exchange: node 0 is its own target more often than its own source");
  CHECK(alone([&](vnode::Node& me) { me.exchange(std::span(x).first(0), y, Neighbours({0}, {})); }) ==
        "exchange: node 0 is its own source more often than its own target");
  CHECK(alone([&](vnode::Node& me) {
          me.exchange_v(x, {1, 2, 3}, y, {1, 2, 3, 4});
        }) == "exchange: there are 3 counts for in and 4 neighbours");
  CHECK(alone([&](vnode::Node& me) {
          me.exchange_v(x, {1, 2, 3, 4}, y, {1, 2, 3, -4});
        }) == "exchange: part 3 of out, -4 elements from 6, is not within its 12 elements");
  CHECK(alone([&](vnode::Node& me) {
          me.exchange_v(x, {1, 2, 3, 4}, y, {{2, 1, 4, 3}, {0, 1, 4, 8}});
        }) == "exchange: part 0 of out and part 1 of out overlap: all that is written must be apart");
  CHECK(alone([&](vnode::Node& me) { me.exchange(x, x); }) ==
        "exchange: part 0 of in and part 0 of out overlap: all that is written must be apart");
  const auto some = [&](std::vector<double>& of) { return std::array{laid(of, layouts::vector(3, 1, 4))}; };
  CHECK(alone([&](vnode::Node& me) { me.exchange(some(x), some(y)); }) ==
        "exchange: in has 1 piece for 4 neighbours");
  const std::array twice{laid(y, layouts::indexed(1, {0, 3, 3}))};
  CHECK(alone([&](vnode::Node& me) { me.exchange(some(x), twice, Neighbours({0}, {0})); }) ==
        "exchange: part 0 of out has an element twice: what arrives there would be lost");
  // Elements of one byte, so that no number wraps around, and yet more than can be looked at one by one.
  std::array<char, 2> letters{};
  const vnode::Layout one = layouts::element().resized(0),
                      both = layouts::vector(2, 1, -1).shifted(1).resized(0);
  for (const vnode::Layout& layout : {one, both}) {
    const std::array many{laid(letters, layout.repeated(std::size_t{1} << 60))};
    CHECK(alone([&](vnode::Node& me) { me.exchange(many, many, Neighbours({0}, {0})); }) ==
          "exchange: part 0 of out has an element twice: what arrives there would be lost");
  }
  const std::array often{laid(letters, one.repeated(std::size_t{1} << 60))};
  std::array<char, 12> others{};
  const std::array column{laid(others, layouts::vector(3, 1, 4))};
  CHECK(alone([&](vnode::Node& me) { me.exchange(often, column, Neighbours({0}, {0})); }) ==
        "exchange: node 0 sends itself 1152921504606846976 elements and expects 3");
  CHECK(alone([&](vnode::Node& me) { me.exchange(some(x), some(x), Neighbours({0}, {0})); }) ==
        "exchange: part 0 of in and part 0 of out overlap: all that is written must be apart");
  const std::array columns{laid(x, layouts::vector(3, 1, 4)), laid(x, layouts::vector(3, 1, 4).shifted(1))};
  CHECK(alone([&](vnode::Node& me) {
          me.exchange(std::array{columns[0]}, std::array{columns[1]}, Neighbours({0}, {0}));
        }).empty());
  CHECK(refusal(
            4, [&](vnode::Node& me) { me.exchange(x, y); }, vnode::shapes::tree{}) ==
        "neighbours: the nodes of a tree are linked to switches and have no neighbours: list some, as "
        "Neighbours{sources, targets}");
}

TEST_CASE("neighbours that do not agree are told") {
  for (const std::size_t count : {3u, 3000u}) {
    vnode::Team team(2, vnode::shapes::array{}, patient());
    const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
      const std::size_t own = count + (me.rank() == 1 ? 1 : 0);
      std::vector<int> in(2 * own), out(2 * count);
      me.exchange(in, out);
    });
    CHECK(text == "node 1 sends " + std::to_string(count + 1) +
                      " elements to node 0 in call 1, which expects " + std::to_string(count) + " from it");
  }
  vnode::Team team(2, vnode::shapes::array{}, patient());
  const std::string other = sentence<vnode::Mismatch>(team, [](vnode::Node& me) {
    std::vector<int> in(2), out(2);
    std::vector<float> floats_in(2), floats_out(2);
    if (me.rank() == 0)
      me.exchange(in, out);
    else
      me.exchange(floats_in, floats_out);
  });
  CHECK(other.find("exchange of int") != std::string::npos);
  CHECK(other.find("exchange of float") != std::string::npos);
  const std::string barrier = sentence<vnode::Mismatch>(team, [](vnode::Node& me) {
    std::vector<int> in(2), out(2);
    if (me.rank() == 0)
      me.exchange(in, out);
    else
      me.barrier();
  });
  CHECK(barrier.find("exchange of int") != std::string::npos);
}

TEST_CASE(
    "what a layout picks is sent to the node itself where a receive waits for it, and refused where none "
    "does") {
  std::vector<int> x(3000 * 2, 5), y(3000 * 3, 1);
  const vnode::Layout every_second = layouts::vector(3000, 1, 2), every_third = layouts::vector(3000, 1, 3);
  vnode::Team team(1, vnode::shapes::full{}, patient());
  team.run([&](vnode::Node& me) {
    vnode::Request coming = me.irecv(laid(y, every_third), 0);
    me.send(laid(x, every_second), 0);
    coming.wait();
  });
  CHECK(y[0] == 5);
  CHECK(y[1] == 1);
  CHECK(y[3 * 2999] == 5);
  CHECK(!refusal(1, [&](vnode::Node& me) { me.send(laid(x, every_second), 0); }).empty());
}
