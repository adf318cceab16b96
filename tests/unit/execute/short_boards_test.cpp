// Short calls of several nodes show publications and read them without an Execution
// (execute/short_program.hpp): in whatever order nodes come, laps of a board's slots after the first
// included.
#include <array>
#include <cstdint>
#include <doctest/doctest.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/model/schedule.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// The map x -> a x + b. To combine is to apply one after the other, which is associative and does not
/// commute.
struct Map {
  std::uint32_t a = 1, b = 0;
  friend bool operator==(const Map&, const Map&) = default;
};
struct Then {
  Map operator()(const Map& f, const Map& g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};

Map brought(int turn, int rank) {
  return {static_cast<std::uint32_t>(2 * rank + 3), static_cast<std::uint32_t>(turn + rank)};
}
/// Combines what nodes 0 to `last` bring, from left to right.
Map combined(int turn, int last) {
  Map all = brought(turn, 0);
  for (int rank = 1; rank <= last; ++rank) all = Then{}(all, brought(turn, rank));
  return all;
}

/// Lets another node be the last in each turn.
void dawdle(const vnode::Node& me, int turn) {
  if (turn % me.size() == me.rank())
    for (int i = 0; i < 3; ++i) std::this_thread::yield();
}

enum class CallForm { blocking, nonblocking, persistent };

/// Makes a call in a form, in each of more turns than a board has slots: `call(where)` makes it,
/// `check(turn)` looks at its result, and `write(turn)` writes what it brings.
template <class Call, class Write, class Check>
void in_turns(vnode::Node& me, CallForm form, const Call& call, const Write& write, const Check& check) {
  vnode::Persistent planned;
  if (form == CallForm::persistent) planned = call(me.persistent());
  for (int turn = 0; turn < 50; ++turn) {
    dawdle(me, turn);
    write(turn);
    if (form == CallForm::blocking)
      call(me);
    else if (form == CallForm::nonblocking)
      call(me.nonblocking()).wait();
    else
      planned.start(), planned.wait();
    check(turn);
  }
}

template <class Body>
void with_teams(const Body& body) {
  for (const int nodes : {3, 4, 5, 8, 16})
    for (const vnode::Wait wait : {vnode::Wait::automatic, vnode::Wait::park})
      for (const CallForm form : {CallForm::blocking, CallForm::nonblocking, CallForm::persistent}) {
        CAPTURE(nodes);
        CAPTURE(static_cast<int>(wait));
        CAPTURE(static_cast<int>(form));
        vnode::TeamOptions options = patient();
        options.wait = wait;
        vnode::Team team(nodes, vnode::shapes::full{}, options);
        body(team, form);
      }
}

}  // namespace

TEST_CASE("an operator that does not commute combines what all show by rank, in place and elsewhere") {
  with_teams([](vnode::Team& team, CallForm form) {
    for (const char* const algorithm : {"all_reduce_one_shot_direct", "all_reduce_central"})
      for (const bool in_place : {false, true})
        team.run([&](vnode::Node& me) {
          std::array<Map, 1> mine{}, result{};
          std::array<Map, 1>& out = in_place ? mine : result;
          in_turns(
              me, form,
              [&](auto&& where) { return where.all_reduce(mine, out, Then{}, {.algorithm = algorithm}); },
              [&](int turn) { mine[0] = brought(turn, me.rank()); },
              [&](int turn) { REQUIRE(out[0] == combined(turn, me.size() - 1)); });
        });
  });
}

TEST_CASE("a root reads what all others show, whoever it is; the others go on") {
  with_teams([](vnode::Team& team, CallForm form) {
    for (const int root : {0, team.size() - 1})
      team.run([&](vnode::Node& me) {
        std::array<Map, 1> mine{}, result{};
        in_turns(
            me, form,
            [&](auto&& where) {
              return where.reduce(mine, result, Then{}, root, {.algorithm = "reduce_direct"});
            },
            [&](int turn) { mine[0] = brought(turn, me.rank()); },
            [&](int turn) {
              if (me.rank() == root) REQUIRE(result[0] == combined(turn, me.size() - 1));
            });
      });
  });
}

TEST_CASE("all read what a root shows, and what each shows") {
  with_teams([](vnode::Team& team, CallForm form) {
    team.run([&](vnode::Node& me) {
      std::array<int, 3> from_root{};
      in_turns(
          me, form,
          [&](auto&& where) { return where.broadcast(from_root, 1, {.algorithm = "broadcast_direct"}); },
          [&](int turn) { from_root.fill(me.rank() == 1 ? turn : -1); },
          [&](int turn) {
            REQUIRE(from_root == std::array{turn, turn, turn});
          });
      std::array<int, 1> mine{};
      std::vector<int> all(static_cast<std::size_t>(me.size()));
      in_turns(
          me, form,
          [&](auto&& where) { return where.all_gather(mine, all, {.algorithm = "all_gather_direct"}); },
          [&](int turn) { mine[0] = 100 * turn + me.rank(); },
          [&](int turn) {
            for (int rank = 0; rank < me.size(); ++rank)
              REQUIRE(all[static_cast<std::size_t>(rank)] == 100 * turn + rank);
          });
    });
  });
}

TEST_CASE("each reads what those before it show") {
  with_teams([](vnode::Team& team, CallForm form) {
    team.run([&](vnode::Node& me) {
      std::array<Map, 1> mine{}, result{};
      in_turns(
          me, form,
          [&](auto&& where) {
            return where.scan(mine, result, Then{}, {.algorithm = "scan_one_shot_direct"});
          },
          [&](int turn) { mine[0] = brought(turn, me.rank()); },
          [&](int turn) { REQUIRE(result[0] == combined(turn, me.rank())); });
    });
  });
}

