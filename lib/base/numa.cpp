#include <array>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/numa.hpp>

namespace vnode {
namespace {

constexpr std::array levels{DomainLevel::l3, DomainLevel::numa, DomainLevel::package};
constexpr std::array<std::string_view, levels.size()> level_names{"l3", "numa", "package"};

constexpr std::array policies{Banks::owner, Banks::peer, Banks::spread, Banks::interleave, Banks::one};
constexpr std::array<std::string_view, policies.size()> policy_names{"owner", "peer", "spread", "interleave",
                                                                     "one"};

}  // namespace

std::string_view name(DomainLevel level) { return level_names[static_cast<std::size_t>(level)]; }

std::span<const DomainLevel> domain_levels() { return levels; }

DomainLevel parse_domain_level(std::string_view text) {
  for (const DomainLevel level : levels)
    if (name(level) == text) return level;
  throw UsageError(
      fmt::format("there are no domains called \"{}\": {} are possible", text, fmt::join(level_names, ", ")));
}

std::string_view name(Banks banks) { return policy_names[static_cast<std::size_t>(banks)]; }

std::span<const Banks> all_banks() { return policies; }

Banks parse_banks(std::string_view text) {
  for (const Banks banks : policies)
    if (name(banks) == text) return banks;
  throw UsageError(
      fmt::format("\"{}\" is no policy for banks: there are {}", text, fmt::join(policy_names, ", ")));
}

}  // namespace vnode
