// Values instead of ranges: what calls return, and where.
#include <complex>
#include <cstring>
#include <doctest/doctest.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

struct Particle {
  double mass = 0;
  int charge = 0;
  friend bool operator==(const Particle&, const Particle&) = default;
};
Particle joined(Particle a, Particle b) { return {a.mass + b.mass, a.charge + b.charge}; }

}

TEST_CASE("a reduction of one value returns the result, and the value stays as it is") {
  for (const int p : {1, 2, 3, 5, 8}) {
    vnode::Team team(p, vnode::shapes::full{}, patient());
    team.run([p](vnode::Node& me) {
      const double x = me.rank() + 0.5;
      const double s = me.all_reduce(x, std::plus<>{});
      CHECK(s == p * p / 2.0);
      CHECK(x == me.rank() + 0.5);
      CHECK(me.all_reduce(me.rank() * 2, vnode::maximum{}) == 2 * (p - 1));
      CHECK(me.all_reduce(me.rank() != p - 1, std::logical_and<>{}) == false);
      const Particle all = me.all_reduce(Particle{0.25, me.rank()}, joined);
      CHECK(all == Particle{p * 0.25, p * (p - 1) / 2});
      const int last = p - 1;
      CHECK(me.reduce(1, std::plus<>{}, last) == (me.rank() == last ? p : 0));
      CHECK(me.reduce(1, std::plus<>{}) == (me.rank() == 0 ? p : 0));
      CHECK(me.reduce(1, std::plus<>{}, {.algorithm = "reduce_binomial"}) == (me.rank() == 0 ? p : 0));
      CHECK(me.scan(me.rank() + 1, std::plus<>{}) == (me.rank() + 1) * (me.rank() + 2) / 2);
      CHECK(me.exclusive_scan(me.rank() + 1, std::plus<>{}) == me.rank() * (me.rank() + 1) / 2);
      CHECK(me.circular_shift(me.rank(), 1) == (me.rank() + p - 1) % p);
    });
  }
}

TEST_CASE("one value from each makes a vector, and one of a range goes to each") {
  for (const int p : {1, 2, 3, 5}) {
    vnode::Team team(p, vnode::shapes::full{}, patient());
    team.run([p](vnode::Node& me) {
      std::vector<long> tens;
      for (int r = 0; r < p; ++r) tens.push_back(10 * r);
      const int last = p - 1;
      CHECK(me.all_gather(10L * me.rank()) == tens);
      CHECK(me.gather(10L * me.rank(), last) == (me.rank() == last ? tens : std::vector<long>()));
      CHECK(me.gather(10L * me.rank()) == (me.rank() == 0 ? tens : std::vector<long>()));
      CHECK(me.scatter<long>(me.rank() == last ? tens : std::vector<long>(), last) == 10 * me.rank());
      CHECK(me.scatter<long>(tens) == 10 * me.rank());
      std::vector<int> all(static_cast<std::size_t>(p));
      const int own = me.rank();
      me.all_gather(own, all);
      CHECK(all.back() == p - 1);
      me.gather(own, all, last, {.algorithm = "gather_linear"});
    });
  }
}

TEST_CASE("a variable is broadcast, sent and received as a range of one is") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    int x = me.rank();
    me.broadcast(x, 2);
    CHECK(x == 2);
    Particle particle{me.rank() + 1.0, me.rank()};
    me.broadcast(particle);
    CHECK(particle == Particle{1, 0});
    const int next = (me.rank() + 1) % 3, before = (me.rank() + 2) % 3;
    CHECK(me.sendrecv(me.rank(), next, x, before) == 1);
    CHECK(x == before);
    vnode::Request out = me.isend(x, next, 7);
    CHECK(me.recv<int>(before, 7) == (before + 2) % 3);
    out.wait();
    double y = 0;
    vnode::Request in = me.irecv(y, before);
    me.send(me.rank() / 2.0, next);
    in.wait();
    CHECK(y == before / 2.0);
    CHECK(in.count() == 1);
  });
}

