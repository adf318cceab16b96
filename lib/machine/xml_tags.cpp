#include "machine/xml_tags.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>

namespace vnode {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t most_attributes = 256, most_nested = 256;

void skip_blanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
}

/// What is before `end`; the rest loses both.
std::string_view take_until(std::string_view& rest, std::string_view end) {
  const std::size_t at = rest.find(end);
  if (at == rest.npos) throw SystemError(fmt::format("it ends where a {} is missing", end));
  const std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(at + end.size());
  return taken;
}

/// What is before the first of these, or all.
std::string_view take_before(std::string_view& rest, std::string_view ends) {
  const std::string_view taken = rest.substr(0, std::min(rest.find_first_of(ends), rest.size()));
  rest.remove_prefix(taken.size());
  return taken;
}

[[noreturn]] void refuse_tag(std::string_view inside) {
  throw SystemError(
      fmt::format("it has a tag <{}> that is no XML: attributes are written name=\"value\", a < "
                  "or > in a value &lt; or &gt;",
                  shown(inside)));
}

/// The tag of what is between < and >.
XmlTag read_tag(std::string_view inside) {
  std::string_view rest = inside;
  XmlTag tag;
  if (rest.ends_with('/')) {
    tag.empty = true;
    rest.remove_suffix(1);
  }
  tag.name = take_before(rest, blanks);
  for (skip_blanks(rest); !rest.empty(); skip_blanks(rest)) {
    const std::string_view name = take_before(rest, " \t\r\n=\"'");
    skip_blanks(rest);
    if (name.empty() || !rest.starts_with('=')) refuse_tag(inside);
    rest.remove_prefix(1);
    skip_blanks(rest);
    if (!rest.starts_with('"') && !rest.starts_with('\'')) refuse_tag(inside);
    const char quote = rest.front();
    rest.remove_prefix(1);
    const std::size_t end = rest.find(quote);
    if (end == rest.npos) refuse_tag(inside);
    for (const auto& known : tag.attributes)
      if (known.first == name)
        throw SystemError(
            fmt::format("it has a tag <{}> with the attribute {} twice", shown(inside), shown(name)));
    tag.attributes.emplace_back(name, rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (tag.attributes.size() > most_attributes)
      throw SystemError(
          fmt::format("it has a tag <{}> with more than {} attributes", shown(inside), most_attributes));
  }
  const bool end_tag = tag.name.starts_with('/');
  if (tag.name.empty() || inside.find('<') != inside.npos ||
      (end_tag && (tag.empty || !tag.attributes.empty())))
    refuse_tag(inside);
  return tag;
}

/// The tag, or what is none, at the beginning of `rest`, behind the <.
XmlTag take_tag(std::string_view& rest) {
  if (rest.starts_with("!--")) {
    rest.remove_prefix(3);
    take_until(rest, "-->");
    return {};
  }
  if (rest.starts_with('?')) {
    take_until(rest, "?>");
    return {};
  }
  const std::string_view inside = take_until(rest, ">");
  if (inside.starts_with("!DOCTYPE")) return {};
  if (inside.starts_with('!'))
    throw SystemError(fmt::format("it has <{}>, which hwloc does not write", shown(inside)));
  return read_tag(inside);
}

}  // namespace

std::optional<std::string_view> XmlTag::attribute(std::string_view wanted) const {
  const auto found = std::ranges::find(attributes, wanted, [](const auto& pair) { return pair.first; });
  if (found == attributes.end()) return std::nullopt;
  if (found->second.find('&') != found->second.npos)
    throw SystemError(fmt::format("it has a {} with the {} \"{}\": plain characters would be right",
                                  shown(name), wanted, shown(found->second)));
  return found->second;
}

std::vector<XmlTag> xml_tags(std::string_view text) {
  if (text.find('\0') != text.npos) throw SystemError("it has a zero byte: it is no text, or not in UTF-8");
  std::string_view rest = text;
  std::vector<XmlTag> tags{{.text = take_before(rest, "<")}};
  std::size_t nested = 0;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    tags.push_back(take_tag(rest));
    XmlTag& tag = tags.back();
    tag.text = take_before(rest, "<");
    if (tag.name.starts_with('/'))
      nested -= nested > 0 ? 1 : 0;
    else if (!tag.name.empty() && !tag.empty && ++nested > most_nested)
      throw SystemError(fmt::format("it has more than {} tags inside each other", most_nested));
  }
  return tags;
}

std::string to_xml(const std::vector<XmlTag>& tags) {
  std::string text;
  for (const XmlTag& tag : tags) {
    if (!tag.name.empty()) {
      text.append("<").append(tag.name);
      for (const auto& [name, value] : tag.attributes) {
        text.append(" ").append(name).append("=\"");
        for (const char one : value)
          if (one == '"')
            text.append("&quot;");
          else
            text.push_back(one);
        text.push_back('"');
      }
      text.append(tag.empty ? "/>" : ">");
    }
    if (tag.text.find_first_not_of(blanks) != tag.text.npos) text.append(tag.text);
  }
  return text;
}

std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string printable(text.substr(0, most));
  std::ranges::replace_if(
      printable, [](char one) { return one < ' ' || one > '~'; }, ' ');
  return text.size() > most ? printable + "..." : printable;
}

}  // namespace vnode
