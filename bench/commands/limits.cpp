#include "limits/limits.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <string_view>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/topology.hpp>

#include "commands/commands.hpp"
#include "commands/team.hpp"
#include "data/pattern.hpp"
#include "limits/raw.hpp"
#include "report/report.hpp"
#include "terminal/progress.hpp"

namespace vnode::bench {
namespace {

/// Holds limits that are measured together, on the same vectors.
struct Group {
  std::size_t bytes;
  Question question;
};

Limit named(Limit limit, const char* name) {
  limit.name = name;
  return limit;
}

Limit read_after(Limit limit, const char* name, const Vectors& result, Rank reader) {
  for (Contestant& variant : limit.variants) variant = with_first_read(std::move(variant), result, {reader});
  return named(std::move(limit), name);
}

Group lines() {
  Group group{0, {}};
  group.question.limits = {
      named(line_transfer(2), "line one way"), exchange(2),
      named(raw({}, {0, 1}, Arithmetic::f64, StandardOperator::plus, true), "barrier by hand")};
  return group;
}

// Returns the limits of moving. Both vectors are written by their owners before every call, and the limits'
// results are checked.
Group moving(std::size_t bytes) {
  const auto data = std::make_shared<const Vectors>(2, bytes);
  const auto pattern = std::make_shared<const Pattern>(Arithmetic::f64, std::nullopt, 1);
  const Work work{bytes, {{0, 1, (*data)[0], (*data)[1]}}, {}};
  Group group{bytes, {}};
  group.question.limits = {copying_alone(work), named(copying(work), "copy, best"),
                           read_after(copying(work), "copy, best, and first read", *data, 1)};
  if (bytes <= most_raw_bytes)
    group.question.limits.push_back(
        named(raw(work, {0, 1}, Arithmetic::f64, StandardOperator::plus, false), "broadcast by hand"));
  group.question.rewrite = [=](const Seat& seat, Iteration iteration) {
    pattern->write((*data)[seat.rank], bytes, seat.rank, iteration);
  };
  group.question.wrong = [=](const Seat& seat, const Contestant&, Iteration iteration) {
    return pattern->differing((*data)[seat.rank], bytes, {0}, iteration);
  };
  return group;
}

// Returns the limits of combining in place: what root 0 has becomes the result.
Group combined(std::size_t bytes, const Options& options) {
  const Arithmetic datatype = options.datatypes_for(true).front();
  const StandardOperator op = options.ops.front();
  const auto data = std::make_shared<const Vectors>(2, bytes);
  const auto pattern = std::make_shared<const Pattern>(datatype, op, 1);
  const Work work{bytes, {}, {{{(*data)[0], (*data)[1]}, {{0, (*data)[0], 2}}}}};
  Group group{bytes, {}};
  group.question.limits = {
      combining_alone(work, 2, datatype, op), combining_by_vnode(work, 2, datatype, op),
      named(combining(work, 2, datatype, op), "combine, best"),
      read_after(combining(work, 2, datatype, op), "combine, best, and first read", *data, 0)};
  group.question.rewrite = [=](const Seat& seat, Iteration iteration) {
    pattern->write((*data)[seat.rank], bytes, seat.rank, iteration);
  };
  group.question.wrong = [=](const Seat& seat, const Contestant&, Iteration iteration) -> std::size_t {
    const std::array<Pattern::Source, 2> both{{{0}, {1}}};
    return seat.rank == 0 ? pattern->differing_from_combination((*data)[0], bytes, both, iteration) : 0;
  };
  return group;
}

// Returns the limits of combining where both have the sum in the end: each combines a half, and pushes it
// into the other's result by segments.
Group combined_for_both(std::size_t bytes, const Options& options) {
  const auto in = std::make_shared<const Vectors>(2, bytes), out = std::make_shared<const Vectors>(2, bytes);
  const Arithmetic datatype = options.datatypes_for(true).front();
  const StandardOperator op = options.ops.front();
  const auto pattern = std::make_shared<const Pattern>(datatype, op, 1);
  const Work work{bytes, {}, {{{(*in)[0], (*in)[1]}, {{0, (*out)[0], 2}, {1, (*out)[1], 2}}}}};
  Group group{bytes, {}};
  group.question.limits = {named(combining(work, 2, datatype, op), "combine for both, best")};
  if (bytes <= most_raw_bytes)
    group.question.limits.push_back(named(raw(work, {0, 1}, datatype, op, true), "all_reduce by hand"));
  group.question.rewrite = [=](const Seat& seat, Iteration iteration) {
    pattern->write((*in)[seat.rank], bytes, seat.rank, iteration);
    pattern->write((*out)[seat.rank], bytes, seat.rank, ~iteration);
  };
  group.question.wrong = [=](const Seat& seat, const Contestant&, Iteration iteration) {
    const std::array<Pattern::Source, 2> both{{{0}, {1}}};
    return pattern->differing_from_combination((*out)[seat.rank], bytes, both, iteration);
  };
  return group;
}

Group own(std::size_t bytes) {
  const auto from = std::make_shared<const Vectors>(2, bytes), to = std::make_shared<const Vectors>(2, bytes);
  const auto pattern = std::make_shared<const Pattern>(Arithmetic::f64, std::nullopt, 1);
  Group group{bytes, {}};
  group.question.limits = {named(copying_own(*from, *to), "memcpy, both at once")};
  group.question.rewrite = [=](const Seat& seat, Iteration iteration) {
    if (iteration > 1) return;  // the pages are there
    pattern->write((*from)[seat.rank], bytes, seat.rank, 0);
    pattern->write((*to)[seat.rank], bytes, seat.rank, 0);
  };
  return group;
}

std::vector<std::function<Group()>> groups(const Options& options) {
  constexpr std::size_t kib = 1024, mib = kib * kib;
  std::vector<std::function<Group()>> all{lines};
  for (const std::size_t bytes : {std::size_t{8}, kib, 4 * kib, 8 * kib, 64 * kib, mib, 8 * mib})
    all.push_back([=] { return moving(bytes); });
  for (const std::size_t bytes : {4 * kib, 64 * kib, mib, 8 * mib})
    all.push_back([=, &options] { return combined(bytes, options); });
  for (const std::size_t bytes : {std::size_t{8}, kib, 4 * kib, 8 * kib, 64 * kib, mib, 8 * mib})
    all.push_back([=, &options] { return combined_for_both(bytes, options); });
  for (const std::size_t bytes : {64 * kib, mib, 8 * mib, 64 * mib})
    all.push_back([=] { return own(bytes); });
  return all;
}

/// The medians of a line's way, one way in nanoseconds, between two cores of one L3, of several L3s in a
/// socket, and of two sockets or dies; 0 where there are none. Source: the matrices in tests/data/latencies,
/// by github.com/nviennot/core-to-core-latency.
struct KnownLine {
  std::string_view machine;
  int near, socket, far;
};
constexpr std::array known_lines{
    KnownLine{"AMD EPYC 7773X", 26, 117, 0},       KnownLine{"2 x AMD EPYC 7R13", 23, 151, 197},
    KnownLine{"2 x AMD EPYC 7742", 25, 190, 267},  KnownLine{"2 x Intel Xeon Gold 6242", 48, 0, 141},
    KnownLine{"2 x Intel Xeon 8375C", 51, 0, 108}, KnownLine{"AWS Graviton3", 46, 0, 0},
    KnownLine{"HiSilicon Kunpeng 920", 36, 0, 81}};

/// Returns what the limits say of this machine beside others, and of vnode's kernels beside the best loop: a
/// line of a cache takes `line` seconds, and `kernels` are their times over that loop's.
std::string verdict(const Machine& machine, double line, const std::vector<double>& kernels) {
  const std::vector<int> pus = mapping_by(machine, Topology(shapes::full{}, 2), "compact").pu;
  const bool near = std::ranges::any_of(machine.caches, [&](const Cache& cache) {
    return cache.level == 3 &&
           std::ranges::all_of(pus, [&](int pu) { return std::ranges::count(cache.pus, pu) > 0; });
  });
  const auto way = [](int nanoseconds) {
    return nanoseconds > 0 ? fmt::format("{:>7}", nanoseconds) : fmt::format("{:>7}", "-");
  };
  std::string text = fmt::format(
      "\n# a cache line takes {:.0f} ns between these two cores, of {}\n"
      "# elsewhere, one way, in ns:\n"
      "#   {:26}{:>7}{:>7}{:>7}\n",
      line * 1e9, near ? "one L3" : "different L3s, or none is known", "machine", "one L3", "socket",
      "beyond");
  int slower = 0, all = 0;
  for (const KnownLine& known : known_lines) {
    text +=
        fmt::format("#   {:26}{}{}{}\n", known.machine, way(known.near), way(known.socket), way(known.far));
    const int same = near ? known.near : std::max(known.socket, known.far);
    if (same > 0) ++all, slower += same < line * 1e9;
  }
  text += fmt::format("# (github.com/nviennot/core-to-core-latency, medians); {} of {} are quicker\n", slower,
                      all);
  const auto [least, most] = std::ranges::minmax(kernels);
  return text +
         fmt::format("# vnode's own kernel for sums takes {:.2f} to {:.2f} times the best loop's time\n",
                     least, most);
}

}  // namespace

int measure_limits(const Options& options, std::ostream& out) {
  const Machine machine = Machine::discover();
  if (machine.allowed_cores() < 2)
    throw SystemError{"limits are measured between two cores, and this process may use one"};
  check_walks(options, 2);
  const auto team = team_of(options, 2);
  const Station where = station(*team, machine, options.effort);
  Listing listing{{"limit", "bytes", "variant", "min_us", "median_us", "p99_us", "GBps"}};
  double line = 0;
  std::vector<double> kernels;
  Progress progress;
  const auto all = groups(options);
  for (std::size_t i = 0; i < all.size(); ++i) {
    progress.show(static_cast<double>(i) / static_cast<double>(all.size()), "limits");
    Group group = all[i]();
    group.question.collective = false;
    const Timings outcome = measure(*team, group.question, options.effort);
    double kernel = 0;
    for (const ChoiceTimes& limit : outcome.limits) {
      const Summary time = summarise(limit.series.all());
      if (limit.name == "line one way") line = time.median * 1e-6;
      if (limit.name == "combine by vnode's kernel") kernel = time.median;
      if (limit.name == "combine, best") kernels.push_back(kernel / time.median);
      Field rate;
      if (group.bytes > 0) rate = static_cast<double>(group.bytes) / (time.median * 1000);
      listing.row({limit.name, group.bytes, limit.variant, time.min, time.median, time.p99, rate});
    }
  }
  progress.clear();
  write(out, options.format, "limits", listing, where);
  if (options.format == Format::table) out << verdict(machine, line, kernels);
  return 0;
}

}  // namespace vnode::bench
