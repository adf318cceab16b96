#include "settings/overrides.hpp"

#include <fmt/format.h>
#include <limits>
#include <utility>

#include <vnode/error.hpp>

#include "base/bytes.hpp"
#include "building_blocks/needs.hpp"

namespace vnode {
namespace {

/// Returns the text before the first `mark`, and sets `rest` to the text behind it.
std::string_view cut(std::string_view text, char mark, std::string_view& rest) {
  const std::size_t at = text.find(mark);
  rest = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return text.substr(0, at);
}

}

Overrides Overrides::parse(std::string_view text) {
  Overrides overrides;
  for (std::string_view rest; !text.empty(); text = rest) {
    const std::string_view rule = cut(text, ';', rest);
    if (rule.empty()) continue;
    std::string_view chosen, range, max;
    const std::string_view collective_name = cut(rule, '=', chosen);
    if (chosen.empty())
      throw UsageError(fmt::format("'{}' is not a rule such as reduce=direct:64K-max", rule));
    std::string_view hierarchy;
    std::string_view algorithm_name = chosen;
    if (const std::size_t open = chosen.find('('); open != std::string_view::npos) {
      const std::size_t close = chosen.find(')', open);
      if (close == std::string_view::npos)
        throw UsageError(fmt::format("'{}' opens a bracket and does not close it", rule));
      hierarchy = chosen.substr(open + 1, close - open - 1);
      algorithm_name = chosen.substr(0, open);
      const std::string_view after = cut(chosen.substr(close + 1), ':', range);
      if (!after.empty())
        throw UsageError(fmt::format("'{}' follows a hierarchy, and only bytes may", after));
    } else {
      algorithm_name = cut(chosen, ':', range);
    }
    const Collective collective = parse_collective(collective_name);
    const Algorithm& found = algorithm(collective, algorithm_name);
    if (!hierarchy.empty() && !needs(found, Need::domains))
      throw UsageError(fmt::format("{} has no hierarchy: leave '{}' out", found.name, hierarchy));
    Rule made{&found, std::string(hierarchy), 0, std::numeric_limits<std::size_t>::max()};
    if (!range.empty() || rule.ends_with(':')) {
      made.min = parse_bytes(cut(range, '-', max));
      if (max.empty())
        throw UsageError(fmt::format("'{}' is not a range of bytes such as 64K-1M or 64K-max", range));
      if (max != "max") made.max = parse_bytes(max);
      if (made.max < made.min)
        throw UsageError(fmt::format("'{}' ends before it begins: the least bytes come first", range));
    }
    overrides.rules_.push_back(std::move(made));
  }
  return overrides;
}

const Overrides::Rule* Overrides::find(Collective collective, std::size_t bytes) const {
  for (const Rule& rule : rules_)
    if (rule.algorithm->collective == collective && rule.min <= bytes && bytes <= rule.max) return &rule;
  return nullptr;
}

}
