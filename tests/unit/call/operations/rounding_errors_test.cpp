// Tests how far sums of float16 and bfloat16 are from the exact ones, by how often they are rounded: the
// table in docs/library.md.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <fstream>
#include <functional>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "elements.hpp"
#include "repository.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

constexpr std::size_t sums_of_a_table = 10000;

/// From 0 to 1, all alike.
template <class T>
T uniform(int rank, std::size_t i) {
  const std::uint64_t random = mixed(static_cast<std::uint64_t>(rank) << 32 | i);
  return T(std::ldexp(static_cast<double>(random >> 12), -52));
}

/// Holds the greatest error and the mean, in units in the last place of the exact sum.
struct Errors {
  double greatest = 0, mean = 0;
  friend bool operator==(const Errors&, const Errors&) = default;
};

template <class T>
Errors errors_of(const std::vector<T>& result, int nodes) {
  Errors errors;
  for (std::size_t i = 0; i < result.size(); ++i) {
    double exact = 0;
    for (int rank = 0; rank < nodes; ++rank) exact += double{uniform<T>(rank, i)};
    const double ulp = std::ldexp(1.0, std::ilogb(exact) + 1 - std::numeric_limits<T>::digits);
    const double error = std::abs(double{result[i]} - exact) / ulp;
    errors.greatest = std::max(errors.greatest, error);
    errors.mean += error / static_cast<double>(result.size());
  }
  return errors;
}

/// Describes what must have the same errors.
struct Ways {
  const char* title;
  std::vector<vnode::CallOptions> options;
};
const std::vector<Ways> all_ways{
    {"once: `all_reduce_one_shot_direct`, `_two_shot_direct`",
     {{.algorithm = "all_reduce_one_shot_direct"}, {.algorithm = "all_reduce_two_shot_direct"}}},
    {"log2 p times: `_doubling`, `_rabenseifner`, all that are `deterministic`",
     {{.algorithm = "all_reduce_doubling"},
      {.algorithm = "all_reduce_rabenseifner"},
      {.deterministic = true}}},
    {"p - 1 times: `_ring`", {{.algorithm = "all_reduce_ring"}}}};
constexpr int numbers_of_nodes[] = {2, 4, 8, 16, 64};

template <class T>
Errors errors_by(int nodes, const vnode::CallOptions& options) {
  vnode::Team team(nodes, vnode::shapes::full{}, patient());
  Errors errors;
  team.run([&](vnode::Node& me) {
    std::vector<T> x;
    for (std::size_t i = 0; i < sums_of_a_table; ++i) x.push_back(uniform<T>(me.rank(), i));
    me.all_reduce(x, std::plus<>{}, options);
    if (me.rank() == 0) errors = errors_of(x, nodes);
  });
  return errors;
}

template <class T>
std::string row(const char* type, const Ways& ways) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << "| " << type << ", " << ways.title << " |";
  for (const int nodes : numbers_of_nodes) {
    const Errors errors = errors_by<T>(nodes, ways.options.front());
    for (const vnode::CallOptions& options : ways.options) CHECK(errors_by<T>(nodes, options) == errors);
    text << " " << errors.greatest << ", " << errors.mean << " |";
  }
  return text.str() + "\n";
}

}

TEST_CASE("the errors in docs/library.md are those that sums have") {
  std::string table;
  for (const Ways& ways : all_ways) table += row<vnode::bfloat16>("bfloat16", ways);
  for (const Ways& ways : all_ways) table += row<vnode::float16>("float16", ways);
  std::ostringstream documented;
  documented << std::ifstream(repository() / "docs/library.md").rdbuf();
  INFO(table);
  CHECK(documented.str().find(table) != std::string::npos);
}