TEST_CASE("variables of calls that go on are written when these are complete") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    int x = me.rank(), y = 0, z = me.rank();
    vnode::Request sum = me.nonblocking().all_reduce(x, y, std::plus<>{});
    vnode::Request same = me.nonblocking().broadcast(std::span(&z, 1), {.algorithm = "broadcast_binomial"});
    sum.wait();
    same.wait();
    CHECK(y == 6);
    CHECK(z == 0);
    vnode::Persistent planned = me.persistent().all_reduce(x, std::plus<>{});
    for (int start = 0; start < 3; ++start) {
      x = me.rank() + start;
      planned.start();
      planned.wait();
      CHECK(x == 6 + 4 * start);
    }
  });
}

TEST_CASE("who receives one element is told of a message without any, or with more") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  const auto receiving = [](std::size_t count) {
    return [count](vnode::Node& me) {
      const std::vector<int> data(count);
      if (me.rank() == 0) {
        me.send(data, 1);
        return;
      }
      const int received = me.recv<int>(0);
      CHECK(received == 0);
    };
  };
  CHECK(sentence<vnode::Mismatch>(team, receiving(1)) == "");
  CHECK(sentence<vnode::Mismatch>(team, receiving(0)) ==
        "node 1 receives one element from node 0, whose message has none");
  CHECK(sentence<vnode::Mismatch>(team, receiving(2)) != "");
}

TEST_CASE("pairs are elements, by themselves and in ranges") {
  using Place = std::pair<double, int>;
  static_assert(vnode::is_element<Place> && vnode::is_element<std::pair<Place, char>>);
  static_assert(!vnode::is_element<std::pair<int, std::string>>);
  vnode::Team team(5, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    const auto least = vnode::commutative{[](const Place& a, const Place& b) { return std::min(a, b); }};
    const Place here{(me.rank() + 3) % 5 / 2.0, me.rank()};
    CHECK(me.all_reduce(here, least) == Place{0, 2});
    std::vector<Place> places(300, here);
    me.all_reduce(places, least);
    CHECK(places == std::vector<Place>(300, Place{0, 2}));
    CHECK(me.all_gather(here)[4] == Place{1, 4});
    Place sent = here;
    me.broadcast(sent, 1);
    CHECK(sent == Place{2, 1});
  });
}

TEST_CASE("sums and products of complex numbers are commutative, with the same bits on all nodes") {
  using Number = std::complex<double>;
  static_assert(vnode::is_commutative<std::plus<>, Number> &&
                vnode::is_commutative<std::multiplies<Number>, Number> &&
                vnode::is_commutative<std::plus<>, std::complex<float>>);
  static_assert(!vnode::is_commutative<std::minus<>, Number> &&
                !vnode::is_commutative<std::plus<>, Particle>);
  vnode::Team team(6, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    const double r = me.rank();
    std::vector<Number> all(6), x(12, Number{1 + r / 7, r / 3}), y = x;
    for (const std::string_view algorithm : {"all_reduce_ring", "all_reduce_doubling", ""}) {
      std::vector<Number> product = x;
      me.all_reduce(product, std::multiplies<>{}, {.algorithm = algorithm});
      me.all_gather(product.front(), all);
      for (const Number& other : all) CHECK(std::memcmp(&other, &all[0], sizeof(other)) == 0);
    }
    me.all_reduce(y, std::plus<>{}, {.algorithm = "all_reduce_ring"});
    CHECK(y.front().imag() == doctest::Approx(5));
  });
}

TEST_CASE("options need no root before them") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<int> x(8, me.rank()), y(8), part(2);
    const std::vector<int> counts{2, 2, 2, 2};
    me.broadcast(x, {.algorithm = "broadcast_linear"});
    CHECK(me.last_algorithm() == "broadcast_linear");
    me.reduce(x, y, std::plus<>{}, {.algorithm = "reduce_linear"});
    CHECK(me.last_algorithm() == "reduce_linear");
    const vnode::CallOptions linear{.algorithm = "reduce_linear"};
    me.reduce(x, std::plus<>{}, linear);
    me.scatter(x, part, {.algorithm = "scatter_linear"});
    CHECK(me.last_algorithm() == "scatter_linear");
    me.gather(part, x, {.algorithm = "gather_linear"});
    CHECK(me.last_algorithm() == "gather_linear");
    me.gather_v(part, x, counts, {.algorithm = "gather_linear"});
    me.scatter_v(x, counts, part, {.algorithm = "scatter_linear"});
    CHECK(me.last_algorithm() == "scatter_linear");
  });
}
