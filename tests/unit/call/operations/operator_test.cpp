#include <complex>
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include <vnode/vnode.hpp>

namespace {

/// Contiguous elements of any type, bool too.
template <class T>
class Elements {
 public:
  explicit Elements(std::size_t count) : data_(new T[count]()), count_(count) {}
  T* begin() const { return data_.get(); }
  T* end() const { return begin() + count_; }
  T& operator[](std::size_t i) const { return data_[i]; }

 private:
  std::unique_ptr<T[]> data_;
  std::size_t count_;
};

/// Returns what node `rank` brings as element `i`.
template <class T>
T value(int rank, std::size_t i) {
  return static_cast<T>((static_cast<std::size_t>(rank) * 11 + i * 5) % 7 % 4);
}

/// For the collectives of one node: every form gives what a loop over the ranks gives.
template <class T, class Make>
class Everywhere {
 public:
  /// `make(rank)` is the operator that node `rank` passes.
  Everywhere(vnode::Node& me, std::size_t count, Make make) : me_(me), count_(count), make_(make) {}

  void check() const {
    const auto p = static_cast<std::size_t>(me_.size()), rank = static_cast<std::size_t>(me_.rank());
    const Elements<T> in = brought(me_.rank(), count_), wide = brought(me_.rank(), p * count_);
    const int root = me_.size() / 2;
    in_all_forms(count_, me_.rank() == root ? 0 : -1, me_.size(),
                 [&](auto& all, auto& out) { return all.reduce(in, out, make_(me_.rank()), root); });
    in_all_forms(count_, 0, me_.size(),
                 [&](auto& all, auto& out) { return all.all_reduce(in, out, make_(me_.rank())); });
    in_all_forms(count_, 0, me_.rank() + 1,
                 [&](auto& all, auto& out) { return all.scan(in, out, make_(me_.rank())); });
    in_all_forms(count_, rank == 0 ? -1 : 0, me_.rank(),
                 [&](auto& all, auto& out) { return all.exclusive_scan(in, out, make_(me_.rank())); });
    in_all_forms(count_, static_cast<std::ptrdiff_t>(rank * count_), me_.size(),
                 [&](auto& all, auto& out) { return all.reduce_scatter(wide, out, make_(me_.rank())); });
    std::vector<std::size_t> counts;  // 0, then more and more, as far as they go
    std::size_t before = 0, sum = 0;
    for (std::size_t r = 0; r < p; ++r) {
      if (r == rank) before = sum;
      sum += counts.emplace_back(r * count_ / p);
    }
    const Elements<T> varied = brought(me_.rank(), sum);
    in_all_forms(counts[rank], static_cast<std::ptrdiff_t>(before), me_.size(), [&](auto& all, auto& out) {
      return all.reduce_scatter_v(varied, out, counts, make_(me_.rank()));
    });
  }

 private:
  static Elements<T> brought(int rank, std::size_t count) {
    Elements<T> made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = value<T>(rank, i);
    return made;
  }

  /// `out` must become the elements from `first` on, combined over the ranks below `ranks`; none if < 0.
  template <class Call>
  void in_all_forms(std::size_t count, std::ptrdiff_t first, int ranks, const Call& call) const {
    auto nonblocking = me_.nonblocking();
    auto persistent = me_.persistent();
    Elements<T> out(count), out_of_request(count), out_of_plan(count);
    vnode::Request request = call(nonblocking, out_of_request);
    call(me_, out);
    request.wait();
    vnode::Persistent planned = call(persistent, out_of_plan);
    for (int time = 0; time < 2; ++time) {
      planned.start();
      planned.wait();
    }
    if (first < 0) return;
    auto op = make_(0);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      T expected = value<T>(0, static_cast<std::size_t>(first) + i);
      for (int rank = 1; rank < ranks; ++rank)
        expected = static_cast<T>(op(expected, value<T>(rank, static_cast<std::size_t>(first) + i)));
      wrong += !(out[i] == expected) + !(out_of_request[i] == expected) + !(out_of_plan[i] == expected);
    }
    CHECK(wrong == 0);
  }

  vnode::Node& me_;
  std::size_t count_;
  Make make_;
};

template <class T, class Make>
void check_everywhere(const Make& make) {
  vnode::TeamOptions options;
  options.shared_from = 2000;  // so that both ends of a message combine
  options.time_limit = std::chrono::seconds(5);
  // The algorithms for a ring begin anywhere: none of them may serve where rank order counts.
  for (const vnode::Shape& shape : {vnode::Shape(vnode::shapes::full{}), vnode::Shape(vnode::shapes::ring{})})
    for (const int nodes : {1, 2, 3, 5, 8}) {
      vnode::Team team(nodes, shape, options);
      team.run([&](vnode::Node& me) {
        for (const std::size_t count : {1u, 7u, 900u}) Everywhere<T, Make>(me, count, make).check();
      });
    }
}

