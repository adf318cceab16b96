#include "limits/limits.hpp"

#include <algorithm>
#include <array>
#include <barrier>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <initializer_list>
#include <thread>

#include "collectives/question.hpp"
#include "data/element.hpp"
#include "data/pattern.hpp"
#include "limits/kernels.hpp"
#include "limits/raw.hpp"

using namespace vnode;
using namespace vnode::bench;

namespace {

// Nobody waits for anybody in a limit that moves data: the callers can come one after the other.
void call_all(const Contestant& contestant, int callers) {
  for (Rank rank = callers - 1; rank >= 0; --rank) contestant.call({rank, nullptr});
}

// By hand they do wait for each other. The second comes late every seventh time, and the first every fifth.
void call_both(const Contestant& contestant, int times, const std::function<void(Rank, int)>& before,
               const std::function<void(Rank, int)>& after) {
  std::barrier<> meeting{2};
  const auto body = [&](Rank rank) {
    for (int time = 0; time < times; ++time) {
      before(rank, time);
      meeting.arrive_and_wait();
      if (time % (rank == 0 ? 5 : 7) == 1) std::this_thread::yield();
      contestant.call({rank, nullptr});
      meeting.arrive_and_wait();
      after(rank, time);
    }
  };
  std::thread other{body, 1};
  body(0);
  other.join();
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

TEST_CASE("by hand, every operation on two nodes does what the operation asks for, call after call") {
  for (const Collective collective : collectives()) {
    if (collective == Collective::barrier) continue;
    CAPTURE(enums::name(collective));
    for (const std::size_t bytes : {line_payload, std::size_t{56}, most_raw_bytes}) {
      CAPTURE(bytes);
      const SharedTask asked = task(collective, false, {.nodes = 2, .bytes = bytes, .root = 1});
      const Question question = collective_question(asked);
      const auto by_hand = std::ranges::find(question.limits, "raw", &Limit::name);
      REQUIRE(by_hand != question.limits.end());
      CHECK(by_hand->variants.size() == (bytes <= line_payload ? 2 : 6));
      for (const Contestant& variant : by_hand->variants) {
        CAPTURE(variant.by);
        // Who waits without PAUSE does the same, and once is enough on a busy machine.
        if (variant.by.ends_with("spin") && collective != Collective::all_reduce) continue;
        std::array<std::size_t, 2> wrong{};
        call_both(
            variant, 20,
            [&](Rank rank, int time) {
              question.rewrite({rank, nullptr}, static_cast<Iteration>(time));
            },
            [&](Rank rank, int time) {
              wrong[static_cast<std::size_t>(rank)] +=
                  question.wrong({rank, nullptr}, variant, static_cast<Iteration>(time));
            });
        CHECK(wrong == std::array<std::size_t, 2>{});
      }
    }
  }
}

TEST_CASE("with three nodes, or above 8 KiB, the limit is not what a loop by hand takes") {
  for (const auto& [nodes, bytes] : {std::pair{3, std::size_t{1024}}, std::pair{2, 2 * most_raw_bytes}}) {
    const Question question =
        collective_question(task(Collective::all_reduce, false, {.nodes = nodes, .bytes = bytes}));
    for (const Limit& limit : question.limits) CHECK(limit.name != "raw");
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

TEST_CASE("what one node knows needs ceil(log2 p) rounds to reach all") {
  CHECK(rounds_at_least(1) == 0);
  CHECK(rounds_at_least(2) == 1);
  CHECK(rounds_at_least(3) == 2);
  CHECK(rounds_at_least(8) == 3);
  CHECK(rounds_at_least(9) == 4);
}
