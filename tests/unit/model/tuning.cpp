#include <doctest/doctest.h>
#include <vector>

#include <vnode/model/tuning.hpp>

using namespace vnode;

namespace {

constexpr Collective all_reduce = Collective::all_reduce;

// One shot is quick up to 4 KiB, the ring from 64 KiB on, each twice as slow or worse at the other end.
const std::vector<TunedPoint> points{{all_reduce, 4, false, 1024, {{"one_shot", 1e-6}}},
                                     {all_reduce, 4, false, 4096, {{"one_shot", 2e-6}, {"ring", 3e-6}}},
                                     {all_reduce, 4, false, 65536, {{"ring", 12e-6}}},
                                     {all_reduce, 16, false, 4096, {{"one_shot", 8e-6}}},
                                     {all_reduce, 64, true, 4096, {{"one_shot", 1e-3}}},
                                     {Collective::broadcast, 4, false, 1024, {{"linear", 1e-7}}}};

auto of(std::string_view algorithm, int nodes, std::size_t bytes, bool share_pus = false) {
  return tuned_seconds(points, all_reduce, algorithm, nodes, share_pus, bytes);
}

}  // namespace

TEST_CASE("measured times are those of their points, and lie on lines between logarithms elsewhere") {
  CHECK(of("one_shot", 4, 1024) == doctest::Approx(1e-6));
  CHECK(of("one_shot", 4, 4096) == doctest::Approx(2e-6));
  CHECK(of("one_shot", 4, 2048) == doctest::Approx(1.41421e-6));
  CHECK(of("ring", 4, 16384) == doctest::Approx(6e-6));
  CHECK(of("one_shot", 8, 4096) == doctest::Approx(4e-6));
}

TEST_CASE("an algorithm that is missing at a point takes twice the best one's time there") {
  CHECK(of("ring", 4, 1024) == std::nullopt);
  CHECK(of("ring", 4, 2048) == doctest::Approx(2.44949e-6));       // between 2 us and 3 us
  CHECK(of("one_shot", 4, 16384) == doctest::Approx(6.92820e-6));  // between 2 us and 24 us
  CHECK(of("ring", 8, 4096) == doctest::Approx(6.92820e-6));       // between 3 us and 16 us
}

TEST_CASE(
    "what is shorter or longer than anything measured goes by the nearest, other numbers of nodes do not") {
  CHECK(of("one_shot", 4, 8) == doctest::Approx(1e-6));
  CHECK(of("one_shot", 4, 0) == doctest::Approx(1e-6));
  CHECK(of("ring", 4, 1 << 20) == doctest::Approx(16 * 12e-6));
  CHECK(of("one_shot", 2, 4096) == std::nullopt);
  CHECK(of("one_shot", 17, 4096) == std::nullopt);
  CHECK(of("one_shot", 64, 4096) == std::nullopt);
  CHECK(of("one_shot", 64, 4096, true) == doctest::Approx(1e-3));
  CHECK(of("one_shot", 4, 4096, true) == std::nullopt);
  CHECK(of("linear", 4, 1024) == std::nullopt);
  CHECK(tuned_seconds({}, all_reduce, "ring", 4, false, 8) == std::nullopt);
}
