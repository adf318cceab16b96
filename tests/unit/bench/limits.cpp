#include "limits/limits.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

#include "collectives/question.hpp"
#include "data/element.hpp"
#include "data/pattern.hpp"
#include "limits/kernels.hpp"
#include "limits/mailbox.hpp"
#include "limits/raw.hpp"

using namespace vnode;
using namespace vnode::bench;

namespace {

// Nobody waits for anybody in a limit that moves data: the callers can come one after the other.
void call_all(const Contestant& contestant, int callers) {
  for (Rank rank = callers - 1; rank >= 0; --rank) contestant.call({rank, nullptr});
}

// By hand they do wait for each other. One comes late every fifth time, another every sixth, and so on.
void call_together(const Contestant& contestant, int callers, int times,
                   const std::function<void(Rank, int)>& before,
                   const std::function<void(Rank, int)>& after) {
  std::barrier<> meeting{callers};
  const auto body = [&](Rank rank) {
    for (int time = 0; time < times; ++time) {
      before(rank, time);
      meeting.arrive_and_wait();
      if (time % (rank + 5) == 1) std::this_thread::yield();
      contestant.call({rank, nullptr});
      meeting.arrive_and_wait();
      after(rank, time);
    }
  };
  std::vector<std::thread> others;
  for (Rank rank = 1; rank < callers; ++rank) others.emplace_back(body, rank);
  body(0);
  for (std::thread& other : others) other.join();
}

/// Calls the loops by hand of an operation `times` times, and checks each result. Returns their names.
std::vector<std::string> checked_by_hand(Collective collective, int nodes, std::size_t bytes, int times) {
  CAPTURE(enums::name(collective));
  CAPTURE(bytes);
  CAPTURE(nodes);
  const Question question =
      collective_question(task(collective, false, {.nodes = nodes, .bytes = bytes, .root = nodes - 1}));
  const auto by_hand = std::ranges::find(question.limits, "raw", &Limit::name);
  REQUIRE(by_hand != question.limits.end());
  std::vector<std::string> names;
  for (const Contestant& variant : by_hand->variants) {
    CAPTURE(variant.by);
    names.push_back(variant.by);
    // Who waits without PAUSE does the same, and once is enough on a busy machine.
    if (variant.by.ends_with("spin") && (nodes > 2 || collective != Collective::all_reduce)) continue;
    std::vector<std::size_t> wrong(static_cast<std::size_t>(nodes));
    call_together(
        variant, nodes, times,
        [&](Rank rank, int time) {
          question.rewrite({rank, nullptr}, static_cast<Iteration>(time));
        },
        [&](Rank rank, int time) {
          wrong[static_cast<std::size_t>(rank)] +=
              question.wrong({rank, nullptr}, variant, static_cast<Iteration>(time));
        });
    CHECK(wrong == std::vector<std::size_t>(wrong.size()));
  }
  return names;
}

}  // namespace

TEST_CASE("every copying limit copies everything to everybody") {
  for (const int p : {2, 3, 5})
    for (const std::size_t bytes : std::initializer_list<std::size_t>{64, 200, 4096, 100008})
      for (const Rank root : {0, p - 1}) {
        const Vectors data{p, bytes};
        const Pattern pattern{Arithmetic::f64, std::nullopt, 1};
        std::vector<Movement> movements;
        for (Rank rank = 0; rank < p; ++rank)
          if (rank != root) movements.push_back({root, rank, data[root], data[rank]});
        const Work work{bytes, movements, {}};
        for (const Limit& limit : {copying(work), copying_alone(work)})
          for (const Contestant& variant : limit.variants) {
            CAPTURE(variant.by);
            for (Rank rank = 0; rank < p; ++rank) pattern.write(data[rank], bytes, rank, 0);
            call_all(with_first_read(variant, data, {root}), p);
            for (Rank rank = 0; rank < p; ++rank) CHECK(pattern.differing(data[rank], bytes, {root}, 0) == 0);
          }
      }
}

