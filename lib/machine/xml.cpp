#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/error.hpp>

#include "machine/hwloc.hpp"

namespace vnode {
namespace {

/// Returns the printable part of the beginning, for a sentence.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string printable(text.substr(0, most));
  std::ranges::replace_if(
      printable, [](char one) { return one < ' ' || one > '~'; }, ' ');
  return text.size() > most ? printable + "..." : printable;
}

/// Holds a tag of an XML text, and what follows it. Its parts are views of that text.
struct XmlTag {
  std::string_view name = {};  ///< "object", its end's is "/object"; of what is no tag (a comment) none
  std::vector<std::pair<std::string_view, std::string_view>> attributes = {};  ///< values as they are written
  bool empty = false;          ///< "<object/>", which has no end
  std::string_view text = {};  ///< up to the next

  /// Returns the value of an attribute, if it is there. Throws SystemError with the reason if characters of
  /// it are escaped: none that we look at needs that.
  std::optional<std::string_view> attribute(std::string_view wanted) const {
    const auto found = std::ranges::find(attributes, wanted, [](const auto& pair) { return pair.first; });
    if (found == attributes.end()) return std::nullopt;
    if (found->second.find('&') != found->second.npos)
      throw SystemError(fmt::format("it has a {} with the {} \"{}\": plain characters would be right",
                                    shown(name), wanted, shown(found->second)));
    return found->second;
  }
};

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t most_attributes = 256, most_nested = 256;

void skip_blanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
}

/// Removes the text before `end`, and `end`, from the rest and returns it.
std::string_view take_until(std::string_view& rest, std::string_view end) {
  const std::size_t at = rest.find(end);
  if (at == rest.npos) throw SystemError(fmt::format("it ends where a {} is missing", end));
  const std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(at + end.size());
  return taken;
}

/// Removes the text before the first of these characters, or all, from the rest and returns it.
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

/// Reads the tag between < and >.
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

/// Reads the tag at the beginning of `rest`, behind the <; a declaration or a comment gives an empty one.
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

/// Returns the tags in order. Declarations and comments, which are none, leave the text behind them. Throws
/// SystemError with the reason, as the end of a sentence, for what is not XML, or is none that describes a
/// machine: zero bytes, hundreds of attributes or of tags inside each other, an attribute twice. O(bytes).
std::vector<XmlTag> xml_tags(std::string_view text) {
  if (text.find('\0') != text.npos)
    throw SystemError("it has a zero byte: it is not a text, or not in UTF-8");
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

/// Writes tags as hwloc does: a blank before each attribute, double quotes, no declarations, comments and
/// blank text. Its two parsers (its own, and libxml) agree about little else.
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

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr int most_os_index = 1 << 20;

/// Returns the whole file.
std::string read_text(const std::string& path) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file{std::fopen(path.c_str(), "rb"), close};
  if (!file) throw SystemError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  std::string text;
  std::size_t size = 0;
  do {
    text.resize(size + (std::size_t{1} << 16));
    size += std::fread(text.data() + size, 1, text.size() - size, file.get());
  } while (size == text.size() && size <= most_bytes);
  if (std::ferror(file.get()))
    throw SystemError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  if (size > most_bytes)
    throw SystemError(
        fmt::format("cannot read {}: it has more than {} MiB, the most that a machine's file may have", path,
                    most_bytes >> 20));
  text.resize(size);
  return text;
}

// The checks below refuse what hwloc cannot be given: each throws a SystemError with the reason, as the end
// of a sentence.

[[noreturn]] void refuse_all() {
  throw SystemError("it is not hwloc's XML, as \"lstopo machine.xml\" writes it");
}

