#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/shape.hpp>

#include "base/enum_names.hpp"

namespace vnode {
namespace {

constexpr EnumNames<Family, 7> family_names{{"array", "ring", "mesh", "torus", "hypercube", "tree", "full"}};

bool takes_extents(Family family) { return family == Family::mesh || family == Family::torus; }

std::string shape_text(Family family, std::span<const int> extents) {
  std::string text{enums::name(family)};
  for (std::size_t i = 0; i < extents.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? ':' : 'x', extents[i]);
  return text;
}

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw UsageError(fmt::format("\"{}\": {}", text, why));
}

[[noreturn]] void refuse_any_extents(std::string_view text, Family family) {
  refuse(text,
         fmt::format("only mesh and torus take extents; write \"{}\" and give the number of nodes apart",
                     enums::name(family)));
}

[[noreturn]] void refuse_size(std::string_view text) {
  refuse(text, fmt::format("a topology has at most {} nodes", max_nodes));
}

void check_extents(Family family, std::span<const int> extents) {
  const std::string text = shape_text(family, extents);
  if (!takes_extents(family)) refuse_any_extents(text, family);
  if (std::ranges::any_of(extents, [](int extent) { return extent < 1; })) {
    std::vector<int> right{extents.begin(), extents.end()};
    for (int& extent : right) extent = std::max(extent, 1);
    refuse(text, fmt::format("every extent is at least 1, as in {}", shape_text(family, right)));
  }
  if (extents.size() == 1)
    refuse(text, fmt::format("a {} has at least 2 extents; in one dimension it is \"{}\"",
                             enums::name(family), family == Family::mesh ? "array" : "ring"));
  if (extents.size() > max_dimensions)
    refuse(text, fmt::format("a {} has at most {} extents", enums::name(family), max_dimensions));
  int room = max_nodes;
  for (const int extent : extents) room /= extent;
  if (room == 0) refuse_size(text);
}

std::vector<int> parse_extents(std::string_view text, Family family, std::string_view numbers) {
  std::vector<int> extents;
  const char* next = numbers.data();
  const char* const last = next + numbers.size();
  while (true) {
    const auto [end, error] = std::from_chars(next, last, extents.emplace_back());
    if (error == std::errc::result_out_of_range) refuse_size(text);
    if (error == std::errc{} && end == last) return extents;
    if (error != std::errc{} || *end != 'x')
      refuse(text, fmt::format("extents are whole numbers joined by x, as in {}:4x4", enums::name(family)));
    next = end + 1;
  }
}

}  // namespace

std::string_view enums::name(Family family) { return family_names[family]; }

std::span<const Family> families() { return family_names.values; }

Family parse_family(std::string_view text) {
  if (const auto family = family_names.find(text)) return *family;
  throw UsageError(fmt::format(
      "there is no topology \"{}\": there are array, ring, mesh, torus, hypercube, tree and full", text));
}

Shape::Shape(Family family, std::span<const int> extents) : family_(family) {
  if (extents.empty()) return;
  check_extents(family, extents);
  dimensions_ = static_cast<int>(extents.size());
  std::ranges::copy(extents, extents_.begin());
}

Shape Shape::parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  const Family family = parse_family(text.substr(0, colon));
  if (colon == std::string_view::npos) return Shape(family);
  if (!takes_extents(family)) refuse_any_extents(text, family);
  return Shape(family, parse_extents(text, family, text.substr(colon + 1)));
}

std::optional<int> Shape::nodes() const {
  if (dimensions_ == 0) return std::nullopt;
  int nodes = 1;
  for (const int extent : extents()) nodes *= extent;
  return nodes;
}

std::string Shape::text() const { return shape_text(family_, extents()); }

}  // namespace vnode
