#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/hierarchy.hpp>
#include <vnode/model/algorithms.hpp>

#include "base/counted.hpp"
#include "building_blocks/names.hpp"

namespace vnode {

struct Hierarchy::Content {
  int nodes = 0;
  std::vector<Domains> levels;
  Ways ways;
  std::vector<std::vector<int>> domain_of;  // by level and rank

  bool operator==(const Content& other) const { return levels == other.levels && ways == other.ways; }
};

namespace {

constexpr std::array<std::string_view, 2> form_names{"leaders", "slices"};
constexpr int most_nodes = 1 << 15;  // of a team
// Machines have a handful; algorithms call themselves once for each.
constexpr std::size_t most_levels = 16;

void check_levels(std::size_t levels) {
  if (levels > most_levels)
    throw UsageError(fmt::format("{} levels of domains are too many: {} are the most", levels, most_levels));
}

int number(std::string_view text) {
  if (text.empty())
    throw UsageError("a number is missing: domains are written as 4x8, or as lists such as 0-3,4+6,5+7");
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > most_nodes)
    throw UsageError(fmt::format("\"{}\" is not a number from 0 to {}", text, most_nodes));
  return value;
}

// Reads "2x4x8": two domains of four of eight consecutive ranks.
std::vector<Hierarchy::Domains> equal_domains(std::string_view text) {
  std::vector<int> factors;
  long product = 1;
  const std::vector<std::string_view> parts = split(text, 'x');
  check_levels(parts.size() - 1);
  for (const std::string_view factor : parts) {
    factors.push_back(number(factor));
    product *= factors.back();
    if (product < 1 || product > most_nodes)
      throw UsageError(fmt::format("{} makes {} nodes, not 1 to {}", text, product, most_nodes));
  }
  std::vector<Hierarchy::Domains> levels;
  long domains = 1;
  for (std::size_t i = 0; i + 1 < factors.size(); ++i) {
    domains *= factors[i];
    Hierarchy::Domains level(static_cast<std::size_t>(domains));
    for (Rank rank = 0; rank < product; ++rank)
      level[static_cast<std::size_t>(rank / (product / domains))].push_back(rank);
    levels.push_back(std::move(level));
  }
  return levels;
}

// Reads "0-2+5": ranks 0, 1, 2, 5.
std::vector<Rank> listed_ranks(std::string_view text, int nodes) {
  std::vector<Rank> ranks;
  for (const std::string_view range : split(text, '+')) {
    const std::size_t dash = range.find('-');
    const int first = number(range.substr(0, dash));
    const int last = dash == std::string_view::npos ? first : number(range.substr(dash + 1));
    if (last < first)
      throw UsageError(fmt::format("\"{}\" is not a range of ranks: its end is below its begin", range));
    if (last >= nodes)
      throw UsageError(fmt::format("there is no rank {}: those of {} are 0 to {}", last,
                                   counted(nodes, "node"), nodes - 1));
    for (Rank rank = first; rank <= last; ++rank) ranks.push_back(rank);
  }
  return ranks;
}

Hierarchy::Domains listed_domains(std::string_view text, int nodes) {
  Hierarchy::Domains domains;
  for (const std::string_view domain : split(text, ',')) domains.push_back(listed_ranks(domain, nodes));
  return domains;
}

bool only(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

std::vector<Hierarchy::Domains> parsed_levels(std::string_view text, int nodes,
                                              const Hierarchy::Named& named) {
  if (only(text, "0123456789x") && text.find('x') != std::string_view::npos) return equal_domains(text);
  std::vector<Hierarchy::Domains> levels;
  const std::vector<std::string_view> parts = split(text, '/');
  check_levels(parts.size());
  for (const std::string_view level : parts)
    if (only(level, "0123456789+-,"))
      levels.push_back(listed_domains(level, nodes));
    else if (named && only(level, "abcdefghijklmnopqrstuvwxyz0123456789_"))
      levels.push_back(named(level));
    else
      throw UsageError(
          fmt::format("\"{}\" does not name domains: write 4x8, four of eight consecutive ranks, or lists "
                      "such as 0-3,4+6,5+7",
                      level));
  return levels;
}

HierarchyForm parse_form(std::string_view text) {
  for (const HierarchyForm form : {HierarchyForm::leaders, HierarchyForm::slices})
    if (enums::name(form) == text) return form;
  throw UsageError(fmt::format("there is no form \"{}\"; there are {}", text, fmt::join(form_names, ", ")));
}

// Finds where after the domains the first ",inner=..." begins: lists of ranks go on with digits.
std::size_t first_way(std::string_view text) {
  for (std::size_t at = text.find(','); at != std::string_view::npos; at = text.find(',', at + 1))
    if (!only(text.substr(at + 1, 1), "0123456789+-,") && at + 1 < text.size()) return at;
  return std::string_view::npos;
}

Hierarchy::Ways parsed_ways(std::string_view text) {
  Hierarchy::Ways ways;
  std::vector<std::string_view> given;
  for (const std::string_view way : split(text, ',')) {
    const std::size_t equals = std::min(way.find('='), way.size());
    const std::string_view key = way.substr(0, equals), value = way.substr(std::min(equals + 1, way.size()));
    if (key != "inner" && key != "outer" && key != "form")
      throw UsageError(
          fmt::format("\"{}\" is unknown: after the domains inner, outer and form may follow", key));
    if (value.empty())
      throw UsageError(fmt::format("{} has no value: write {}", key,
                                   key == "form" ? "form=slices" : fmt::format("{}=binomial", key)));
    if (std::ranges::find(given, key) != given.end())
      throw UsageError(fmt::format("{} is given twice: give it once", key));
    given.push_back(key);
    if (key == "form")
      ways.form = parse_form(value);
    else
      (key == "inner" ? ways.inner : ways.outer) = value;
  }
  return ways;
}

// Puts ranks in ascending order, domains in that of their lowest.
void put_in_order(Hierarchy::Domains& domains) {
  for (std::vector<Rank>& domain : domains) std::ranges::sort(domain);
  std::ranges::sort(domains);
}

void check_partition(const Hierarchy::Domains& domains) {
  std::vector<Rank> ranks;
  for (const std::vector<Rank>& domain : domains) {
    if (domain.empty()) throw UsageError("a domain has no ranks: every domain needs one");
    ranks.insert(ranks.end(), domain.begin(), domain.end());
  }
  std::ranges::sort(ranks);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto expected = static_cast<Rank>(i);
    if (ranks[i] > expected)
      throw UsageError(fmt::format("rank {} is in no domain: every rank is in one", expected));
    if (ranks[i] < expected)
      throw UsageError(fmt::format("rank {} is in two domains: every rank is in one", ranks[i]));
  }
}

void check_algorithms(std::string_view names) {
  if (names.empty()) return;
  for (const std::string_view one : split(names, '+')) {
    const auto has_its_name = [=](const Algorithm& algorithm) { return own_name(algorithm) == one; };
    if (!std::ranges::any_of(algorithms(), has_its_name) || one == "hierarchical")
      throw UsageError(fmt::format("there is no algorithm \"{}\" to be inside or across domains", one));
  }
}

std::string text_of(const Hierarchy::Domains& domains) {
  std::vector<std::string> texts;
  for (const std::vector<Rank>& domain : domains) {
    std::string text;
    for (std::size_t i = 0, end = 0; i < domain.size(); i = end) {
      for (end = i + 1; end < domain.size() && domain[end] == domain[end - 1] + 1;) ++end;
      if (!text.empty()) text += '+';
      text += end - i == 1 ? fmt::format("{}", domain[i]) : fmt::format("{}-{}", domain[i], domain[end - 1]);
    }
    texts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(texts, ","));
}

// Returns "2x4x8" if it is that.
std::optional<std::string> factors_of(const std::vector<Hierarchy::Domains>& levels, int nodes) {
  std::string text;
  std::size_t outside = 1;
  for (const Hierarchy::Domains& level : levels) {
    if (level.size() % outside != 0) return std::nullopt;
    text += fmt::format("{}x", level.size() / outside);
    outside = level.size();
  }
  if (static_cast<std::size_t>(nodes) % outside != 0) return std::nullopt;
  text += fmt::format("{}", static_cast<std::size_t>(nodes) / outside);
  if (equal_domains(text) != levels) return std::nullopt;
  return text;
}

}  // namespace