TEST_CASE("calls of several groups, and calls in flight, share no slots") {
  vnode::Team team(6, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    vnode::Group half = me.split(me.rank() % 2);
    for (int turn = 0; turn < 60; ++turn) {
      std::array<Map, 1> mine{brought(turn, half.rank())}, early{}, late{}, of_all{};
      vnode::Request first =
          half.nonblocking().all_reduce(mine, early, Then{}, {.algorithm = "all_reduce_one_shot_direct"});
      const std::array<Map, 1> own{brought(turn, me.rank())};
      me.all_reduce(own, of_all, Then{}, {.algorithm = "all_reduce_one_shot_direct"});
      half.all_reduce(mine, late, Then{}, {.algorithm = "all_reduce_one_shot_direct"});
      first.wait();
      REQUIRE(early[0] == combined(turn, half.size() - 1));
      REQUIRE(late[0] == early[0]);
      REQUIRE(of_all[0] == combined(turn, me.size() - 1));
    }
  });
}

TEST_CASE("bits are the same with and without a short program where rounding tells orders apart") {
  for (const bool deterministic : {false, true}) {
    vnode::TeamOptions options = patient();
    options.deterministic = deterministic;
    vnode::Team team(5, vnode::shapes::full{}, options), traced(5, vnode::shapes::full{}, options);
    traced.trace(1000);  // calls that are recorded take an Execution
    std::vector<std::array<float, 2>> sums(2);
    for (std::size_t i = 0; i < 2; ++i)
      (i == 0 ? team : traced).run([&](vnode::Node& me) {
        const std::array<float, 2> mine{1e8F / static_cast<float>(me.rank() + 1),
                                        0.1F * static_cast<float>(me.rank() + 7)};
        std::array<float, 2> sum{};
        for (int turn = 0; turn < 3; ++turn)
          me.all_reduce(mine, sum, std::plus<>{}, {.algorithm = "all_reduce_one_shot_direct"});
        if (me.rank() == 3) sums[i] = sum;
      });
    CHECK(sums[0] == sums[1]);
  }
}

TEST_CASE("each reads its own part of what others show, for itself or to combine it") {
  with_teams([](vnode::Team& team, CallForm form) {
    for (const std::size_t count : {1U, 2U, 5U})
      team.run([&](vnode::Node& me) {
        const auto p = static_cast<std::size_t>(me.size());
        const auto rank = static_cast<std::size_t>(me.rank());
        const auto number = [&](int turn, std::size_t from, std::size_t to, std::size_t i) {
          return turn * 10000 + static_cast<int>((from * p + to) * count + i);
        };
        std::vector<int> in(p * count), out(p * count), part(count);
        in_turns(
            me, form,
            [&](auto&& where) { return where.all_to_all(in, out, {.algorithm = "all_to_all_direct"}); },
            [&](int turn) {
              for (std::size_t i = 0; i < in.size(); ++i) in[i] = number(turn, rank, i / count, i % count);
            },
            [&](int turn) {
              for (std::size_t i = 0; i < out.size(); ++i)
                REQUIRE(out[i] == number(turn, i / count, rank, i % count));
            });
        in_turns(
            me, form,
            [&](auto&& where) { return where.scatter(in, part, 2, {.algorithm = "scatter_direct"}); },
            [&](int turn) {
              for (std::size_t i = 0; i < in.size(); ++i) in[i] = number(turn, 2, i / count, i % count);
            },
            [&](int turn) {
              for (std::size_t i = 0; i < count; ++i) REQUIRE(part[i] == number(turn, 2, rank, i));
            });
        std::vector<Map> maps(p * count), own(count);
        in_turns(
            me, form,
            [&](auto&& where) {
              return where.reduce_scatter(maps, own, Then{}, {.algorithm = "reduce_scatter_direct"});
            },
            [&](int turn) {
              for (std::size_t i = 0; i < maps.size(); ++i)
                maps[i] = brought(turn + static_cast<int>(i), me.rank());
            },
            [&](int turn) {
              for (std::size_t i = 0; i < count; ++i)
                REQUIRE(own[i] == combined(turn + static_cast<int>(rank * count + i), me.size() - 1));
            });
      });
  });
}

TEST_CASE("nobody leaves a barrier before all have begun it, and everybody sees what was done before") {
  with_teams([](vnode::Team& team, CallForm form) {
    // As barrier_central, but node 1 also signals to node 2: those who share cores do not meet at a counter.
    vnode::Schedule rounds(team.size(), 0);
    vnode::Round& in = rounds.next_round();
    for (int rank = 1; rank < team.size(); ++rank) in.push_back({rank, 0, vnode::Blocks::nothing});
    in.push_back({1, 2, vnode::Blocks::nothing});
    vnode::Round& out = rounds.next_round();
    for (int rank = 1; rank < team.size(); ++rank) out.push_back({0, rank, vnode::Blocks::nothing});
    const vnode::OwnSchedule released(std::move(rounds), "released");
    const vnode::CallOptions ways[] = {{.algorithm = "barrier_direct"}, {.schedule = &released}};
    for (const vnode::CallOptions& way : ways) {
      std::vector<int> done(static_cast<std::size_t>(2 * team.size()), -1);  // by parity of turn and rank
      team.run([&](vnode::Node& me) {
        const auto of = [&](int turn) { return done.begin() + turn % 2 * me.size(); };
        in_turns(
            me, form, [&](auto&& where) { return where.barrier(way); },
            [&](int turn) { of(turn)[me.rank()] = turn; },
            [&](int turn) {
              // Who is in the next turn writes elsewhere, and none is two turns ahead.
              for (int rank = 0; rank < me.size(); ++rank) REQUIRE(of(turn)[rank] == turn);
            });
      });
    }
  });
}
