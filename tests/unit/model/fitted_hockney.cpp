#include <doctest/doctest.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/message_costs.hpp>

using namespace vnode;

TEST_CASE("times that follow the model give back its t_s and t_w") {
  std::vector<MessageTime> times;
  for (std::size_t bytes = 8; bytes <= 1 << 20; bytes *= 4)
    times.push_back({bytes, 2e-7 + static_cast<double>(bytes) * 5e-11});
  const Hockney fitted = fitted_hockney(times);
  CHECK(fitted.t_s == doctest::Approx(2e-7));
  CHECK(fitted.t_w == doctest::Approx(5e-11));
}

TEST_CASE("errors count relative to the time, so that long messages do not hide short ones") {
  const std::vector<MessageTime> times{{1, 1000}, {1000000, 1.0e8}, {10000000, 1.1e9}};
  const Hockney fitted = fitted_hockney(times);
  CHECK(fitted.t_s == doctest::Approx(900).epsilon(0.05));
  CHECK(fitted.t_w == doctest::Approx(104).epsilon(0.03));
}

TEST_CASE("neither falls below 0: what is left is fitted alone") {
  const Hockney shrinking = fitted_hockney(std::vector<MessageTime>{{1, 10}, {100, 5}});
  CHECK(shrinking.t_w == 0);
  CHECK(shrinking.t_s == doctest::Approx(6));  // least of (t_s / 10 - 1)^2 + (t_s / 5 - 1)^2
  const Hockney steep = fitted_hockney(std::vector<MessageTime>{{1, 1}, {2, 4}});
  CHECK(steep.t_s == 0);
  CHECK(steep.t_w == doctest::Approx(1.2));
}

TEST_CASE("one length, or a time that is none, fits nothing") {
  CHECK_THROWS_AS(fitted_hockney({}), UsageError);
  CHECK_THROWS_AS(fitted_hockney(std::vector<MessageTime>{{8, 1}, {8, 2}}), UsageError);
  CHECK_THROWS_AS(fitted_hockney(std::vector<MessageTime>{{8, 1}, {16, 0}}), UsageError);
  CHECK_THROWS_AS(fitted_hockney(std::vector<MessageTime>{{8, 1}, {16, 1.0 / 0.0}}), UsageError);
}