std::string_view enums::name(HierarchyForm form) { return form_names[static_cast<std::size_t>(form)]; }

Hierarchy::Hierarchy(std::vector<Domains> levels, Ways ways) {
  if (levels.empty()) throw UsageError("a hierarchy needs at least one level of domains");
  check_levels(levels.size());
  check_algorithms(ways.inner);
  check_algorithms(ways.outer);
  Content content;
  for (Domains& domains : levels) {
    put_in_order(domains);
    check_partition(domains);
    int nodes = 0;
    for (const std::vector<Rank>& domain : domains) nodes += static_cast<int>(domain.size());
    if (content.nodes != 0 && nodes != content.nodes)
      throw UsageError(fmt::format("one level has {} ranks, another {}: all levels must have the same number",
                                   content.nodes, nodes));
    content.nodes = nodes;
    std::vector<int> domain_of(static_cast<std::size_t>(nodes));
    for (std::size_t i = 0; i < domains.size(); ++i)
      for (const Rank rank : domains[i]) domain_of[static_cast<std::size_t>(rank)] = static_cast<int>(i);
    if (!content.domain_of.empty())
      for (const std::vector<Rank>& domain : domains)
        for (const Rank rank : domain)
          if (const auto& outside = content.domain_of.back();
              outside[static_cast<std::size_t>(rank)] != outside[static_cast<std::size_t>(domain.front())])
            throw UsageError(
                fmt::format("ranks {} and {} share a domain, but are in two domains of the level outside, "
                            "and must be in one",
                            domain.front(), rank));
    content.domain_of.push_back(std::move(domain_of));
  }
  content.levels = std::move(levels);
  content.ways = std::move(ways);
  content_ = std::make_shared<const Content>(std::move(content));
}

