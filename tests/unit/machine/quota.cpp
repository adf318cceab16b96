#include "machine/quota.hpp"

#include <cstddef>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>

using vnode::read_cpu_quota;

namespace {

/// Files as a system has them, from a folder of its own on, which ends with the object.
struct System {
  const std::string root =
      (std::filesystem::temp_directory_path() / ("vnode_quota_" + std::to_string(getpid()))).string();
  ~System() { std::filesystem::remove_all(root); }
  void put(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  std::optional<double> quota() const { return read_cpu_quota(root); }
};

constexpr const char* others = "21 1 0:20 / /proc rw - proc proc rw\nbroken\n";

}  // namespace

TEST_CASE("version 2: the smallest quota on the way to the root counts") {
  const System system;
  system.put("/proc/self/cgroup", "0::/a/b/c");
  system.put("/proc/self/mountinfo",
             std::string(others) + "30 21 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup rw");
  CHECK_FALSE(system.quota());
  system.put("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000");
  CHECK_FALSE(system.quota());
  system.put("/sys/fs/cgroup/a/cpu.max", "150000 100000");
  CHECK(system.quota() == 1.5);
  system.put("/sys/fs/cgroup/a/b/cpu.max", "400000 100000");
  CHECK(system.quota() == 1.5);
  system.put("/sys/fs/cgroup/a/b/c/cpu.max", "25000 50000");
  CHECK(system.quota() == 0.5);
}

TEST_CASE("version 1: the hierarchy of the controller cpu counts, wherever that is mounted") {
  const System system;
  system.put("/proc/self/cgroup", "9:cpuset:/x\n5:cpu,cpuacct:/docker/1f\n0::/");
  system.put("/proc/self/mountinfo",
             std::string(others) +
                 "31 21 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                 "32 21 0:28 / /sys/fs/c\\040groups rw - cgroup cgroup rw,cpu,cpuacct\n"
                 "33 21 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");
  system.put("/sys/fs/c groups/docker/1f/cpu.cfs_quota_us", "-1");
  system.put("/sys/fs/c groups/docker/1f/cpu.cfs_period_us", "100000");
  CHECK_FALSE(system.quota());
  system.put("/sys/fs/c groups/docker/1f/cpu.cfs_quota_us", "200000");
  CHECK(system.quota() == 2.0);
  system.put("/sys/fs/c groups/docker/cpu.cfs_quota_us", "50000");
  system.put("/sys/fs/c groups/docker/cpu.cfs_period_us", "100000");
  CHECK(system.quota() == 0.5);
}

TEST_CASE("in a container the files of its cgroup are where the hierarchy is mounted") {
  const System system;
  const std::string mounted = "30 21 0:26 /docker/1f /sys/fs/cgroup ro - cgroup cgroup rw,cpu";
  system.put("/proc/self/mountinfo", mounted);
  system.put("/sys/fs/cgroup/cpu.cfs_quota_us", "300000");
  system.put("/sys/fs/cgroup/cpu.cfs_period_us", "100000");
  system.put("/sys/fs/cgroup/inner/cpu.cfs_quota_us", "100000");
  system.put("/sys/fs/cgroup/inner/cpu.cfs_period_us", "100000");
  // As the host sees it, and, in a cgroup namespace, from the container's own cgroup or one beside it.
  for (const char* path : {"/docker/1f", "/", "/../2f", "/docker/1fg/inner"}) {
    CAPTURE(path);
    system.put("/proc/self/cgroup", std::string("5:cpu:") + path);
    CHECK(system.quota() == 3.0);
  }
  system.put("/proc/self/cgroup", "5:cpu:/docker/1f/inner");
  CHECK(system.quota() == 1.0);
}

TEST_CASE("files that say nothing are no quota") {
  const System system;
  CHECK_FALSE(system.quota());  // there are none
  for (const char* cgroup : {"", "0", "0:", "0::", "0::/", "::", "nonsense"})
    for (const char* mount : {"", " - ", "30 21 0:26 / /c rw - cgroup2", "30 21 0:26 / /c - cgroup2 c rw"})
      for (const char* quota : {"", "max", "0 0", "1 0", "-1 100000", "max 100000", "x 5", "7"}) {
        system.put("/proc/self/cgroup", cgroup);
        system.put("/proc/self/mountinfo", mount);
        system.put("/c/cpu.max", quota);
        CHECK_FALSE(system.quota());
      }
}
