#include "limits/limits.hpp"

#include <doctest/doctest.h>
#include <initializer_list>

#include "data/element.hpp"
#include "data/pattern.hpp"
#include "limits/kernels.hpp"

using namespace vnode;
using namespace vnode::bench;

namespace {

// Nobody waits for anybody in a limit that moves data: the callers can come one after the other.
void call_all(const Contestant& contestant, int callers) {
  for (Rank rank = callers - 1; rank >= 0; --rank) contestant.call({rank, nullptr});
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
  for (const auto& type : datatypes)
    for (const auto& op : operators)
      for (const int p : {2, 4}) {
        CAPTURE(type.name);
        CAPTURE(op.name);
        constexpr std::size_t bytes = 40008;
        const Rank root = p / 2;
        const Vectors data{p, bytes};
        const Pattern pattern{type.value, op.value, 2};
        Fold fold{{}, {{root, data[root], p}}};
        std::vector<Pattern::Source> all;
        for (Rank rank = 0; rank < p; ++rank) {
          fold.from.push_back(data[rank]);
          all.push_back({rank});
        }
        const Work work{bytes, {}, {fold}};
        for (const Limit& limit :
             {combining(work, p, type.value, op.value), combining_alone(work, p, type.value, op.value),
              combining_by_vnode(work, p, type.value, op.value)})
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

TEST_CASE("what one node knows needs ceil(log2 p) rounds to reach all") {
  CHECK(rounds_at_least(1) == 0);
  CHECK(rounds_at_least(2) == 1);
  CHECK(rounds_at_least(3) == 2);
  CHECK(rounds_at_least(8) == 3);
  CHECK(rounds_at_least(9) == 4);
}