Hierarchy Hierarchy::parse(std::string_view text, int nodes, const Named& named) try {
  const std::size_t end = first_way(text);
  const std::string_view domains = text.substr(0, end);
  if (domains.find('=') != std::string_view::npos)
    throw UsageError("the domains are missing: they come first");
  Ways ways = end == std::string_view::npos ? Ways{} : parsed_ways(text.substr(end + 1));
  Hierarchy made(parsed_levels(domains, nodes, named), std::move(ways));
  if (made.nodes() != nodes)
    throw UsageError(fmt::format("it is for {} nodes, and there are {}", made.nodes(), nodes));
  return made;
} catch (const UsageError& error) {
  throw UsageError(fmt::format("hierarchy \"{}\": {}", text, error.what()));
}

int Hierarchy::nodes() const { return content_ == nullptr ? 0 : content_->nodes; }

int Hierarchy::levels() const { return content_ == nullptr ? 0 : static_cast<int>(content_->levels.size()); }

const Hierarchy::Domains& Hierarchy::domains(int level) const {
  static const Domains none;
  return content_ == nullptr ? none : content_->levels[static_cast<std::size_t>(level)];
}

Hierarchy Hierarchy::within(int index) const {
  if (levels() < 2) return {};
  const std::vector<Rank>& outside = domains()[static_cast<std::size_t>(index)];
  std::vector<Domains> inside;
  for (int level = 1; level < levels(); ++level) {
    Domains& kept = inside.emplace_back();
    for (const std::vector<Rank>& domain : domains(level)) {
      if (!std::ranges::binary_search(outside, domain.front())) continue;
      std::vector<Rank>& own = kept.emplace_back();
      for (const Rank rank : domain)
        own.push_back(static_cast<Rank>(std::ranges::lower_bound(outside, rank) - outside.begin()));
    }
  }
  return Hierarchy(std::move(inside), ways());
}

const Hierarchy::Ways& Hierarchy::ways() const {
  static const Ways none;
  return content_ == nullptr ? none : content_->ways;
}

Hierarchy Hierarchy::with(Ways ways) const {
  return content_ == nullptr ? Hierarchy() : Hierarchy(content_->levels, std::move(ways));
}

int Hierarchy::apart(Rank a, Rank b) const {
  int together = 0;
  for (; together < levels(); ++together) {
    const std::vector<int>& domain_of = content_->domain_of[static_cast<std::size_t>(together)];
    if (domain_of[static_cast<std::size_t>(a)] != domain_of[static_cast<std::size_t>(b)]) break;
  }
  return levels() - together;
}

std::string Hierarchy::text() const {
  if (content_ == nullptr) return {};
  std::vector<std::string> lists;
  for (const Domains& level : content_->levels) lists.push_back(text_of(level));
  std::string text = factors_of(content_->levels, nodes()).value_or(fmt::format("{}", fmt::join(lists, "/")));
  if (!ways().inner.empty()) text += fmt::format(",inner={}", ways().inner);
  if (!ways().outer.empty()) text += fmt::format(",outer={}", ways().outer);
  if (ways().form) text += fmt::format(",form={}", enums::name(*ways().form));
  return text;
}

bool operator==(const Hierarchy& a, const Hierarchy& b) {
  if (a.content_ == b.content_) return true;
  return a.content_ != nullptr && b.content_ != nullptr && *a.content_ == *b.content_;
}

}  // namespace vnode