/// Returns a number from 0 to `most`, if the text is one.
std::optional<int> number(std::string_view text, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

bool is_object(const XmlTag& tag) { return tag.name == "object"; }

/// Returns "PU 3".
std::string name_of(const XmlTag& object) {
  return fmt::format("{} {}", shown(object.attribute("type").value_or("object")),
                     shown(object.attribute("os_index").value_or("without a number")));
}

/// Returns the version of the format: 2 since hwloc 2.0, and 1 if the text does not say.
int version(const std::vector<XmlTag>& tags) {
  const auto first = std::ranges::find_if(tags, [](const XmlTag& tag) { return !tag.name.empty(); });
  if (first == tags.end() || first->name != "topology") refuse_all();
  const auto text = first->attribute("version");
  if (!text) return 1;
  const auto major = number(*text, std::numeric_limits<int>::max());
  if (!major) refuse_all();
  return *major;
}

bool is_bitmap(std::optional<std::string_view> value) {
  return value && value->find_first_not_of("0123456789abcdefABCDEFx,.") == value->npos;
}

/// hwloc 2.9 follows a null pointer where an object has a set of PUs or NUMA nodes but no complete one it can
/// read, or a NUMA node has no set of PUs. It knows that groups of hwloc 1 may lack complete sets.
void check_sets(const XmlTag& object, int version) {
  const auto type = object.attribute("type");
  if (version < 2 && type == "Group") return;
  if (type == "NUMANode" && !object.attribute("cpuset"))
    throw SystemError(fmt::format("its {} has no cpuset", name_of(object)));
  for (const std::string_view set : {"cpuset", "nodeset"}) {
    const std::string complete = fmt::format("complete_{}", set);
    if (!object.attribute(set)) continue;
    for (const std::string_view each : {set, std::string_view(complete)})
      if (!is_bitmap(object.attribute(each)))
        throw SystemError(fmt::format("its {} has a {}, but {} {}", name_of(object), set,
                                      object.attribute(each) ? "there is no set in its" : "no", each));
  }
}

/// Bounds the numbers of PUs and NUMA nodes: hwloc makes room for all up to the greatest.
void check_number(const XmlTag& object) {
  const auto type = object.attribute("type"), text = object.attribute("os_index");
  if (text && (type == "PU" || type == "NUMANode") && !number(*text, most_os_index))
    throw SystemError(
        fmt::format("its {} has to have a number from 0 to {}", name_of(object), most_os_index));
}

/// Bounds the rows of a matrix: hwloc squares their number before it has seen them.
void check_matrix(const XmlTag& matrix) {
  constexpr int most_rows = 1 << 15;
  const auto rows = matrix.attribute("nbobjs");
  if (!rows || !number(*rows, most_rows))
    throw SystemError(
        fmt::format("its matrices of distances have to say in nbobjs how many rows they have, 0 "
                    "to {}: \"{}\" is no such number",
                    most_rows, shown(rows.value_or(""))));
}

/// Checks the objects together: hwloc 2.9 stumbles over the remains of a root that is not a machine, and
/// prints a line when it refuses a machine without a NUMA node.
void check_objects(const std::vector<XmlTag>& tags, int version) {
  const auto root = std::ranges::find_if(tags, is_object);
  if (version < 2) return;
  if (root == tags.end()) refuse_all();
  if (root->attribute("type") != "Machine")
    throw SystemError(
        fmt::format("its outermost object is the {}: the Machine would be right", name_of(*root)));
  const auto is_bank = [](const XmlTag& tag) {
    return is_object(tag) && tag.attribute("type") == "NUMANode";
  };
  if (std::ranges::none_of(tags, is_bank))
    throw SystemError("it has no NUMANode: a machine has one at least");
}

/// Checks what has to hold before hwloc sees the text.
void check(const std::vector<XmlTag>& tags) {
  const int major = version(tags);
  if (major > 2)
    throw SystemError(
        fmt::format("it is in version {} of hwloc's XML, and this hwloc reads 2 at most: \"lstopo "
                    "--export-xml-flags v2 machine.xml\" writes that",
                    major));
  check_objects(tags, major);
  for (const XmlTag& tag : tags) {
    if (is_object(tag)) {
      check_number(tag);
      check_sets(tag, major);
    } else if (tag.name.starts_with("distances")) {
      check_matrix(tag);
    }
  }
}

/// A NUMA node that is the root of all, as hwloc 1 may write it, gets a machine around it: where hwloc 2.9
/// does that itself it goes on with an object that is no more, if something is wrong further on.
void put_in_machine(std::vector<XmlTag>& tags) {
  const auto root = std::ranges::find_if(tags, is_object);
  const auto end = std::ranges::find(tags, "/topology", &XmlTag::name);
  if (version(tags) >= 2 || root == tags.end() || end < root || end == tags.end() || root->empty) return;
  if (root->attribute("type") != "NUMANode") return;
  XmlTag machine = *root;
  for (auto& [name, value] : machine.attributes)
    if (name == "type") value = "Machine";
  const auto before = root - tags.begin();
  tags.insert(end, XmlTag{.name = "/object"});
  tags.insert(tags.begin() + before, std::move(machine));
}

bool is_only(hwloc_const_bitmap_t set, unsigned number) {
  return set && hwloc_bitmap_weight(set) == 1 && hwloc_bitmap_isset(set, number);
}

/// Refuses what hwloc has taken although it does not fit together.
void check(hwloc_topology_t topology) {
  for (const hwloc_const_bitmap_t set :
       {hwloc_topology_get_complete_cpuset(topology), hwloc_topology_get_topology_cpuset(topology),
        hwloc_topology_get_complete_nodeset(topology)})
    if (const int last = hwloc_bitmap_last(set); last < 0 || last > most_os_index)
      throw SystemError(
          fmt::format("its sets of PUs and NUMA nodes have to end, at {} at the latest", most_os_index));
  for (const hwloc_obj_t pu : objects(topology, HWLOC_OBJ_PU))
    if (!is_only(pu->cpuset, pu->os_index))
      throw SystemError(fmt::format("its PU {} has to be the only one in its cpuset", pu->os_index));
  for (const hwloc_obj_t numa : objects(topology, HWLOC_OBJ_NUMANODE))
    if (!is_only(numa->nodeset, numa->os_index))
      throw SystemError(
          fmt::format("its NUMA node {} has to be the only one in its nodeset", numa->os_index));
}

HwlocTopology loaded(std::string_view file) {
  std::vector<XmlTag> tags = xml_tags(file);
  check(tags);
  put_in_machine(tags);
  const std::string text = to_xml(tags);
  HwlocTopology topology = new_topology();
  const int bytes = static_cast<int>(text.size() + 1);  // with the terminating zero
  if (hwloc_topology_set_xmlbuffer(topology.get(), text.c_str(), bytes) != 0 ||
      hwloc_topology_load(topology.get()) != 0)
    refuse_all();
  check(topology.get());
  return topology;
}

}  // namespace

HwlocTopology load_xml(const std::string& path) {
  const std::string text = read_text(path);
  try {
    return loaded(text);
  } catch (const SystemError& error) {
    throw SystemError(fmt::format("cannot read {}: {}", path, error.what()));
  }
}

}  // namespace vnode
