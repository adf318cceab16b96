#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

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

TEST_CASE("a file that is not hwloc's XML is refused with the reason, whatever it holds") {
  const std::string good = text_of(two_packages_xml);
  const std::string header = "<?xml version=\"1.0\"?>";
  const std::string not_xml = "it is not hwloc's XML, as \"lstopo machine.xml\" writes it";
  for (const auto& [bad, reason] :
       {std::pair{std::string(), not_xml},
        {"pack:2 pu:2", not_xml},
        {"text before" + good, not_xml},
        {good.substr(0, good.size() / 2), "it ends where a > is missing"},
        {header + "<html></html>", not_xml},
        {header + "<topology version=\"2.0\"></topology>", not_xml},
        {header + "<topology version=\"two\"></topology>", not_xml},
        {header + "<topology version=\"2.0\"><object type=\"Foo\"/></topology>",
         "its outermost object is the Foo without a number: the Machine would be right"},
        {header + "<topology version=\"2.0\"><object type=\"Machine\"/></topology>",
         "it has no NUMANode: a machine has one at least"},
        {header + "<topology><![CDATA[x]]></topology>", "it has <![CDATA[x]]>, which hwloc does not write"},
        {header + "<topology version>",
         "it has a tag <topology version> that is no XML: attributes are written name=\"value\", a < or > in "
         "a "
         "value &lt; or &gt;"},
        {"<topology version=\"2.0\" version='1'>",
         "it has a tag <topology version=\"2.0\" version='1'> with the attribute version twice"},
        {"<topology version=\"&#50;\">",
         "it has a topology with the version \"&#50;\": plain characters would be right"},
        {std::string(1 << 17, '<'), "it ends where a > is missing"},
        {std::string(1000, '\0'), "it has a zero byte: it is not a text, or not in UTF-8"},
        {good + '\0', "it has a zero byte: it is not a text, or not in UTF-8"}}) {
    const TemporaryFile file(bad);
    const std::string sentence = "cannot read " + file.path + ": " + reason;
    CAPTURE(sentence);
    CHECK_THROWS_WITH_AS(Machine::from_xml(file.path), sentence.c_str(), vnode::SystemError);
  }
  std::string nested = "<topology>";
  for (int i = 0; i < 100'000; ++i) nested += "<object>";
  CHECK_THROWS_WITH_AS(Machine::from_xml(TemporaryFile(nested).path),
                       doctest::Contains("it has more than 256 tags inside each other"), vnode::SystemError);
}

TEST_CASE("an object whose complete set is missing, or is no set, is refused") {
  const std::string good = text_of(two_packages_xml);
  for (const std::string set : {"cpuset", "nodeset"}) {
    const std::string complete =
        set == "cpuset" ? " complete_cpuset=\"0x00000303\"" : " complete_nodeset=\"0x00000003\"";
    for (const auto& [other, reason] :
         {std::pair{std::string(), " has a " + set + ", but no complete_" + set},
          {" complete=\"0x3\"", " has a " + set + ", but no complete_" + set},
          {" complete_" + set + "=\"0x0J\"", ", but there is no set in its complete_" + set},
          {"\tcomplete_" + set + "\n= '0x0J'", ", but there is no set in its complete_" + set},
          {"\ninfo='x complete_" + set + "=\"0x3\"'", ", but no complete_" + set},
          {" complete_" + set + "=\"&#x30;\"", "plain characters would be right"},
          {"+", "that is no XML"}}) {
      std::string bad = good;
      REQUIRE(bad.find(complete) != std::string::npos);
      bad.replace(bad.find(complete), complete.size(), other);
      const TemporaryFile file(bad);
      CHECK_THROWS_WITH_AS(Machine::from_xml(file.path), doctest::Contains(reason.c_str()),
                           vnode::SystemError);
    }
  }
}

TEST_CASE("XML may be written otherwise than hwloc does: blanks, quotes, comments") {
  std::string text = text_of(two_packages_xml);
  const auto replace_all = [&](const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace_all(" complete_cpuset=", "\r\n\tcomplete_cpuset\t= ");
  replace_all(" os_index=\"3\"", "\nos_index='3' ");
  replace_all("<object type=\"NUMANode\"", "<!-- a <bank> --><object\ttype='NUMANode'");
  const TemporaryFile file(text);
  Machine machine = Machine::from_xml(file.path);
  machine.source = two_packages_xml;
  CHECK(machine == Machine::from_xml(two_packages_xml));
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
  check("\"NUMANode\" os_index=\"1\" cpuset=\"", "\"NUMANode\" os_index=\"1\" set=\"",
        "its NUMANode 1 has no cpuset");
  check("\"PU\" os_index=\"3\"", "\"PU\" os_index=\"4\"", "its PU 4 has to be the only one in its cpuset");
  check("\"PU\" os_index=\"3\" cpuset=\"0x00000008\"", "\"PU\" os_index=\"3\" cpuset=\"0x00000808\"",
        "its PU 3 has to be the only one in its cpuset");
  check("\"NUMANode\" os_index=\"1\"", "\"NUMANode\" os_index=\"7\"",
        "its NUMA node 7 has to be the only one in its nodeset");
  check("\"PU\" os_index=\"3\"", "\"PU\" os_index=\"4294967294\"",
        "its PU 4294967294 has to have a number from 0 to 1048576");
  check("complete_cpuset=\"0x0000ffff\"", "complete_cpuset=\"0xf...f\"",
        "its sets of PUs and NUMA nodes have to end, at 1048576 at the latest");
  check(
      "nbobjs=\"2\"", "nbobjs=\"65537\"",
      "its matrices of distances have to say in nbobjs how many rows they have, 0 to 32768: \"65537\" is no "
      "such number");
  check("nbobjs=\"2\"", "\n nbobjs='-1'",
        "its matrices of distances have to say in nbobjs how many rows they have, 0 to 32768: \"-1\" is no "
        "such number");
  check("type=\"Machine\"", "type=\"Package\"",
        "its outermost object is the Package 0: the Machine would be right");
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