/// Checks an operator that is the same on all nodes and may be copied.
template <class T, class Operator>
void check_operator(const Operator& op) {
  check_everywhere<T>([&](int) { return op; });
}

/// x -> (a x + b) mod m, one after the other: associative, not commutative, and m is the operator's.
struct Line {
  std::uint32_t a, b;
  friend bool operator==(const Line&, const Line&) = default;
};
struct After {
  std::uint32_t m;
  Line operator()(const Line& first, const Line& second) const {
    return {first.a * second.a % m, (second.a * first.b + second.b) % m};
  }
};
template <>
Line value<Line>(int rank, std::size_t i) {
  return {static_cast<std::uint32_t>(rank) * 3 + 2, static_cast<std::uint32_t>(i % 9)};
}

template <>
vnode::Located<float> value<vnode::Located<float>>(int rank, std::size_t i) {
  return {value<float>(rank, i), (rank * 5 + 3) % 8};
}
template <>
vnode::Located<vnode::bfloat16> value<vnode::Located<vnode::bfloat16>>(int rank, std::size_t i) {
  return {value<vnode::bfloat16>(rank, i), (rank * 5 + 3) % 8};
}
template <>
std::complex<float> value<std::complex<float>>(int rank, std::size_t i) {
  return {value<float>(rank, i), value<float>(rank + 1, i)};
}
template <>
std::complex<double> value<std::complex<double>>(int rank, std::size_t i) {
  return {value<double>(rank, i), value<double>(rank + 1, i)};
}

int greatest_common_divisor(int a, int b) { return std::gcd(a, b); }

}

TEST_CASE_TEMPLATE("bitwise operators combine in all collectives", T, bool, std::int8_t, std::uint32_t,
                   long long) {
  check_operator<T>(std::bit_and<>{});
  check_operator<T>(std::bit_or<T>{});
  check_operator<T>(std::bit_xor<>{});
}

TEST_CASE_TEMPLATE("logical operators combine in all collectives", T, bool, char, int, double) {
  check_operator<T>(std::logical_and<>{});
  check_operator<T>(std::logical_or<T>{});
  check_operator<T>(vnode::logical_xor{});
}

TEST_CASE_TEMPLATE("floats of 16 bits and long double combine in all collectives", T, vnode::float16,
                   vnode::bfloat16, long double) {
  check_operator<T>(std::plus<>{});
  check_operator<T>(vnode::maximum{});
  check_operator<T>(vnode::logical_xor{});
}

TEST_CASE_TEMPLATE("sums and products of complex numbers combine in all collectives", T, std::complex<float>,
                   std::complex<double>) {
  check_operator<T>(std::plus<>{});
  check_operator<T>(std::multiplies<>{});
}

TEST_CASE("sums and products, the least and the greatest of bool combine in all collectives") {
  check_operator<bool>(std::plus<>{});
  check_operator<bool>(std::multiplies<bool>{});
  check_operator<bool>(vnode::minimum{});
  check_operator<bool>(vnode::maximum{});
}

TEST_CASE("the least and the greatest with their place combine in all collectives") {
  check_operator<vnode::Located<float>>(vnode::minimum_location{});
  check_operator<vnode::Located<float>>(vnode::maximum_location{});
  check_operator<vnode::Located<vnode::bfloat16>>(vnode::maximum_location{});
}

TEST_CASE("an operator with state keeps it, and rank order where it is not commutative") {
  check_operator<Line>(After{101});
  int m = 13;
  const auto sum = [m](int a, int b) { return (a + b) % m; };
  check_operator<int>(sum);
  check_operator<int>(vnode::commutative{sum});
}

TEST_CASE("the first or the last may win") {
  check_operator<int>([](int first, int) { return first; });
  check_operator<int>([](int, int last) { return last; });
  check_operator<bool>([](bool, bool last) { return last; });
}

TEST_CASE("functions and std::function are operators") {
  check_operator<int>(&greatest_common_divisor);
  check_operator<int>(vnode::commutative{std::function<int(int, int)>(&greatest_common_divisor)});
}

TEST_CASE("an operator may change while it works and need not be copyable") {
  const auto counting = [](int) {
    return [calls = std::make_unique<int>(0)](int a, int b) mutable { return ++*calls, a + b; };
  };
  static_assert(!std::is_copy_constructible_v<decltype(counting(0))>);
  check_everywhere<int>(counting);
  check_everywhere<int>([&](int rank) { return vnode::commutative{counting(rank)}; });
}
