#include "machine/quota.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

namespace vnode {
namespace {

/// Says how one of the two versions keeps quotas.
struct Version {
  std::string_view file_system;
  std::string_view controller;  ///< by which mounts and /proc/self/cgroup name it; empty: by none
  std::optional<double> (*quota_in)(const std::string& folder);
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool contains(const std::string& list, std::string_view word) {
  const std::vector<std::string> words = split(list, ',');
  return std::ranges::find(words, word) != words.end();
}

/// Returns the cgroup of the process: "12:cpu,cpuacct:/a/b", in version 2 "0::/a/b".
std::optional<std::string> path_of_process(const std::string& root, const Version& version) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (version.controller.empty() ? controllers.empty() : contains(controllers, version.controller))
      return line.substr(second + 1);
  }
  return {};
}

/// Describes a mounted hierarchy of cgroups: where it is, and which cgroup is seen there.
struct Mount {
  std::string at, of;
};

/// Blanks and such are written as \040.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  return plain;
}

/// Finds the mount by a line such as "36 35 98:0 /of /at rw,noatime master:1 - cgroup cgroup rw,cpu,cpuacct".
std::optional<Mount> mount_of(const std::string& root, const Version& version) {
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t dash = line.find(" - cgroup");  // few are
    if (dash == std::string::npos) continue;
    const std::vector<std::string> place = split(line.substr(0, dash), ' ');
    const std::vector<std::string> kind = split(line.substr(dash + 3), ' ');
    if (place.size() < 5 || kind.size() < 3 || kind[0] != version.file_system) continue;
    if (version.controller.empty() || contains(kind[2], version.controller))
      return Mount{.at = unescaped(place[4]), .of = unescaped(place[3])};
  }
  return {};
}

std::optional<double> quotient(double quota, double period) {
  return quota > 0 && period > 0 ? std::optional(quota / period) : std::nullopt;
}

/// Returns the quota of one cgroup: "-1" is none.
std::optional<double> quota_of_v1(const std::string& folder) {
  double quota = 0, period = 0;
  if (std::ifstream(folder + "/cpu.cfs_quota_us") >> quota && quota > 0)
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  return quotient(quota, period);
}

/// Returns the quota of one cgroup: "200000 100000", or "max 100000" for none.
std::optional<double> quota_of_v2(const std::string& folder) {
  double quota = 0, period = 0;
  std::ifstream(folder + "/cpu.max") >> quota >> period;
  return quotient(quota, period);
}

constexpr Version v1{"cgroup", "cpu", quota_of_v1}, v2{"cgroup2", "", quota_of_v2};

/// Returns the least quota of the cgroup and all around it, as far as they are mounted.
std::optional<double> smallest(const std::string& root, const Version& version, const std::string& path) {
  const std::optional<Mount> mount = mount_of(root, version);
  if (!mount) return {};
  // Where the path leads out of what is mounted, as it may in a container, that is the container's cgroup.
  const std::string base = mount->of == "/" ? "" : mount->of;
  std::string inside = path.starts_with(base + "/") && path.find("/..") == std::string::npos
                           ? path.substr(base.size())
                           : std::string();
  if (inside == "/") inside.clear();
  std::optional<double> least;
  for (;;) {
    const std::optional<double> quota = version.quota_in(root + mount->at + inside);
    if (quota && (!least || *quota < *least)) least = quota;
    if (inside.empty()) return least;
    inside.erase(inside.rfind('/'));
  }
}

}  // namespace

std::optional<double> read_cpu_quota(const std::string& root) {
  // The controller is in one hierarchy.
  for (const Version& version : {v1, v2})
    if (const auto path = path_of_process(root, version)) return smallest(root, version, *path);
  return {};
}

}  // namespace vnode
