#include "options/values.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "base/bytes.hpp"

namespace vnode {

std::vector<Collective> parse_collectives(std::string_view text) {
  std::vector<Collective> list;
  if (text.empty()) return list;
  for (const std::string& name : split(text))
    if (const Collective one = parse_collective(name); std::ranges::find(list, one) == list.end())
      list.push_back(one);
  return list;
}

std::vector<std::string> parse_mappings(std::string_view text) {
  if (!text.empty() && text.front() >= '0' && text.front() <= '9') return {std::string(text)};
  std::vector<std::string> mappings;
  for (const std::string& one : split(text))
    if (one == "all")
      for (const MappingPolicy& policy : mapping_policies()) mappings.emplace_back(policy.name);
    else
      mappings.push_back(one);
  return mappings;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != text.npos; text.remove_prefix(end == text.npos ? 0 : end + 1)) {
    end = text.find(',');
    parts.emplace_back(text.substr(0, end));
  }
  return parts;
}

std::vector<std::size_t> parse_values(std::string_view text, const std::string& option, ValueBounds bounds) {
  const auto value = [&](std::string_view part) {
    const std::size_t number = parse_bytes(part, option);
    if (number < bounds.least || number > bounds.most)
      throw UsageError(
          fmt::format("{} {}: {} to {} are possible", option, part, bounds.least, bytes_text(bounds.most)));
    return number;
  };
  std::vector<std::size_t> values;
  if (const std::size_t colon = text.find(':'); colon != text.npos) {
    const std::size_t first = value(text.substr(0, colon)), last = value(text.substr(colon + 1));
    if (first == 0) throw UsageError(fmt::format("{} {}: doubling begins with 1 or more", option, text));
    if (first > last) throw UsageError(fmt::format("{} {}: it ends before it begins", option, text));
    for (std::size_t next = first; next <= last; next *= 2) values.push_back(next);
    return values;
  }
  for (std::string_view rest = text;; rest.remove_prefix(rest.find(',') + 1)) {
    values.push_back(value(rest.substr(0, rest.find(','))));
    if (std::ranges::count(values, values.back()) > 1)
      throw UsageError(fmt::format("{} {}: {} comes twice", option, text, values.back()));
    if (rest.find(',') == rest.npos) return values;
  }
}

Option add_bytes(const Command& command, const std::function<void(std::size_t)>& store,
                 const std::string& usual) {
  const auto parse = [=](const std::string& text) {
    const std::size_t bytes = parse_bytes(text, "--bytes");
    if (bytes > most_asked_bytes)
      throw UsageError(fmt::format("--bytes {}: a message has at most 1024G", text));
    store(bytes);
  };
  return command
      .option("--bytes", parse, fmt::format("m, the size of a message; 64K, 1M (default: {})", usual))
      .type_name("M");
}

}  // namespace vnode