TEST_CASE("every combining limit combines everything into the root's vector and nothing into others'") {
  for (const Arithmetic type : datatypes.values)
    for (const auto& op : operators)
      for (const int p : {2, 4}) {
        CAPTURE(datatypes[type]);
        CAPTURE(op.name);
        if (!has_operator(type, op.value)) continue;
        constexpr std::size_t bytes = 40016;
        const Rank root = p / 2;
        const Vectors data{p, bytes};
        const Pattern pattern{type, op.value, 2};
        Fold fold{{}, {{root, data[root], p}}};
        std::vector<Pattern::Source> all;
        for (Rank rank = 0; rank < p; ++rank) {
          fold.from.push_back(data[rank]);
          all.push_back({rank});
        }
        const Work work{bytes, {}, {fold}};
        for (const Limit& limit :
             {combining(work, p, type, op.value), combining_alone(work, p, type, op.value),
              combining_by_vnode(work, p, type, op.value)})
          for (const Contestant& variant : limit.variants) {
            CAPTURE(variant.by);
            for (Rank rank = 0; rank < p; ++rank) pattern.write(data[rank], bytes, rank, 5);
            call_all(variant, p);
            for (Rank rank = 0; rank < p; ++rank)
              CHECK((rank == root ? pattern.differing_from_combination(data[rank], bytes, all, 5)
                                  : pattern.differing(data[rank], bytes, {rank}, 5)) == 0);
          }
      }
}

TEST_CASE("by hand, every operation does what it asks for, call after call") {
  for (const Collective collective : collectives()) {
    if (collective == Collective::barrier) continue;
    for (const std::size_t bytes : {line_payload, std::size_t{56}, most_raw_bytes})
      CHECK(checked_by_hand(collective, 2, bytes, 20).size() == (bytes <= line_payload ? 2 : 6));
    checked_by_hand(collective, 3, line_payload, 20);
    checked_by_hand(collective, 3, 56, 4);
  }
}

TEST_CASE("by hand, one result of all and one vector for all go over trees too") {
  using Names = std::vector<std::string>;
  CHECK(checked_by_hand(Collective::all_reduce, 7, 8, 10) ==
        Names{"mail spin", "flat spin", "radix 4 spin", "mail pause", "flat pause", "radix 4 pause"});
  CHECK(checked_by_hand(Collective::reduce, 7, 8, 10) ==
        Names{"mail spin", "flat spin", "radix 4 spin", "mail pause", "flat pause", "radix 4 pause"});
  CHECK(checked_by_hand(Collective::broadcast, 7, 8, 10) ==
        Names{"mail spin", "radix 4 spin", "mail pause", "radix 4 pause"});
  CHECK(checked_by_hand(Collective::all_gather, 7, 8, 3) == Names{"mail spin", "mail pause"});
}

TEST_CASE("no barrier by hand lets anybody out before all are in") {
  for (const int nodes : {2, 3, 7}) {
    const Limit limit = raw({}, all_of(nodes), Arithmetic::f64, StandardOperator::plus, true);
    CHECK(limit.variants.size() == (nodes == 2 ? 2 : nodes == 3 ? 4 : 6));
    for (const Contestant& variant : limit.variants) {
      if (variant.by.ends_with("spin")) continue;
      CAPTURE(variant.by);
      constexpr int times = 10;
      std::array<std::atomic<int>, times> inside{};
      std::atomic<int> early{0};
      std::vector<std::thread> callers;
      for (Rank rank = 0; rank < nodes; ++rank)
        callers.emplace_back([&, rank] {
          for (std::atomic<int>& of_turn : inside) {
            of_turn.fetch_add(1, std::memory_order_relaxed);
            variant.call({rank, nullptr});
            if (of_turn.load(std::memory_order_relaxed) != nodes) ++early;
          }
        });
      for (std::thread& caller : callers) caller.join();
      CHECK(early == 0);
    }
  }
}

TEST_CASE("a mailbox lets its writer be ahead by its slots, and keeps the order") {
  for (const bool answered : {false, true}) {
    Mailbox box{100, answered, true};
    const auto ahead = static_cast<int>(box.slots());
    for (int number = 0; number < 50 * ahead; ++number) {
      for (int i = 0; number % ahead == 0 && i < ahead; ++i) {
        std::memset(box.next(), number + i, 100);
        box.post();
      }
      const std::size_t slot = box.await();
      CHECK(box.message(slot)[99] == static_cast<std::byte>(number));
      box.take();
    }
  }
}
