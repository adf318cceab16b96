// Tests one expression, whatever the algorithm, topology and size: on numbers whose sums round.
#include <atomic>
#include <complex>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "elements.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

using enum vnode::Collective;

std::uint64_t drawn(int rank, std::size_t i) {
  return mixed(static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint64_t>(i));
}
/// Returns a number whose sums and products round, in every type.
template <class T>
T brought(int rank, std::size_t i) {
  const auto near_one = [](std::uint64_t random) {
    return 0.6 + static_cast<double>(random % 1000003) * 1.1e-6;
  };
  const std::uint64_t random = drawn(rank, i);
  if constexpr (vnode::Complex<T>) {
    using Part = typename T::value_type;
    return {static_cast<Part>(near_one(random)), static_cast<Part>(-near_one(random >> 32))};
  } else {
    return static_cast<T>(near_one(random));
  }
}

/// Describes what a team must have: by number of ranks and by element, ((0 1)(2 3))(4 5) of them: pairs, then
/// pairs of pairs.
template <class T, class Operator>
class Expressions {
 public:
  Expressions(int nodes, std::size_t count) : of_(static_cast<std::size_t>(nodes) + 1) {
    for (int last = 1; last <= nodes; ++last)
      for (std::size_t i = 0; i < (last == nodes ? count * static_cast<std::size_t>(nodes) : count); ++i)
        of_[static_cast<std::size_t>(last)].push_back(expression(last, i));
  }
  /// Whether these are the bits of the ranks 0 .. last - 1, from element `first` on.
  bool agree(const std::vector<T>& result, int last, std::size_t first = 0) const {
    const std::vector<T>& expected = of_[static_cast<std::size_t>(last)];
    return std::memcmp(result.data(), expected.data() + first, result.size() * sizeof(T)) == 0;
  }

 private:
  static T expression(int last, std::size_t i) {
    std::vector<T> values;
    for (int rank = 0; rank < last; ++rank) values.push_back(brought<T>(rank, i));
    while (values.size() > 1) {
      std::vector<T> next;
      for (std::size_t pair = 0; pair + 1 < values.size(); pair += 2)
        next.push_back(Operator{}(values[pair], values[pair + 1]));
      if (values.size() % 2 == 1) next.push_back(values.back());
      values = next;
    }
    return values.front();
  }

  std::vector<std::vector<T>> of_;
};

/// Returns whether the node has the canonical result of a call on `count` elements.
template <class T, class Operator>
bool canonical_result(vnode::Group& me, vnode::Collective what, std::size_t count,
                      const Expressions<T, Operator>& expected, const vnode::CallOptions& options) {
  const int p = me.size(), r = me.rank();
  std::vector<T> in;
  for (std::size_t i = 0; i < (what == reduce_scatter ? count * static_cast<std::size_t>(p) : count); ++i)
    in.push_back(brought<T>(r, i));
  std::vector<T> out(count);
  switch (what) {
    case reduce:
      me.reduce(in, out, Operator{}, p / 2, options);
      return r != p / 2 || expected.agree(out, p);
    case all_reduce:
      me.all_reduce(in, out, Operator{}, options);
      return expected.agree(out, p);
    case scan:
      me.scan(in, out, Operator{}, options);
      return expected.agree(out, r + 1);
    case exclusive_scan:
      me.exclusive_scan(in, out, Operator{}, options);
      return r == 0 || expected.agree(out, r);
    default:
      me.reduce_scatter(in, out, Operator{}, options);
      return expected.agree(out, p, static_cast<std::size_t>(r) * count);
  }
}

struct Call {
  vnode::Collective what;
  vnode::CallOptions options;
};
/// Those of algorithms that may run on so many nodes, as far as can be known before.
std::vector<Call> deterministic_calls(int nodes) {
  std::vector<Call> calls;
  for (const vnode::Algorithm& algorithm : vnode::algorithms())
    for (const int segments : {1, 3}) {
      vnode::Parameters parameters{
          .nodes = nodes, .root = nodes / 2, .keep_order = true, .segments = segments};
      const vnode::Topology squarest(vnode::shapes::mesh{}, nodes);
      parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
      if (!vnode::combines(algorithm.collective) || vnode::why_not(algorithm, parameters) ||
          (segments > 1 && !algorithm.segments))
        continue;
      calls.push_back(
          {algorithm.collective, {.algorithm = algorithm.name, .segments = segments, .deterministic = true}});
    }
  return calls;
}

/// What has run, by collective.
using Ran = std::map<std::string, std::set<std::string_view>>;

/// Every algorithm on every node of a team, twice.
template <class T, class Operator>
void check_every_algorithm(int nodes, std::size_t count, Ran& ran, int& refused) {
  vnode::TeamOptions options = patient();
  options.shared_from = 5000;  // some are copied by both ends
  if (nodes % 2 == 0) options.inline_to = 0;
  vnode::Team team(nodes, vnode::shapes::full{}, options);
  const Expressions<T, Operator> expected(nodes, count);
  for (const Call& call : deterministic_calls(nodes)) {
    INFO(call.options.algorithm << " on " << nodes << " nodes, " << count << " elements");
    std::atomic<int> right{0};
    const std::string text = sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
      for (int time = 0; time < 2; ++time)
        right += canonical_result(me, call.what, count, expected, call.options);
    });
    if (text.empty()) {
      REQUIRE(right == 2 * nodes);
      if (nodes > 1) ran[std::string(vnode::enums::name(call.what))].insert(call.options.algorithm);
    } else {
      REQUIRE(text == std::string(call.options.algorithm) +
                          " cannot run here: does not compute the canonical expression on " +
                          std::to_string(nodes) + " nodes");
      ++refused;
    }
  }
}

}

