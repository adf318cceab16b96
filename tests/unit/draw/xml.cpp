#include "xml.hpp"

#include <cctype>
#include <doctest/doctest.h>
#include <set>
#include <vector>

namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == ':' || c == '_';
}

bool good_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') return false;
    if (static_cast<unsigned char>(text[i]) < 0x20 && text[i] != '\n' && text[i] != '\t') return false;
    if (text[i] != '&') continue;
    const std::string_view name = text.substr(i + 1, text.find(';', i) - i - 1);
    const std::set<std::string_view> names{"amp", "lt", "gt", "quot", "apos", "#39"};
    if (!names.contains(name)) return false;
  }
  return true;
}

std::string_view name_at(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && is_name(text[size])) ++size;
  return text.substr(0, size);
}

std::string attributes_fault(std::string_view rest) {
  std::set<std::string_view> names;
  while (!rest.empty()) {
    if (rest[0] != ' ') return "no space before an attribute";
    rest.remove_prefix(1);
    const std::string_view name = name_at(rest);
    if (name.empty() || !names.insert(name).second) return "an attribute without a name, or twice";
    rest.remove_prefix(name.size());
    if (!rest.starts_with("=\"")) return "no quotes";
    const std::size_t end = rest.find('"', 2);
    if (end == std::string_view::npos || !good_text(rest.substr(2, end - 2))) return "a bad value";
    rest.remove_prefix(end + 1);
  }
  return "";
}

}  // namespace

std::string xml_fault(std::string_view text) {
  std::vector<std::string_view> open;
  bool any = false;
  while (true) {
    const std::size_t at = text.find('<');
    const std::string_view between = text.substr(0, at);
    if (!good_text(between)) return "bad text";
    if (open.empty() && between.find_first_not_of(" \n") != std::string_view::npos) return "text outside";
    if (at == std::string_view::npos) break;
    const std::size_t end = text.find('>', at);
    if (end == std::string_view::npos) return "no end of a tag";
    std::string_view tag = text.substr(at + 1, end - at - 1);
    text.remove_prefix(end + 1);
    if (open.empty() && any) return "a second root";
    any = true;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closed out of order: " + std::string(tag);
      open.pop_back();
      continue;
    }
    const bool closed = tag.ends_with('/');
    if (closed) tag.remove_suffix(1);
    const std::string_view name = name_at(tag);
    if (name.empty()) return "an element without a name";
    if (const std::string fault = attributes_fault(tag.substr(name.size())); !fault.empty())
      return fault + ": " + std::string(tag);
    if (!closed) open.push_back(name);
  }
  return !open.empty() ? "not closed: " + std::string(open.back()) : any ? "" : "nothing";
}

TEST_CASE("the checker of XML tells good from bad") {
  CHECK(xml_fault("<a b=\"c&amp;\"><d/>e</a>\n").empty());
  for (const char* bad : {"", "<a>", "<a></b>", "<a b=c/>", "<a b=\"<\"/>", "<a>&x;</a>", "<a/><b/>",
                          "<a b=\"1\" b=\"2\"/>", "<a>\x01</a>", "x<a/>"})
    CHECK_MESSAGE(!xml_fault(bad).empty(), bad);
}
