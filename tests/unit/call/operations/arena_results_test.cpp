#include <cstddef>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include <vnode/model/select.hpp>
#include <vnode/vnode.hpp>

#include "arenas.hpp"
#include "brief.hpp"
#include "child_case.hpp"

using namespace vnode;
using vnode_test::two_domains;

namespace {

/// All results of one node, byte by byte.
class Results {
 public:
  template <class T>
  void add(const std::vector<T>& values) {
    const std::size_t size = bytes_.size();
    bytes_.resize(size + values.size() * sizeof(T));
    std::memcpy(bytes_.data() + size, values.data(), values.size() * sizeof(T));
  }
  friend bool operator==(const Results&, const Results&) = default;

 private:
  std::vector<std::byte> bytes_;
};

/// No multiple of anything, and longer than three segments.
template <class T>
constexpr std::size_t enough = 110'003 / sizeof(T);

template <class T>
std::vector<T> values(int rank, std::size_t count) {
  std::vector<T> made(count);
  for (std::size_t i = 0; i < count; ++i)
    made[i] =
        static_cast<T>(static_cast<T>((i * 2654435761u + static_cast<std::size_t>(rank) * 40503u) % 251) /
                       static_cast<T>(7));
  return made;
}

template <class T, class Operator>
void combine(Node& me, Results& results, Operator op) {
  const auto p = static_cast<std::size_t>(me.size());
  const std::vector<T> in = values<T>(me.rank(), enough<T>), wide = values<T>(me.rank(), p * enough<T>);
  std::vector<T> out(in.size());
  me.all_reduce(in, out, op);
  results.add(out);
  me.reduce(in, out, op, 1);
  results.add(out);
  me.scan(in, out, op);
  results.add(out);
  me.reduce_scatter(wide, out, op);
  results.add(out);
  out = in;
  me.all_reduce(out, op);
  results.add(out);
}

template <class T>
void combine_all(Node& me, Results& results) {
  combine<T>(me, results, std::plus<>{});
  combine<T>(me, results, std::multiplies<>{});
  combine<T>(me, results, minimum{});
  combine<T>(me, results, maximum{});
  combine<T>(me, results, std::logical_and<>{});
  combine<T>(me, results, std::logical_or<>{});
  if constexpr (std::is_integral_v<T>) {
    combine<T>(me, results, std::bit_and<>{});
    combine<T>(me, results, std::bit_or<>{});
    combine<T>(me, results, std::bit_xor<>{});
  }
}

template <class T>
void move_all(Node& me, Results& results) {
  const auto p = static_cast<std::size_t>(me.size());
  const std::vector<T> in = values<T>(me.rank(), enough<T>), wide = values<T>(me.rank(), p * enough<T>);
  std::vector<T> out(in.size()), all(wide.size());
  me.all_gather(in, all);
  results.add(all);
  me.all_to_all(wide, all);
  results.add(all);
  me.scatter(wide, out);
  results.add(out);
  me.gather(in, all, 1);
  results.add(all);
  me.circular_shift(in, out, 1);
  results.add(out);
  me.broadcast(out, 1);
  results.add(out);
  std::vector<std::size_t> counts(p, enough<T> / 2);
  counts.front() = enough<T>;
  std::vector<T> varying(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  me.all_gather_v(values<T>(me.rank(), counts[static_cast<std::size_t>(me.rank())]), varying, {counts, {}});
  results.add(varying);
  me.sendrecv(in, (me.rank() + 1) % me.size(), out, (me.rank() + me.size() - 1) % me.size());
  results.add(out);
}

template <class Body>
std::vector<Results> results_of(int nodes, const TeamOptions& options, const Body& body) {
  Team team(nodes, shapes::full{}, options);
  std::vector<Results> results(static_cast<std::size_t>(nodes));
  team.run([&](Node& me) { body(me, results[static_cast<std::size_t>(me.rank())]); });
  return results;
}

/// With arenas and without: what costs are taken for, so what algorithms are chosen, is the same.
template <class Body>
void check_same_bits(int nodes, std::size_t shared_from, const Body& body) {
  TeamOptions plain = vnode_test::patient();
  plain.mapping = "scatter";
  plain.costs = typical_costs;
  plain.shared_from = shared_from;
  TeamOptions helped = plain;
  helped.arenas = DomainLevel::numa;
  helped.arenas_from = 0;
  CHECK(results_of(nodes, plain, body) == results_of(nodes, helped, body));
}

template <class Body>
void check_same_bits(const Body& body) {
  for (const int nodes : {2, 3})
    for (const std::size_t shared_from : {std::size_t{1} << 14, std::size_t{1} << 40})
      check_same_bits(nodes, shared_from, body);
}

}  // namespace

TEST_CASE("arenas change no bit of what standard operators give" * doctest::skip()) {
  check_same_bits([](Node& me, Results& results) {
    combine_all<float>(me, results);
    combine_all<std::int32_t>(me, results);
    combine_all<bfloat16>(me, results);
  });
  if (vnode_test::brief()) return;
  check_same_bits([](Node& me, Results& results) {
    combine_all<double>(me, results);
    combine_all<float16>(me, results);
    combine_all<std::uint64_t>(me, results);
  });
  check_same_bits(2, 1 << 14, [](Node& me, Results& results) {
    combine_all<std::int8_t>(me, results);
    combine_all<std::uint8_t>(me, results);
    combine_all<std::int16_t>(me, results);
    combine_all<std::uint16_t>(me, results);
    combine_all<std::uint32_t>(me, results);
    combine_all<std::int64_t>(me, results);
  });
}

TEST_CASE("arenas change no bit of what is moved" * doctest::skip()) {
  check_same_bits([](Node& me, Results& results) {
    move_all<double>(me, results);
    move_all<std::uint8_t>(me, results);
  });
}

TEST_CASE("arenas change no bit of deterministic results and of those written back" * doctest::skip()) {
  for (const char* algorithm :
       {"all_reduce_one_shot_direct", "all_reduce_two_shot_direct", "all_reduce_ring"})
    for (const bool deterministic : {false, true}) {
      if (deterministic && std::string(algorithm) == "all_reduce_ring") continue;
      CAPTURE(algorithm);
      CAPTURE(deterministic);
      check_same_bits([&](Node& me, Results& results) {
        CallOptions call;
        call.algorithm = algorithm;
        call.deterministic = deterministic;
        std::vector<float> x = values<float>(me.rank(), 100'001);
        me.all_reduce(x, std::plus<>{}, call);
        results.add(x);
      });
    }
}

TEST_CASE("results are the same in arenas, on a machine with two domains of four PUs") {
  check_case_passes(two_domains, "arenas change no bit of what standard operators give");
  check_case_passes(two_domains, "arenas change no bit of what is moved");
  check_case_passes(two_domains, "arenas change no bit of deterministic results and of those written back");
}