TEST_CASE_TEMPLATE(
    "deterministic: the same bits by every algorithm that runs, in every run; the others say that they "
    "cannot",
    T, float, vnode::float16, vnode::bfloat16, std::complex<float>) {
  Ran ran;
  int refused = 0;
  for (const int nodes : brief() ? std::vector{1, 2, 3, 5, 8} : std::vector{1, 2, 3, 4, 5, 6, 7, 8, 9, 16})
    for (const std::size_t count : {1u, 5u, brief() ? 2000u : 3000u}) {
      if (nodes > 9 && count > 5) continue;
      check_every_algorithm<T, std::plus<>>(nodes, count, ran, refused);
      if constexpr (!vnode::Complex<T>)
        if (count == 5) check_every_algorithm<T, std::multiplies<>>(nodes, count, ran, refused);
    }
  std::size_t all = 0;
  for (const auto& [collective, names] : ran) all += names.size();
  MESSAGE(all << " algorithms, " << refused << " refusals");
  CHECK(refused > 50);
  CHECK(ran.size() == 5);
  for (const char* collective : {"reduce", "all_reduce", "reduce_scatter", "scan"})
    CHECK(ran[collective].size() >= 2);
}

TEST_CASE(
    "deterministic: the automatic choice, on every topology, in every form, for calls or for the team") {
  const vnode::Shape shapes[] = {vnode::shapes::full{}, vnode::shapes::array{}, vnode::shapes::ring{},
                                 vnode::shapes::mesh{}, vnode::shapes::torus{}, vnode::shapes::hypercube{},
                                 vnode::shapes::tree{}};
  for (const vnode::Shape& shape : shapes)
    for (const bool by_team : {false, true}) {
      if (brief() && by_team != (shape == vnode::shapes::full{})) continue;
      const bool cube = shape == vnode::shapes::hypercube{} || shape == vnode::shapes::tree{};
      vnode::TeamOptions options = patient();
      options.deterministic = by_team;
      vnode::Team team(cube ? 8 : 6, shape, options);
      const vnode::CallOptions asked{{}, 0, 2, !by_team};
      const std::size_t most = brief() ? 3000 : 30000;
      const Expressions<float, std::plus<>> expected(team.size(), most);
      team.run([&](vnode::Node& me) {
        for (const std::size_t count : {std::size_t{1}, std::size_t{100}, most})
          for (const vnode::Collective what : {reduce, all_reduce, reduce_scatter, scan, exclusive_scan})
            REQUIRE(canonical_result(me, what, count, expected, asked));
        std::vector<float> x, y;
        for (std::size_t i = 0; i < 100; ++i) x.push_back(brought<float>(me.rank(), i));
        y = x;
        vnode::Request request = me.nonblocking().all_reduce(x, std::plus<>{}, asked);
        vnode::Persistent planned = me.persistent().all_reduce(y, std::plus<>{}, asked);
        planned.start();
        planned.wait();
        request.wait();
        CHECK(expected.agree(x, me.size()));
        CHECK(expected.agree(y, me.size()));
      });
    }
}

TEST_CASE_TEMPLATE("an all_reduce gives all nodes the same bits, though they are not the canonical ones", T,
                   float, vnode::float16, vnode::bfloat16, std::complex<float>) {
  int rounded_otherwise = 0;
  for (const int nodes : {3, 5, 7, 8}) {
    constexpr std::size_t count = 3000;
    vnode::Team team(nodes, vnode::shapes::full{}, patient());
    const Expressions<T, std::plus<>> expected(nodes, count);
    for (const vnode::Algorithm& algorithm : vnode::algorithms()) {
      vnode::Parameters parameters;
      parameters.nodes = nodes;
      parameters.extents = {1, nodes};
      if (algorithm.collective != all_reduce || vnode::why_not(algorithm, parameters)) continue;
      INFO(algorithm.name << " on " << nodes << " nodes");
      std::vector<std::vector<T>> results(static_cast<std::size_t>(nodes));
      team.run([&](vnode::Node& me) {
        std::vector<T> x;
        for (std::size_t i = 0; i < count; ++i) x.push_back(brought<T>(me.rank(), i));
        me.all_reduce(x, std::plus<>{}, {algorithm.name});
        results[static_cast<std::size_t>(me.rank())] = x;
      });
      for (const std::vector<T>& result : results)
        REQUIRE(std::memcmp(result.data(), results[0].data(), count * sizeof(T)) == 0);
      rounded_otherwise += !expected.agree(results[0], nodes);
    }
  }
  CHECK(rounded_otherwise > 0);  // the numbers do round
}
