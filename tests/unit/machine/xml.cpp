#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <vnode/error.hpp>
#include <vnode/machine.hpp>

#include "two_packages.hpp"

using vnode::Machine;

namespace {

/// A file of its own in the temporary folder, gone with the object.
struct File {
  std::string path;
  explicit File(const std::string& text, const std::string& extension = ".xml")
      : path((std::filesystem::temp_directory_path() /
              ("vnode_xml_test_" + std::to_string(getpid()) + extension))
                 .string()) {
    std::ofstream(path) << text;
  }
  ~File() { std::filesystem::remove(path); }
};

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("an XML file gives memory, caches, distances, model and the system's numbers") {
  const Machine machine = Machine::from_xml(two_packages_xml);
  CHECK(machine.source == two_packages_xml);
  CHECK_FALSE(machine.this_system);
  CHECK(machine.model == "Vnode Example 8");
  CHECK(machine.pus.size() == 16);
  CHECK(machine.cores.size() == 8);
  CHECK(machine.packages.size() == 2);
  REQUIRE(machine.numas.size() == 2);
  CHECK(machine.numas[1].bytes == std::uint64_t{16} << 30);
  CHECK(machine.numas[1].pus == std::vector{8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(machine.distances == std::vector<std::vector<std::uint64_t>>{{10, 21}, {20, 10}});
  CHECK(machine.pus[9].os_index == 12);
  CHECK(machine.caches.size() == 8 + 8 + 4);
  CHECK(machine.caches.back() == vnode::Cache{3, 32 << 20, {12, 13, 14, 15}});
}

TEST_CASE("an XML file's disallowed PUs are there but may not be used") {
  std::string text = text_of(two_packages_xml);
  const std::string all = "allowed_cpuset=\"0x0000ffff\"";
  REQUIRE(text.find(all) != std::string::npos);
  text.replace(text.find(all), all.size(), "allowed_cpuset=\"0x00000f03\"");
  const Machine machine = Machine::from_xml(File(text).path);
  CHECK(machine.pus.size() == 16);
  CHECK(machine.allowed_pus() == std::vector{0, 1, 2, 3, 5, 7});
  CHECK(machine.allowed_cores() == 4);
}

TEST_CASE("a file that cannot be read is named with the reason") {
  CHECK_THROWS_WITH_AS(Machine::from_xml("/no/such.xml"),
                       "cannot read /no/such.xml: No such file or directory", vnode::SystemError);
  CHECK_THROWS_WITH_AS(Machine::from_xml("/proc"), "cannot read /proc: Is a directory", vnode::SystemError);
}

TEST_CASE("a file that is not hwloc's XML is refused, whatever it holds") {
  const std::string good = text_of(two_packages_xml);
  const std::string header = "<?xml version=\"1.0\"?>";
  for (const std::string& bad : {std::string(), std::string("pack:2 pu:2"), good.substr(0, good.size() / 2),
                                 header + "<html></html>", header + "<topology version=\"2.0\"></topology>",
                                 header + "<topology version=\"2.0\"><object type=\"Foo\"/></topology>",
                                 std::string(1 << 17, '<'), std::string(1000, '\0')}) {
    const File file(bad);
    const std::string sentence =
        "cannot read " + file.path + ": it is not hwloc's XML, as \"lstopo machine.xml\" writes it";
    CHECK_THROWS_WITH_AS(Machine::from_xml(file.path), sentence.c_str(), vnode::SystemError);
  }
}

TEST_CASE("an object whose complete set is missing, or is no set, is refused") {
  const std::string good = text_of(two_packages_xml);
  for (const std::string complete : {" complete_cpuset=\"0x00000303\"", " complete_nodeset=\"0x00000003\""})
    for (const std::string other : {"", " complete=\"0x3\"", " complete_cpuset=\"0x0J\"", "+"}) {
      CAPTURE(other);
      std::string bad = good;
      REQUIRE(bad.find(complete) != std::string::npos);
      bad.replace(bad.find(complete), complete.size(), other);
      const File file(bad);
      CHECK_THROWS_WITH_AS(Machine::from_xml(file.path), doctest::Contains("it is not hwloc's XML"),
                           vnode::SystemError);
    }
}

TEST_CASE("parse takes files and synthetic descriptions") {
  CHECK(Machine::parse(two_packages_xml) == Machine::from_xml(two_packages_xml));
  CHECK(Machine::parse("pack:2 numa:2 core:4 pu:1") == Machine::from_synthetic("pack:2 numa:2 core:4 pu:1"));
  const File file(text_of(two_packages_xml), ".topology");
  CHECK(Machine::parse(file.path).pus.size() == 16);
  CHECK_THROWS_WITH_AS(Machine::parse("missing.xml"), "cannot read missing.xml: No such file or directory",
                       vnode::SystemError);
  CHECK_THROWS_AS(Machine::parse("missing"), vnode::UsageError);
}
