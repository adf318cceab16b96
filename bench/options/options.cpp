#include "options/options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

#include "base/counted.hpp"
#include "data/element.hpp"
#include "mpi/peers.hpp"
#include "questions/register.hpp"

namespace vnode::bench {

TeamOptions Options::team_options() const {
  TeamOptions team;
  team.keep_caller_pinned = true;
  team.nodes = Nodes::threads;
  team.channel = channel == "boost" ? ChannelEngine::boost : ChannelEngine::line;
  team.wait = wait;
  team.banks = banks;
  team.deterministic = deterministic;
  team.mapping = mapping.value_or(arenas ? "" : "compact");  // with arenas, a node in each domain
  team.arenas = arenas;
  return team;
}

std::vector<Arithmetic> Options::datatypes_for(bool combining) const {
  if (!datatypes.empty()) return datatypes;
  if (osu) return {combining ? Arithmetic::f32 : Arithmetic::i8};
  return {Arithmetic::f64};
}

std::vector<std::size_t> Options::sizes(Arithmetic datatype) const {
  std::vector<std::size_t> sizes;
  std::size_t bytes = std::max(min_bytes, size_of(datatype));
  while (bytes <= max_bytes) {
    sizes.push_back(bytes);
    const std::size_t next = step > 0 ? bytes + step : bytes * factor;
    if (next <= bytes) break;  // more than a size can be
    bytes = next;
  }
  return sizes;
}

Effort Options::effort_for(std::size_t bytes) const {
  constexpr std::size_t large = 8192;
  Effort now = effort;
  if (osu && !now.iterations) now.iterations = bytes <= large ? 1000 : 100;
  if (osu && !warmup) now.warmup = bytes <= large ? 200 : 10;
  return now;
}

Effort Options::effort_on(bool core_each) const {
  Effort there = effort;
  there.core_each = core_each;
  return there;
}

void check_sizes(const Options& options) {
  if (options.max_bytes < options.min_bytes)
    throw UsageError{
        fmt::format("--max-bytes {} is less than --min-bytes {}", options.max_bytes, options.min_bytes)};
  for (const Arithmetic datatype : options.osu ? options.datatypes : options.datatypes_for(true)) {
    const std::size_t element = size_of(datatype);
    if (options.max_bytes < element)
      throw UsageError{fmt::format("--max-bytes {} is less than the {} of {}", options.max_bytes,
                                   counted(element, "byte"), datatypes[datatype])};
    const auto refuse_part = [&](const char* of, std::size_t bytes) {
      throw UsageError{fmt::format("{}{}: expected a multiple of the {} of {}", of, counted(bytes, "byte"),
                                   counted(element, "byte"), datatypes[datatype])};
    };
    if (options.min_bytes == 0 || options.sizes(datatype).front() % element != 0)
      refuse_part("", options.min_bytes == 0 ? 0 : options.sizes(datatype).front());
    if (options.step % element != 0) refuse_part("--step-bytes (calls are --iters) ", options.step);
  }
}

void check_operators(const Options& options) {
  const auto elements = options.datatypes_for(true);
  for (const Arithmetic datatype : elements)
    for (const StandardOperator op : options.ops)
      if (has_operator(datatype, op)) return;
  throw UsageError{fmt::format("--op {}: {} has sum and prod only", name_of(options.ops.front()),
                               datatypes[elements.front()])};
}

void check_traceable(const Options& options) {
  const Operation& first = operation(options.operations.front());
  const auto elements = options.datatypes_for(first.combining);
  if (options.operations.size() > 1 || !first.collective ||
      (first.sized && options.sizes(elements.front()).size() > 1) || options.algorithm == "all" ||
      !options.root || elements.size() > 1 || (first.combining && options.ops.size() > 1))
    throw UsageError{
        "--trace is of one call: name one collective, one size (-b 64K -e 64K), one root, one algorithm, one "
        "operator and type"};
}

void take_against(Options& options, const std::string& text) {
  std::vector<std::string>& rivals = options.against;
  rivals.clear();
  bool all_mpis = false;
  for (std::size_t begin = 0, end = 0; end != text.npos; begin = end + 1) {
    end = text.find(',', begin);
    std::string name = text.substr(begin, end - begin);
    if (name.empty()) continue;
    all_mpis = all_mpis || name == "mpi";
    if (const std::string library = name.substr(name.starts_with("mpi:") ? 4 : 0);
        std::ranges::count(mpi_names, library) > 0) {
      options.mpis.push_back(library);
      name = "mpi";
    }
    if (std::ranges::find(rival_names(), name) == rival_names().end())
      throw UsageError{fmt::format("--against '{}': there are {}, {}", name, fmt::join(rival_names(), ", "),
                                   fmt::join(mpi_names, ", "))};
    if (std::ranges::count(rivals, name) == 0) rivals.push_back(name);
  }
  if (all_mpis) options.mpis.clear();
}

void take_nodes(Options& options, const std::string& text) {
  const auto wrong = [&] {
    return UsageError{fmt::format(
        "--nodes {}: expected at least 1, or several as 1,2,6 or 1:16; cores is a number, too", text)};
  };
  const auto number = [&](const std::string& word) {
    if (word == "cores") return Machine::discover().allowed_cores();
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value < 1) throw wrong();
    return value;
  };
  std::vector<int> nodes;
  if (const std::size_t colon = text.find(':'); colon != text.npos) {
    const int least = number(text.substr(0, colon)), most = number(text.substr(colon + 1));
    if (least > most) throw wrong();
    for (std::int64_t next = least; next < most; next *= 2) nodes.push_back(static_cast<int>(next));
    nodes.push_back(most);
  } else {
    for (std::size_t begin = 0, end = 0; end != text.npos; begin = end + 1) {
      end = text.find(',', begin);
      nodes.push_back(number(text.substr(begin, end - begin)));
    }
  }
  if (std::ranges::adjacent_find(nodes, std::greater_equal<>{}) != nodes.end()) throw wrong();
  options.nodes = nodes.size() == 1 ? std::optional(nodes.front()) : std::nullopt;
  options.scaling = nodes.size() == 1 ? std::vector<int>() : nodes;
}

void check_scaling(const Options& options) {
  if (!options.scaling.empty()) {
    const char* const one = options.measured != Measured::operations ? "this measurement"
                            : options.trace                          ? "--trace"
                            : options.own != nullptr                 ? "--schedule"
                            : options.osu                            ? "--style osu"
                            : options.nodes                          ? "-t or -g"
                                                                     : nullptr;
    if (one != nullptr)
      throw UsageError{
          fmt::format("--nodes {}: {} takes one number of nodes", fmt::join(options.scaling, ","), one)};
  }
  if (options.format != Format::svg) return;
  const bool one_size = !operation(options.operations.front()).sized ||
                        options.sizes(options.datatypes_for(true).front()).size() == 1;
  if (options.measured != Measured::operations || options.operations.size() != 1 || options.ops.size() > 1 ||
      options.datatypes.size() > 1 || (!options.scaling.empty() && !one_size))
    throw UsageError{
        "--format svg is one plot: name one operation, and one size (-b 8 -e 8) with several --nodes"};
}

}  // namespace vnode::bench
