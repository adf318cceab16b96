#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include <vnode/error.hpp>

#include "machine/parts.hpp"

namespace vnode {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr int most_os_index = 1 << 20;

/// The file's text with hwloc's terminating zero.
std::vector<char> read_text(const std::string& path) {
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file{std::fopen(path.c_str(), "rb"), close};
  if (!file) throw SystemError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  std::vector<char> text;
  std::size_t size = 0;
  do {
    text.resize(size + (std::size_t{1} << 16));
    size += std::fread(text.data() + size, 1, text.size() - size, file.get());
  } while (size == text.size() && size < most_bytes);
  if (std::ferror(file.get()))
    throw SystemError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  text.resize(size);
  text.push_back('\0');
  return text;
}

/// The value of an attribute of an XML tag.
std::optional<std::string_view> attribute(std::string_view tag, const std::string& name) {
  const std::string begin = ' ' + name + "=\"";
  const std::size_t at = tag.find(begin);
  if (at == tag.npos) return std::nullopt;
  tag.remove_prefix(at + begin.size());
  return tag.substr(0, tag.find('"'));
}

/// Of the format, which is 2 since hwloc 2.0, and 1 if the text does not say.
int version(std::string_view xml) {
  const std::size_t at = xml.find("<topology ");
  int major = 1;
  if (at == xml.npos) return major;
  if (const auto text = attribute(xml.substr(at, xml.find('>', at) - at), "version"))
    std::from_chars(text->data(), text->data() + text->size(), major);
  return major;
}

bool is_bitmap(std::optional<std::string_view> value) {
  return value && value->find_first_not_of("0123456789abcdefABCDEFx,.") == value->npos;
}

template <class Check>
bool all_tags(std::string_view xml, std::string_view begin, Check check) {
  for (std::size_t at = xml.find(begin); at != xml.npos; at = xml.find(begin, at + 1))
    if (!check(xml.substr(at, xml.find('>', at) - at))) return false;
  return true;
}

/// hwloc 2.9 follows a null pointer where an object has a set of PUs or NUMA nodes but no complete one it can
/// read, or a NUMA node has no set of PUs. It knows that groups of hwloc 1 may lack complete sets.
bool sets_are_complete(std::string_view xml) {
  const bool groups_may_lack = version(xml) < 2;
  return all_tags(xml, "<object ", [=](std::string_view tag) {
    const auto type = attribute(tag, "type");
    if (groups_may_lack && type == "Group") return true;
    if (type == "NUMANode" && !attribute(tag, "cpuset")) return false;
    for (const std::string set : {"cpuset", "nodeset"})
      if (const auto own = attribute(tag, set);
          own && !(is_bitmap(own) && is_bitmap(attribute(tag, "complete_" + set))))
        return false;
    return true;
  });
}

/// hwloc 2.9 stumbles over the remains of another root.
bool root_is_machine(std::string_view xml) {
  const std::size_t root = xml.find("<object ");
  return version(xml) < 2 ||
         (root != xml.npos && attribute(xml.substr(root, xml.find('>', root) - root), "type") == "Machine");
}

/// hwloc makes room for all numbers up to the greatest.
bool numbers_are_small(std::string_view xml) {
  return all_tags(xml, "<object ", [](std::string_view tag) {
    const auto type = attribute(tag, "type");
    const auto text = attribute(tag, "os_index");
    if (!text || (type != "PU" && type != "NUMANode")) return true;
    int number = most_os_index + 1;
    std::from_chars(text->data(), text->data() + text->size(), number);
    return number >= 0 && number <= most_os_index;
  });
}

/// A NUMA node that is the root of all, as hwloc 1 may write it, gets a machine around it: where hwloc 2.9
/// does that itself it goes on with an object that is no more, if something is wrong further on.
void put_in_machine(std::vector<char>& text) {
  const std::string_view xml(text.data(), text.size() - 1), end = "</topology>";
  const std::size_t root = xml.find("<object ");
  const std::size_t close = xml.rfind(end);
  if (version(xml) >= 2 || root == xml.npos || close == xml.npos || close < root) return;
  std::string machine(xml.substr(root, xml.find('>', root) - root));
  const std::string numa = "type=\"NUMANode\"";
  const std::size_t type = machine.find(numa);
  if (type == machine.npos || machine.ends_with('/')) return;
  machine.replace(type, numa.size(), "type=\"Machine\"").push_back('>');
  const std::string_view closing = "</object>";
  text.insert(text.begin() + static_cast<std::ptrdiff_t>(close), closing.begin(), closing.end());
  text.insert(text.begin() + static_cast<std::ptrdiff_t>(root), machine.begin(), machine.end());
}

/// hwloc refuses a machine without a NUMA node, but prints a line about it.
bool has_memory(std::string_view xml) {
  return version(xml) < 2 || !all_tags(xml, "<object ", [](std::string_view tag) {
           return attribute(tag, "type") != "NUMANode";
         });
}

/// hwloc multiplies the number of a matrix's rows by itself before it has seen them.
bool matrices_are_small(std::string_view xml) {
  constexpr int most_rows = 1 << 15;
  return all_tags(xml, "<distances2", [](std::string_view tag) {
    const auto text = attribute(tag, "nbobjs");
    int rows = most_rows + 1;
    if (text) std::from_chars(text->data(), text->data() + text->size(), rows);
    return rows >= 0 && rows <= most_rows;
  });
}

/// What has to hold before hwloc sees the text.
bool sound(std::string_view xml) {
  return root_is_machine(xml) && sets_are_complete(xml) && has_memory(xml) && numbers_are_small(xml) &&
         matrices_are_small(xml);
}

bool is_only(hwloc_const_bitmap_t set, unsigned number) {
  return set && hwloc_bitmap_weight(set) == 1 && hwloc_bitmap_isset(set, number);
}

/// What does not fit together in a file that hwloc has taken, as the end of a sentence; nothing if all does.
std::optional<std::string> contradiction(hwloc_topology_t topology) {
  for (const hwloc_const_bitmap_t set :
       {hwloc_topology_get_complete_cpuset(topology), hwloc_topology_get_topology_cpuset(topology),
        hwloc_topology_get_complete_nodeset(topology)})
    if (const int last = hwloc_bitmap_last(set); last < 0 || last > most_os_index)
      return fmt::format("its sets of PUs and NUMA nodes have to end, at {} at the latest", most_os_index);
  for (const hwloc_obj_t pu : objects(topology, HWLOC_OBJ_PU))
    if (!is_only(pu->cpuset, pu->os_index))
      return fmt::format("its PU {} has to be the only one in its cpuset", pu->os_index);
  for (const hwloc_obj_t numa : objects(topology, HWLOC_OBJ_NUMANODE))
    if (!is_only(numa->nodeset, numa->os_index))
      return fmt::format("its NUMA node {} has to be the only one in its nodeset", numa->os_index);
  return std::nullopt;
}

}  // namespace

HwlocTopology load_xml(const std::string& path) {
  std::vector<char> text = read_text(path);
  put_in_machine(text);
  if (const int major = version(text.data()); major > 2)
    throw SystemError(
        fmt::format("cannot read {}: it is in version {} of hwloc's XML, and this hwloc reads 2 "
                    "at most: \"lstopo --export-xml-flags v2 machine.xml\" writes that",
                    path, major));
  HwlocTopology topology = new_topology();
  if (!sound(text.data()) ||
      hwloc_topology_set_xmlbuffer(topology.get(), text.data(), static_cast<int>(text.size())) != 0 ||
      hwloc_topology_load(topology.get()) != 0)
    throw SystemError(
        fmt::format("cannot read {}: it is not hwloc's XML, as \"lstopo machine.xml\" writes it", path));
  if (const auto wrong = contradiction(topology.get()))
    throw SystemError(fmt::format("cannot read {}: {}", path, *wrong));
  return topology;
}

}  // namespace vnode
