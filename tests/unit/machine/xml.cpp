#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

#include <vnode/error.hpp>
#include <vnode/machine.hpp>

#include "temporary_file.hpp"
#include "two_packages.hpp"

using vnode::Machine;

namespace {

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
  const Machine machine = Machine::from_xml(TemporaryFile(text).path);
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
    const TemporaryFile file(bad);
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
      const TemporaryFile file(bad);
      CHECK_THROWS_WITH_AS(Machine::from_xml(file.path), doctest::Contains("it is not hwloc's XML"),
                           vnode::SystemError);
    }
}

TEST_CASE("a file whose sets contradict its numbers is refused with what does not fit") {
  const std::string good = text_of(two_packages_xml);
  const auto check = [&](const std::string& from, const std::string& to, const std::string& sentence) {
    CAPTURE(to);
    std::string bad = good;
    REQUIRE(bad.find(from) != std::string::npos);
    bad.replace(bad.find(from), from.size(), to);
    const TemporaryFile file(bad);
    CHECK_THROWS_WITH_AS(Machine::from_xml(file.path), ("cannot read " + file.path + ": " + sentence).c_str(),
                         vnode::SystemError);
  };
  check("\"PU\" os_index=\"3\"", "\"PU\" os_index=\"4\"", "its PU 4 has to be the only one in its cpuset");
  check("\"PU\" os_index=\"3\" cpuset=\"0x00000008\"", "\"PU\" os_index=\"3\" cpuset=\"0x00000808\"",
        "its PU 3 has to be the only one in its cpuset");
  check("\"NUMANode\" os_index=\"1\"", "\"NUMANode\" os_index=\"7\"",
        "its NUMA node 7 has to be the only one in its nodeset");
  check("\"PU\" os_index=\"3\"", "\"PU\" os_index=\"4294967294\"",
        "it is not hwloc's XML, as \"lstopo machine.xml\" writes it");
  check("complete_cpuset=\"0x0000ffff\"", "complete_cpuset=\"0xf...f\"",
        "its sets of PUs and NUMA nodes have to end, at 1048576 at the latest");
  check("nbobjs=\"2\"", "nbobjs=\"65537\"", "it is not hwloc's XML, as \"lstopo machine.xml\" writes it");
  check("nbobjs=\"2\"", "nbobjs=\"-1\"", "it is not hwloc's XML, as \"lstopo machine.xml\" writes it");
  check("type=\"Machine\"", "type=\"Package\"", "it is not hwloc's XML, as \"lstopo machine.xml\" writes it");
  check("version=\"2.0\"", "version=\"3.0\"",
        "it is in version 3 of hwloc's XML, and this hwloc reads 2 at most: \"lstopo --export-xml-flags v2 "
        "machine.xml\" writes that");
}

TEST_CASE("a NUMA node may be the root of all in a file of hwloc 1") {
  const auto object = [](const std::string& type, const std::string& inside) {
    return "<object type=\"" + type +
           "\" os_index=\"0\" cpuset=\"0x1\" complete_cpuset=\"0x1\" allowed_cpuset=\"0x1\" nodeset=\"0x1\" "
           "complete_nodeset=\"0x1\" allowed_nodeset=\"0x1\">" +
           inside + "</object>";
  };
  const auto file = [&](const std::string& inside) {
    return "<topology>" + object("NUMANode", inside) + "</topology>";
  };
  const TemporaryFile good(file(object("PU", "")));
  const Machine machine = Machine::from_xml(good.path);
  CHECK(machine.numas.size() == 1);
  CHECK(machine.pus == std::vector{vnode::Pu{}});
  const TemporaryFile bad(file(object("PU", "<object/>")));
  CHECK_THROWS_WITH_AS(Machine::from_xml(bad.path), doctest::Contains("it is not hwloc's XML"),
                       vnode::SystemError);
}

TEST_CASE("parse takes files and synthetic descriptions") {
  CHECK(Machine::parse(two_packages_xml) == Machine::from_xml(two_packages_xml));
  CHECK(Machine::parse("pack:2 numa:2 core:4 pu:1") == Machine::from_synthetic("pack:2 numa:2 core:4 pu:1"));
  const TemporaryFile file(text_of(two_packages_xml), ".topology");
  CHECK(Machine::parse(file.path).pus.size() == 16);
  CHECK_THROWS_WITH_AS(Machine::parse("missing.xml"), "cannot read missing.xml: No such file or directory",
                       vnode::SystemError);
  CHECK_THROWS_AS(Machine::parse("missing"), vnode::UsageError);
}
