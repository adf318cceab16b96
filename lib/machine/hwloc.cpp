#include "machine/hwloc.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include <vnode/error.hpp>

namespace vnode {
namespace {

// hwloc inserts siblings in quadratic time: 4096 flat PUs take about a second, 16384 a minute.
constexpr double most_pus = 4096;
constexpr std::size_t most_xml_bytes = std::size_t{64} << 20;

HwlocTopology new_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw std::bad_alloc();
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  return HwlocTopology{topology};
}

/// Behind the next `end`, or the end of the text.
const char* behind(const char* at, char end) {
  const char* const found = std::strchr(at, end);
  return found != nullptr ? found + 1 : at + std::strlen(at);
}

/// The product of the numbers per parent, read as hwloc reads them: a kind up to its colon, a number in C's
/// way, (attributes) right behind it; [attached memory] in between; blanks and ends of lines before each.
/// Where one ends, the next may begin: 049 is 4, as an octal number, and 9. Up to what hwloc refuses.
double synthetic_pus(const std::string& description) {
  double pus = 1;
  const char* at = description.c_str();
  if (*at == '(') at = behind(at, ')');
  while (*(at += std::strspn(at, " \n"))) {
    if (*at == '[') {
      at = behind(at, ']');
      continue;
    }
    if (*at < '0' || *at > '9') at = behind(at, ':');
    if (*at == '-') break;
    char* end = nullptr;
    const auto number = static_cast<double>(std::strtoull(at, &end, 0));
    if (end == at) break;
    pus *= number;
    at = *end == '(' ? behind(end, ')') : end;
  }
  return pus;
}

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
  } while (size == text.size() && size < most_xml_bytes);
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

bool is_bitmap(std::optional<std::string_view> value) {
  return value && value->find_first_not_of("0123456789abcdefABCDEFx,.") == value->npos;
}

/// hwloc 2.9 follows a null pointer where an object has a set of PUs or NUMA nodes but no complete one it can
/// read.
bool sets_are_complete(std::string_view xml) {
  constexpr std::string_view object = "<object ";
  for (std::size_t at = xml.find(object); at != xml.npos; at = xml.find(object, at + 1)) {
    const std::string_view tag = xml.substr(at, xml.find('>', at) - at);
    for (const std::string set : {"cpuset", "nodeset"})
      if (const auto own = attribute(tag, set);
          own && !(is_bitmap(own) && is_bitmap(attribute(tag, "complete_" + set))))
        return false;
  }
  return true;
}

}  // namespace

std::vector<int> numbers(hwloc_const_bitmap_t set) {
  std::vector<int> result;
  for (int number = hwloc_bitmap_first(set); number >= 0; number = hwloc_bitmap_next(set, number))
    result.push_back(number);
  return result;
}

HwlocTopology load_synthetic(const std::string& description) {
  if (const double pus = synthetic_pus(description); pus > most_pus)
    throw UsageError(
        fmt::format("\"{}\" describes more PUs than the {} a machine may have", description, most_pus));
  HwlocTopology topology = new_topology();
  if (hwloc_topology_set_synthetic(topology.get(), description.c_str()) != 0 ||
      hwloc_topology_load(topology.get()) != 0)
    throw UsageError(
        fmt::format("\"{}\" describes no machine: write kinds from the outside in, each with its "
                    "number per parent and PUs last, as in \"pack:2 numa:2 core:4 pu:1\"",
                    description));
  return topology;
}

HwlocTopology load_xml(const std::string& path) {
  const std::vector<char> text = read_text(path);
  HwlocTopology topology = new_topology();
  if (!sets_are_complete(text.data()) ||
      hwloc_topology_set_xmlbuffer(topology.get(), text.data(), static_cast<int>(text.size())) != 0 ||
      hwloc_topology_load(topology.get()) != 0)
    throw SystemError(
        fmt::format("cannot read {}: it is not hwloc's XML, as \"lstopo machine.xml\" writes it", path));
  return topology;
}

hwloc_topology_t system_topology() {
  static const hwloc_topology_t topology = [] {
    HwlocTopology loading = new_topology();
    if (hwloc_topology_load(loading.get()) != 0)
      throw SystemError(fmt::format("hwloc cannot read this machine's topology: {}", std::strerror(errno)));
    return loading.release();
  }();
  return topology;
}

}  // namespace vnode
