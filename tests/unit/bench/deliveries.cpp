#include <doctest/doctest.h>
#include <fmt/format.h>
#include <string>

#include <vnode/collective.hpp>

#include "collectives/task.hpp"
#include "data/work.hpp"

using namespace vnode;
using namespace vnode::bench;

namespace {

// "taker.place<giver.place+giver.place", one after the other.
std::string text(Collective collective, Setting setting) {
  setting.bytes = 8;
  std::string all;
  const auto made = task(collective, false, setting);
  for (const Delivery& delivery : made->deliveries.list) {
    all += fmt::format("{}{}.{}", all.empty() ? "" : " ", delivery.to.rank, delivery.to.place);
    char sign = '<';
    for (const Location& from : delivery.from) {
      all += fmt::format("{}{}.{}", sign, from.rank, from.place);
      sign = '+';
    }
  }
  return all;
}

}  // namespace

TEST_CASE("what goes where is what MPI says") {
  const Setting three{.nodes = 3, .root = 1, .shift = -1};
  CHECK(text(Collective::broadcast, three) == "0.0<1.0 1.0<1.0 2.0<1.0");
  CHECK(text(Collective::reduce, three) == "1.0<0.0+1.0+2.0");
  CHECK(text(Collective::all_gather, {.nodes = 2}) == "0.0<0.0 0.1<1.0 1.0<0.0 1.1<1.0");
  CHECK(text(Collective::reduce_scatter, {.nodes = 2}) == "0.0<0.0+1.0 1.0<0.1+1.1");
  CHECK(text(Collective::all_reduce, {.nodes = 2}) == "0.0<0.0+1.0 1.0<0.0+1.0");
  CHECK(text(Collective::scan, three) == "0.0<0.0 1.0<0.0+1.0 2.0<0.0+1.0+2.0");
  CHECK(text(Collective::exclusive_scan, three) == "1.0<0.0 2.0<0.0+1.0");
  CHECK(text(Collective::scatter, three) == "0.0<1.0 1.0<1.1 2.0<1.2");
  CHECK(text(Collective::gather, three) == "1.0<0.0 1.1<1.0 1.2<2.0");
  CHECK(text(Collective::all_to_all, {.nodes = 2}) == "0.0<0.0 0.1<1.0 1.0<0.1 1.1<1.1");
  CHECK(text(Collective::circular_shift, three) == "0.0<1.0 1.0<2.0 2.0<0.0");
}

TEST_CASE("broadcast and reduce are in place, the others are not") {
  for (const Collective collective : vnode::collectives()) {
    if (collective == Collective::barrier) continue;
    const auto made = task(collective, false, {.nodes = 3});
    CAPTURE(enums::name(collective));
    CHECK((made->in == made->out) ==
          (collective == Collective::broadcast || collective == Collective::reduce));
  }
}

TEST_CASE("work is what must be copied and combined, without what is there already") {
  CHECK(task(Collective::broadcast, false, {.nodes = 3})->work.movements.size() == 2);
  CHECK(task(Collective::all_to_all, false, {.nodes = 3})->work.movements.size() == 9);
  const auto all_reduce = task(Collective::all_reduce, false, {.nodes = 3});
  REQUIRE(all_reduce->work.folds.size() == 1);
  CHECK(all_reduce->work.folds[0].from.size() == 3);
  CHECK(all_reduce->work.folds[0].taps.size() == 3);
  CHECK(own_first(all_reduce->work, 2).folds[0].taps[0].taker == 2);
  const Work scan = task(Collective::scan, false, {.nodes = 4})->work;
  REQUIRE(scan.folds.size() == 1);
  for (int rank = 0; rank < 4; ++rank)
    CHECK(scan.folds[0].taps[static_cast<std::size_t>(rank)].after == rank + 1);
  const Work third = wanted_by(scan, 2);
  CHECK(third.folds[0].from.size() == 3);
  CHECK(third.folds[0].taps.size() == 1);
  CHECK(task(Collective::reduce_scatter, false, {.nodes = 3})->work.folds.size() == 3);
}
