#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vnode/error.hpp>
#include <vnode/numa.hpp>

#include "base/enum_names.hpp"

namespace vnode {
namespace {

constexpr EnumNames<DomainLevel, 4> levels{{"l3", "numa", "package", "machine"}};
constexpr EnumNames<Banks, 5> policies{{"owner", "peer", "spread", "interleave", "one"}};

}  // namespace

std::string_view enums::name(DomainLevel level) { return levels[level]; }

std::span<const DomainLevel> domain_levels() { return levels.values; }

DomainLevel parse_domain_level(std::string_view text) {
  if (const auto level = levels.find(text)) return *level;
  throw UsageError(fmt::format("there are no domains called \"{}\": {} are possible", text,
                               fmt::join(levels.names, ", ")));
}

std::string_view enums::name(Banks banks) { return policies[banks]; }

std::span<const Banks> all_banks() { return policies.values; }

Banks parse_banks(std::string_view text) {
  if (const auto banks = policies.find(text)) return *banks;
  throw UsageError(
      fmt::format("\"{}\" is not a policy for banks: there are {}", text, fmt::join(policies.names, ", ")));
}

}  // namespace vnode
